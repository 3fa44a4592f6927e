package dev.penstock.loader.fake;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenTables;
import dev.penstock.key.KeyCodec;
import dev.penstock.parse.CsvWriter;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.Deserialize;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The rows of one fragment, decoded: keys and CSV lines. */
final class FragmentRows {
    private final ColumnBatch batch;
    private final KeyCodec codec;
    private final String[] lines;

    FragmentRows(
            TableSchema schema,
            LoadRequest request,
            FragmentHeader header,
            byte[] payload,
            int length,
            List<Reject> rejects) {
        codec = new KeyCodec(schema);
        batch = ColumnBatch.forColumns(schema.columns(), 16);
        if (header.form() == FragmentForm.RAW) {
            new Deserialize(schema, request.dialect(), request.fieldColumns(), 1)
                    .runRaw(
                            Arrays.copyOf(payload, length + Deserialize.PADDING),
                            length,
                            header.chunkId(),
                            batch,
                            rejects::add);
        } else {
            decode(schema, request.tokens(), header, payload, length);
        }
        int[] columns = new int[schema.visibleColumnCount()];
        Arrays.setAll(columns, i -> i);
        ByteBuilder text = new ByteBuilder(1024);
        new CsvWriter(schema, columns, text).rows(batch);
        String all = new String(text.array(), 0, text.length(), StandardCharsets.UTF_8);
        lines = lines(all, batch.rowCount());
    }

    /** Splits CSV at line ends outside of quotes; line ends within fields become visible. */
    private static String[] lines(String csv, int count) {
        String[] lines = new String[count];
        int from = 0;
        for (int i = 0; i < count; i++) {
            boolean quoted = false;
            int to = from;
            while (quoted || csv.charAt(to) != '\n') {
                quoted ^= csv.charAt(to) == '"';
                to++;
            }
            lines[i] = csv.substring(from, to).replace("\r", "<CR>").replace("\n", "<LF>");
            from = to + 1;
        }
        return lines;
    }

    private void decode(
            TableSchema schema,
            TokenTables tokens,
            FragmentHeader header,
            byte[] payload,
            int length) {
        SegmentReader reader =
                SegmentReader.open(
                        schema,
                        MemorySegment.ofArray(Arrays.copyOf(payload, length)),
                        "fragment",
                        tokens);
        if (reader.sorted() == (header.form() == FragmentForm.TYPED) && reader.rowCount() > 1) {
            throw new IllegalStateException("sorted is " + reader.sorted() + " in " + header);
        }
        int row = 0;
        for (int block = 0; block < reader.blockCount(); block++) {
            for (int column = 0; column < schema.columnCount(); column++) {
                reader.read(column, block, batch.column(column), row);
            }
            row += reader.blockRows(block);
        }
        batch.setRowCount(row);
    }

    /** Recomputed from what was decoded. */
    ColumnSums sums() {
        ColumnSums sums = new ColumnSums(batch.columnCount());
        sums.add(batch, new ColumnHashes());
        return sums;
    }

    int count() {
        return batch.rowCount();
    }

    byte[] key(int row) {
        return codec.encode(batch, row);
    }

    String line(int row) {
        return lines[row];
    }
}
