package dev.penstock.cli.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Random;

/** What several threads make of batches is what one would write. */
class TextRowsTest {
    private static final List<Column> COLUMNS =
            List.of(
                    new Column("id", new ColumnType.BigIntType(), false),
                    new Column("text", new ColumnType.VarcharType(10_000_000), true));
    private static final TableSchema TABLE = TableSchema.declare("t", COLUMNS, List.of());
    private static final int[] BOTH = {0, 1};

    private static RowSink sink(String format, OutputStream out) {
        return switch (format) {
            case "csv" -> new CsvRows(TABLE, BOTH, out);
            case "lines" -> new JsonRows(TABLE, BOTH, JsonRows.Layout.LINES, out);
            default -> new JsonRows(TABLE, BOTH, JsonRows.Layout.DOCUMENT, out);
        };
    }

    /**
     * Batches of some rows; one in twelve is made text in several pieces.
     *
     * @param failsAt batch that cannot be read
     */
    private record Batches(int count, int failsAt, int[] next) implements BatchSource {
        private Batches(int count, int failsAt) {
            this(count, failsAt, new int[1]);
        }

        @Override
        public ColumnBatch newBatch() {
            return ColumnBatch.forColumns(COLUMNS, 16);
        }

        @Override
        public boolean next(ColumnBatch out) {
            int number = next[0]++;
            if (number == failsAt) {
                throw new IllegalStateException("batch " + number);
            }
            out.clear();
            if (number >= count) {
                return false;
            }
            Random random = new Random(number);
            int rows = 1 + random.nextInt(3000);
            boolean large = number % 12 == 7;
            out.column(0).ensureRows(rows);
            for (int row = 0; row < rows; row++) {
                out.longs(0).values()[row] = 10_000L * number + row;
                String text = "a \"quote\", or\t" + random.nextInt();
                byte[] value = (large && row == 0 ? text.repeat(400_000) : text).getBytes(UTF_8);
                out.bytes(1).append(row, value, 0, value.length);
            }
            if (random.nextBoolean()) {
                out.column(1).validity().setNull(random.nextInt(rows), rows);
            }
            out.setRowCount(rows);
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "csv,0",
        "csv,1",
        "csv,2",
        "csv,40",
        "lines,0",
        "lines,40",
        "document,0",
        "document,40"
    })
    void allBatchesAreWhatTheyAreOneByOne(String format, int count) throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        try (RowSink sink = sink(format, expected)) {
            Batches batches = new Batches(count, -1);
            ColumnBatch batch = batches.newBatch();
            while (batches.next(batch)) {
                sink.rows(batch);
            }
            sink.finish();
        }
        ByteArrayOutputStream actual = new ByteArrayOutputStream();
        try (RowSink sink = sink(format, actual)) {
            sink.all(new Batches(count, -1));
            sink.finish();
        }
        assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
    }

    @Test
    void theRowsBeforeAFailureAreWritten() throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        try (RowSink sink = sink("csv", expected)) {
            sink.all(new Batches(11, -1));
        }
        ByteArrayOutputStream actual = new ByteArrayOutputStream();
        try (RowSink sink = sink("csv", actual)) {
            assertThatThrownBy(() -> sink.all(new Batches(40, 11))).hasMessage("batch 11");
        }
        assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
    }

    @Test
    void aFailureToWriteEndsIt() {
        OutputStream full =
                new OutputStream() {
                    private int left = 1_000_000;

                    @Override
                    public void write(int b) throws IOException {
                        write(new byte[1], 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        left -= length;
                        if (left < 0) {
                            throw new IOException("full");
                        }
                    }
                };
        RowSink sink = sink("csv", full);
        assertThatThrownBy(() -> sink.all(new Batches(40, -1)))
                .isInstanceOf(IOException.class)
                .hasMessage("full");
    }
}
