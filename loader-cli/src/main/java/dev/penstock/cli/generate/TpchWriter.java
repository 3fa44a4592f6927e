package dev.penstock.cli.generate;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import io.trino.tpch.TpchEntity;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * Writes one TPC-H table as dbgen does: one record a line, {@code |} after every field.
 *
 * <p>The table is cut into parts of a few megabytes, as dbgen's own chunks are; threads make the
 * text of parts side by side, the caller's thread writes them in order. At most two parts per
 * thread wait in memory.
 */
public final class TpchWriter {
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

    /** What was written. */
    public record Written(long rows, long bytes) {}

    private record Part(ByteBuilder text, long rows) {}

    /**
     * Writes the whole table.
     *
     * @param progress told of the bytes written so far
     */
    public Written writeTo(OutputStream out, LongConsumer progress) throws IOException {
        int parts = table.partCount(scale);
        ArrayDeque<Future<Part>> pending = new ArrayDeque<>();
        long rows = 0;
        long bytes = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            try {
                int next = 1;
                for (int part = 1; part <= parts; part++) {
                    while (next <= parts && pending.size() < 2 * threads) {
                        int index = next++;
                        pending.add(pool.submit(() -> part(index, parts)));
                    }
                    Part done = take(pending.remove());
                    out.write(done.text().array(), 0, done.text().length());
                    rows += done.rows();
                    bytes += done.text().length();
                    progress.accept(bytes);
                }
            } finally {
                pool.shutdownNow();
            }
        }
        return new Written(rows, bytes);
    }

    private Part part(int index, int parts) {
        ByteBuilder text = new ByteBuilder(5 << 20);
        long rows = 0;
        for (TpchEntity row : table.rows(scale, index, parts)) {
            byte[] line = row.toLine().getBytes(StandardCharsets.ISO_8859_1);
            text.write(line, 0, line.length);
            text.putByte('\n');
            rows++;
        }
        return new Part(text, rows);
    }

    private static Part take(Future<Part> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException(ErrorCategory.IO, "generating was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("generating failed", e.getCause());
        }
    }
}
