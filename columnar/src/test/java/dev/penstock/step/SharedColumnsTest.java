package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.reject.Reject;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Columns that are shared give the same rows, rejects, sums and bytes as columns that are not. */
final class SharedColumnsTest {
    private static final long SEED = 20_251L;
    private static final int HEADER_COLUMNS = 20;
    private static final int LINE_COLUMNS = 5;
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(1, 2, 3);

    /** Key, then what lines of one order have in common, then what each has for itself. */
    private static final TableSchema SCHEMA = schema();

    private final Random random = new Random(SEED);
    private final List<Reject> rejects = new ArrayList<>();

    private static TableSchema schema() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("id", new ColumnType.BigIntType(), false));
        List<ColumnType> types =
                List.of(
                        new ColumnType.VarcharType(80),
                        new ColumnType.IntegerType(),
                        new ColumnType.DateType(),
                        new ColumnType.DecimalType(9, 2));
        for (int i = 1; i < HEADER_COLUMNS + LINE_COLUMNS; i++) {
            columns.add(new Column("c" + i, types.get(i % types.size()), i % 3 != 0));
        }
        return TableSchema.declare("orders", columns, List.of(new KeyColumn(0, false)));
    }

    @Test
    void sameRowsAndSumsAndFragments() {
        for (int longest : new int[] {6, 40, 1}) {
            for (int round = 0; round < 10; round++) {
                byte[] text = text(3_000, longest, 0, round % 2 == 0);
                ColumnBatch plain = parsed(text, new ArrayList<>(), false);
                ColumnBatch shared = parsed(text, rejects, true);
                assertThat(rejects).isEmpty();
                assertThat(sharedColumns(shared)).isEqualTo(longest > 1 ? HEADER_COLUMNS - 1 : 0);
                checkSums(plain, shared);
                checkFragments(plain, shared);
                assertThat(rows(shared)).isEqualTo(rows(plain));
                assertThat(sharedColumns(shared)).isZero();
            }
        }
    }

    @Test
    void faultyRowsAreTakenOutOfSpans() {
        for (int round = 0; round < 10; round++) {
            byte[] text = text(3_000, 6, 1 + random.nextInt(30), round % 2 == 0);
            List<Reject> expected = new ArrayList<>();
            rejects.clear();
            ColumnBatch plain = parsed(text, expected, false);
            ColumnBatch shared = parsed(text, rejects, true);
            assertThat(sharedColumns(shared)).isPositive();
            assertThat(rejects).isNotEmpty();
            assertThat(texts(rejects)).isEqualTo(texts(expected));
            checkSums(plain, shared);
            assertThat(rows(shared)).isEqualTo(rows(plain));
        }
    }

    @Test
    void sharedColumnsThatWereGivenTheirRowsGetFurtherRowsOneByOne() {
        byte[] text = text(2_000, 6, 0, true);
        byte[] more = text(2_000, 6, 0, true);
        Deserialize step = step(true);
        Deserialize plainStep = step(false);
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), 4);
        ColumnBatch plain = ColumnBatch.forColumns(SCHEMA.columns(), 4);
        step.run(padded(text), 0, text.length, 0, 0, 0, batch, rejects::add);
        plainStep.run(padded(text), 0, text.length, 0, 0, 0, plain, rejects::add);
        for (int column = 0; column < SCHEMA.columnCount(); column += 2) {
            assertThat(batch.column(column)).isSameAs(batch.held(column));
        }
        assertThat(sharedColumns(batch)).isPositive();
        step.runOn(padded(more), 0, more.length, 0, 0, 0, batch, rejects::add);
        plainStep.runOn(padded(more), 0, more.length, 0, 0, 0, plain, rejects::add);
        assertThat(rejects).isEmpty();
        checkSums(plain, batch);
        assertThat(rows(batch)).isEqualTo(rows(plain));
    }

    /** All rows had faults, but what was NULL in them had been noted. */
    @Test
    void aBatchWithoutRowsHasColumnsWithoutRows() {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), 4);
        batch.share(List.of(1, 2));
        for (int column = 1; column <= 2; column++) {
            batch.held(column).ensureRows(3);
            batch.held(column).setAllNull(0, 3);
        }
        batch.spans().append(new int[3], 0, 0);
        for (int column = 1; column <= 2; column++) {
            assertThat(batch.column(column).validity().nullCount(0)).isZero();
        }
    }

    @Test
    void aBatchWithRowsSharesNothingMore() {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), 4);
        batch.setRowCount(1);
        assertThatThrownBy(() -> batch.share(List.of(1))).isInstanceOf(IllegalStateException.class);
    }

    private void checkSums(ColumnBatch plain, ColumnBatch shared) {
        ColumnHashes hashes = new ColumnHashes();
        int rows = plain.rowCount();
        assertThat(shared.rowCount()).isEqualTo(rows);
        int[] order = IntStream.range(0, rows).toArray();
        for (int round = 0; round < 20; round++) {
            int from = random.nextInt(rows);
            int to = from + random.nextInt(rows - from + 1);
            ColumnSums expected = new ColumnSums(SCHEMA.columnCount());
            expected.add(plain, order, from, to);
            for (int column = 0; column < SCHEMA.columnCount(); column++) {
                long sum = expected.column(column);
                assertThat(hashes.sum(plain, column, from, to)).as("seed " + SEED).isEqualTo(sum);
                assertThat(hashes.sum(shared, column, from, to)).as("seed " + SEED).isEqualTo(sum);
            }
        }
    }

    /**
     * Fragments of slices of the rows, with every wish, by encoders that go from one to the next.
     */
    private void checkFragments(ColumnBatch plain, ColumnBatch shared) {
        TokenTable table =
                new TokenTable(
                        List.of(
                                "Haupt".getBytes(UTF_8),
                                "aße".getBytes(UTF_8),
                                "str".getBytes(UTF_8)));
        TokenTables tables = new TokenTables(Map.of(4, table, 8, table));
        Encode plainEncode = new Encode(SCHEMA, tables);
        Encode sharedEncode = new Encode(SCHEMA, tables);
        int rows = plain.rowCount();
        for (Encode.Choice wish :
                new Encode.Choice[] {Encode.Choice.DICTIONARY, Encode.Choice.PACKED}) {
            Encode.Choice[] choices = new Encode.Choice[SCHEMA.columnCount()];
            Arrays.fill(choices, wish);
            for (int round = 0; round < 3; round++) {
                int from = random.nextInt(rows);
                int to = from + 1 + random.nextInt(rows - from);
                ByteBuilder expected = new ByteBuilder(1024);
                ByteBuilder image = new ByteBuilder(1024);
                plainEncode.run(plain, from, to, choices, true, IDENTITY, expected);
                sharedEncode.run(shared, from, to, choices, true, IDENTITY, image);
                assertThat(image.toByteArray())
                        .as("seed " + SEED)
                        .isEqualTo(expected.toByteArray());
            }
        }
    }

    private static List<String> texts(List<Reject> rejects) {
        return rejects.stream()
                .map(bad -> bad.bytePosition() + " " + bad.columnName() + " " + bad.value())
                .toList();
    }

    private static int sharedColumns(ColumnBatch batch) {
        int count = 0;
        for (int column = 0; column < SCHEMA.columnCount(); column++) {
            count += batch.isShared(column) ? 1 : 0;
        }
        return count;
    }

    private static List<String> rows(ColumnBatch batch) {
        return TextRun.of(SCHEMA, batch).rows;
    }

    private static Deserialize step(boolean share) {
        Deserialize step = new Deserialize(SCHEMA, Dialect.csv(), TextRun.allFields(SCHEMA), 1);
        if (share) {
            step.shareColumns();
        }
        return step;
    }

    private static ColumnBatch parsed(byte[] text, List<Reject> rejects, boolean share) {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), 4);
        step(share).run(padded(text), 0, text.length, 0, 0, 0, batch, rejects::add);
        return batch;
    }

    private static byte[] padded(byte[] text) {
        return Arrays.copyOf(text, text.length + Deserialize.PADDING);
    }

    /**
     * Lines of orders.
     *
     * @param longest most lines of an order
     * @param faults how many lines are faulty
     */
    private byte[] text(int lines, int longest, int faults, boolean quotes) {
        StringBuilder text = new StringBuilder();
        String header = "";
        int left = 0;
        for (int line = 0; line < lines; line++) {
            if (left-- == 0) {
                header = values(1, HEADER_COLUMNS, quotes);
                left = random.nextInt(longest);
            }
            boolean faulty = random.nextInt(lines) < faults;
            String shown =
                    faulty && random.nextBoolean()
                            ? header.replaceFirst(",", ",x,").replaceFirst(",[^,]*$", "")
                            : header;
            String id = faulty && random.nextInt(3) == 0 ? "none" : "" + line;
            text.append(id).append(shown);
            text.append(values(HEADER_COLUMNS, HEADER_COLUMNS + LINE_COLUMNS, quotes));
            text.append('\n');
        }
        return text.toString().getBytes(UTF_8);
    }

    private String values(int from, int to, boolean quotes) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            boolean isNull = SCHEMA.column(i).nullable() && random.nextInt(4) == 0;
            text.append(',').append(isNull ? "" : value(SCHEMA.column(i).type(), quotes));
        }
        return text.toString();
    }

    private String value(ColumnType type, boolean quotes) {
        return switch (type) {
            case ColumnType.IntegerType _ -> "" + random.nextInt(-50, 2_000_000);
            case ColumnType.DateType _ ->
                    String.format(
                            "20%02d-%02d-%02d",
                            random.nextInt(30), 1 + random.nextInt(12), 1 + random.nextInt(28));
            case ColumnType.DecimalType _ ->
                    String.format("%d.%02d", random.nextInt(1000), random.nextInt(100));
            default -> {
                String street = "Hauptstraße " + random.nextInt(300);
                yield quotes && random.nextInt(5) == 0
                        ? '"' + street + ", \"\"Hof\"\"\n" + '"'
                        : street;
            }
        };
    }
}
