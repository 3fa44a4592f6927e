package dev.penstock.step;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.convert.ValueFormatter;
import dev.penstock.dialect.Dialect;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.reject.Reject;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Runs Deserialize over a text, in one piece or in chunks, and shows what came out. */
final class TextRun {
    final List<String> rows = new ArrayList<>();
    final List<Reject> rejects = new ArrayList<>();
    private final TableSchema schema;

    private TextRun(TableSchema schema) {
        this.schema = schema;
    }

    /** A table without a key whose columns are all VARCHAR and nullable. */
    static TableSchema texts(int columns) {
        List<Column> all = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            all.add(new Column("c" + i, new ColumnType.VarcharType(1 << 20), true));
        }
        return TableSchema.declare("texts", all, List.of());
    }

    static TableSchema table(List<Column> columns) {
        return TableSchema.declare("t", columns, List.of(new KeyColumn(0, false)));
    }

    static List<Integer> allFields(TableSchema schema) {
        return IntStream.range(0, schema.visibleColumnCount()).boxed().toList();
    }

    static TextRun whole(TableSchema schema, Dialect dialect, byte[] text) {
        return whole(schema, dialect, text, RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
    }

    static TextRun whole(TableSchema schema, Dialect dialect, byte[] text, int maxRecordBytes) {
        return chunks(schema, dialect, text, maxRecordBytes, List.of());
    }

    /** Parses each stretch between cuts as a chunk of its own. */
    static TextRun chunks(
            TableSchema schema,
            Dialect dialect,
            byte[] text,
            int maxRecordBytes,
            List<Integer> cuts) {
        TextRun run = new TextRun(schema);
        Deserialize step = new Deserialize(schema, dialect, allFields(schema), 1, maxRecordBytes);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 4);
        byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
        Arrays.fill(padded, text.length, padded.length, (byte) '"');
        List<Integer> ends = new ArrayList<>(cuts);
        ends.add(text.length);
        int from = 0;
        for (int chunk = 0; chunk < ends.size(); chunk++) {
            int to = ends.get(chunk);
            batch.clear();
            step.run(padded, from, to, 7, 1000 + from, chunk, batch, run.rejects::add);
            run.take(batch);
            from = to;
        }
        return run;
    }

    static TextRun of(TableSchema schema, ColumnBatch batch) {
        TextRun run = new TextRun(schema);
        run.take(batch);
        return run;
    }

    private void take(ColumnBatch batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < schema.visibleColumnCount(); i++) {
                line.append(i == 0 ? "" : "|").append(value(batch.column(i), i, row));
            }
            rows.add(line.toString());
        }
    }

    private String value(ColumnData column, int index, int row) {
        if (!column.validity().isValid(row)) {
            return "NULL";
        }
        ColumnType type = schema.column(index).type();
        ByteBuilder out = new ByteBuilder(16);
        switch (column) {
            case LongColumn longs -> ValueFormatter.format(type, longs.values()[row], out);
            case BytesColumn bytes -> {
                byte[] value = bytes.get(row);
                ValueFormatter.format(type, value, 0, value.length, out);
            }
        }
        return new String(out.toByteArray(), UTF_8);
    }

    /** Rejects as text, record included. */
    List<String> rejectTexts() {
        List<String> texts = new ArrayList<>();
        for (Reject reject : rejects) {
            texts.add(
                    reject.reason()
                            + " at "
                            + reject.bytePosition()
                            + " "
                            + reject.columnName()
                            + " '"
                            + reject.value()
                            + "' expected "
                            + reject.expected()
                            + " in "
                            + new String(reject.record(), ISO_8859_1));
        }
        return texts;
    }
}
