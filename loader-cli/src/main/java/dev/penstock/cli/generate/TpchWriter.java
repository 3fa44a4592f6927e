package dev.penstock.cli.generate;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;

import io.trino.tpch.TpchEntity;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * Writes one TPC-H table as dbgen does: one record a line, {@code |} after every field. The table
 * is cut into parts of a few megabytes, as dbgen's own chunks are.
 */
public final class TpchWriter implements TableWriter {
    private final TpchTable table;
    private final double scale;
    private final int threads;

    public TpchWriter(TpchTable table, double scale, int threads) {
        if (!(scale > 0 && scale <= 100_000)) {
            throw PenstockException.usage("--scale must be above 0 and at most 100000");
        }
        this.table = table;
        this.scale = scale;
        this.threads = threads;
    }

    @Override
    public String tableName() {
        return table.tableName();
    }

    @Override
    public String ddl() {
        return table.ddl();
    }

    @Override
    public String fileName() {
        return table.tableName() + ".tbl";
    }

    @Override
    public Written writeTo(OutputStream out, LongConsumer progress) throws IOException {
        int parts = table.partCount(scale);
        return new TextParts(parts, index -> part(index + 1, parts))
                .writeTo(out, threads, progress);
    }

    private TextParts.Part part(int index, int parts) {
        ByteBuilder text = new ByteBuilder(5 << 20);
        long rows = 0;
        for (TpchEntity row : table.rows(scale, index, parts)) {
            byte[] line = row.toLine().getBytes(StandardCharsets.ISO_8859_1);
            text.write(line, 0, line.length);
            text.putByte('\n');
            rows++;
        }
        return new TextParts.Part(text, rows);
    }
}
