package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.Rows;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows without NULLs, which take the shortest ways through a merge, cut in every shape. */
class MergeShapesTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(4, 5, 0);
    private static final int ROWS = 40_000;

    private final TableSchema schema =
            TableSchema.declare(
                    "shapes",
                    List.of(
                            column("key", new ColumnType.BigIntType()),
                            column("narrow", new ColumnType.BigIntType()),
                            column("middle", new ColumnType.BigIntType()),
                            column("int", new ColumnType.BigIntType()),
                            column("far", new ColumnType.BigIntType()),
                            column("random", new ColumnType.BigIntType()),
                            column("few", new ColumnType.IntegerType()),
                            column("codes", new ColumnType.IntegerType()),
                            column("flag", new ColumnType.CharType(1)),
                            column("seconds", new ColumnType.TimestampType()),
                            column("minutes", new ColumnType.TimeType()),
                            column("even", new ColumnType.IntegerType()),
                            column("price", new ColumnType.DoubleType()),
                            column("near", new ColumnType.DoubleType()),
                            column("real", new ColumnType.RealType()),
                            column("late", new ColumnType.IntegerType())),
                    List.of(new KeyColumn(0, false)));

    private final Random random = new Random(71);
    private final List<@Nullable Object[]> rows = rows();

    private static Column column(String name, ColumnType type) {
        return new Column(name, type, false);
    }

    /** In key order; packed widths from 9 bits to 64, bases that jump, and dictionaries. */
    private List<@Nullable Object[]> rows() {
        List<@Nullable Object[]> made = new ArrayList<>();
        long key = Long.MIN_VALUE;
        long far = 0;
        for (int i = 0; i < ROWS; i++) {
            key += i % 9001 == 9000 ? 1L << 61 : 1 + random.nextInt(5);
            far += i % 5000 == 4999 ? random.nextLong() : random.nextInt(3);
            made.add(
                    new Object[] {
                        key,
                        (long) i + random.nextInt(500),
                        (long) random.nextInt(1 << 25) - (1 << 20),
                        (long) random.nextInt(),
                        far,
                        random.nextLong(),
                        (long) random.nextInt(200),
                        (long) (random.nextInt(3000) + (i < ROWS / 2 ? 0 : 500)),
                        new byte[] {(byte) ('A' + random.nextInt(3))},
                        1_000_000L * (i + random.nextInt(90_000)),
                        // Distances that fit ints as they are
                        60_000_000L * random.nextInt(8) + (i % 20_000 < 9000 ? 0 : 1000L * i),
                        2L * random.nextInt(1 << 20) + (i % 30_000 == 29_999 ? 1 : 0),
                        price(i),
                        FloatOrder.toOrdered(1 + (i % 10_000 == 0 ? i : i % 997) * 0x1p-30),
                        FloatOrder.toOrdered(random.nextInt(100_000) / 10f),
                        0L
                    });
        }
        return made;
    }

    /** Two places behind the point, and here and there more or too many. */
    private long price(int row) {
        double value = random.nextInt(1 << 22) / 100.0;
        return FloatOrder.toOrdered(
                row % 11_000 == 10_999 ? 0.123 : row % 17_000 == 16_999 ? Math.PI : value);
    }

    @Test
    void everyShapeOfRunsGivesTheRowsOfOneRun() {
        List<byte[]> expected = merge(schema, List.of(run(schema, rows, 0)));
        List<byte[]> overlapping = merge(schema, dealt(rows, 7, 0));
        assertThat(expected).hasSize(2);
        for (int most : new int[] {700, 9000, 30_000}) {
            List<Merge.Run> following = new ArrayList<>();
            List<Merge.Run> mixed = new ArrayList<>();
            for (int from = 0; from < ROWS; ) {
                int to = Math.min(ROWS, from + 1 + random.nextInt(most));
                List<@Nullable Object[]> part = rows.subList(from, to);
                following.add(run(schema, part, from));
                if (random.nextBoolean()) {
                    mixed.add(run(schema, part, from));
                } else {
                    mixed.addAll(dealt(part, 1 + random.nextInt(9), from));
                }
                from = to;
            }
            assertSameRows(schema, merge(schema, following), expected);
            assertSameRows(schema, merge(schema, mixed), expected);
            assertSameRows(schema, overlapping, expected);
            assertSameBytes(merge(schema, dealt(rows, 2 + ROWS / most, 0)), overlapping);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "6000 6000 8000, 6000 6000 8000",
        "600 6000 6000, 6600 6000",
        "6000 600 6000, 6000 6600",
        "600 8000 8000, 8192 8192 216",
        "3000 3000 3000 3000, 8192 3808",
        "8192 1, 8192 1"
    })
    void blocksOfRunsThatFollowEachOtherAreTakenAsTheyAre(String runRows, String blockRows) {
        List<Merge.Run> runs = new ArrayList<>();
        int from = 0;
        for (String count : runRows.split(" ")) {
            int to = from + Integer.parseInt(count);
            runs.add(run(schema, rows.subList(from, to), from));
            from = to;
        }
        List<byte[]> merged = merge(schema, runs);
        SegmentReader reader = SegmentReader.open(schema, segment(merged.getFirst()), "merged");
        assertThat(
                        IntStream.range(0, reader.blockCount())
                                .mapToObj(block -> String.valueOf(reader.blockRows(block)))
                                .collect(Collectors.joining(" ")))
                .isEqualTo(blockRows);
        assertSameRows(
                schema, merged, merge(schema, List.of(run(schema, rows.subList(0, from), 0))));
    }

    @Test
    void valuesAmongNullsArePackedHoweverTheyAreCut() {
        TableSchema sparse =
                TableSchema.declare(
                        "sparse",
                        List.of(
                                column("key", new ColumnType.BigIntType()),
                                new Column("near", new ColumnType.BigIntType(), true),
                                new Column("far", new ColumnType.BigIntType(), true),
                                new Column("int", new ColumnType.IntegerType(), true)),
                        List.of(new KeyColumn(0, false)));
        List<@Nullable Object[]> some = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            boolean none = i / 8192 == 1 || random.nextInt(10) < 4;
            some.add(
                    new Object[] {
                        (long) i,
                        none ? null : (long) random.nextInt(1 << 20) - 77,
                        none ? null : random.nextLong(),
                        random.nextInt(50) > 0 ? null : (long) random.nextInt()
                    });
        }
        List<byte[]> expected = merge(sparse, List.of(run(sparse, some, 0)));
        for (int most : new int[] {700, 9000, 30_000}) {
            List<Merge.Run> following = new ArrayList<>();
            for (int from = 0; from < ROWS; ) {
                int to = Math.min(ROWS, from + 1 + random.nextInt(most));
                following.add(run(sparse, some.subList(from, to), from));
                from = to;
            }
            assertSameRows(sparse, merge(sparse, following), expected);
        }
        List<Merge.Run> overlapping = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            List<@Nullable Object[]> part = new ArrayList<>();
            for (int row = i; row < ROWS; row += 4) {
                part.add(some.get(row));
            }
            overlapping.add(run(sparse, part, i));
        }
        assertSameRows(sparse, merge(sparse, overlapping), expected);
    }

    @Test
    void aColumnThatSomeRunsDoNotHaveIsZeroThere() {
        int columns = schema.columnCount() - 1;
        TableSchema older =
                TableSchema.declare("shapes", schema.columns().subList(0, columns), schema.key());
        List<byte[]> expected = merge(schema, List.of(run(schema, rows, 0)));
        List<Merge.Run> runs = new ArrayList<>();
        for (int from = 0; from < ROWS; from += 5000) {
            List<@Nullable Object[]> part = rows.subList(from, from + 5000);
            runs.add(run(from % 2000 == 0 ? older : schema, part, from));
        }
        assertSameRows(schema, merge(schema, runs), expected);
        runs.add(run(older, rows.subList(100, 30_000), Long.MAX_VALUE));
        assertSameRows(schema, merge(schema, runs), expected);
    }

    /** Rows dealt out to runs in turn, so that all of them overlap. */
    private List<Merge.Run> dealt(List<@Nullable Object[]> part, int count, long priority) {
        List<Merge.Run> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object[]> hand = new ArrayList<>();
            for (int row = i; row < part.size(); row += count) {
                hand.add(part.get(row));
            }
            runs.add(run(schema, hand, priority + i));
        }
        return runs;
    }

    private Merge.Run run(TableSchema keyed, List<@Nullable Object[]> part, long priority) {
        Encode.Choice[] choices = new Encode.Choice[keyed.columnCount()];
        Arrays.fill(choices, Encode.Choice.PACKED);
        if (random.nextInt(4) != 0) {
            Arrays.fill(
                    choices, Math.min(6, choices.length), choices.length, Encode.Choice.DICTIONARY);
        }
        ByteBuilder out = new ByteBuilder(0);
        new Encode(keyed)
                .run(Rows.batch(keyed, part), 0, part.size(), choices, true, IDENTITY, out);
        MemorySegment bytes = MemorySegment.ofArray(out.toByteArray());
        if (random.nextBoolean()) {
            bytes = Arena.ofAuto().allocate(bytes.byteSize()).copyFrom(bytes);
        }
        return new Merge.Run(SegmentReader.open(keyed, bytes, "run"), priority);
    }

    private List<byte[]> merge(TableSchema keyed, List<Merge.Run> runs) {
        List<ByteBuilder> segments = new ArrayList<>();
        Merge.Output output =
                new Merge.Output() {
                    @Override
                    public ByteSink open(int ordinal) {
                        segments.add(new ByteBuilder(0));
                        return segments.getLast();
                    }

                    @Override
                    public void close(int ordinal, SegmentSummary summary) {}
                };
        MergeLimits limits =
                MergeLimits.DEFAULT
                        .withUnitRows(500 + random.nextInt(50_000))
                        .withSegmentRows(25_000);
        new Merge(keyed, limits).run(runs, DuplicatePolicy.KEEP_FIRST, IDENTITY, output);
        return segments.stream().map(ByteBuilder::toByteArray).toList();
    }

    /** Blocks of runs are taken as they are where that goes, so they may end elsewhere. */
    private static void assertSameRows(
            TableSchema keyed, List<byte[]> actual, List<byte[]> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            SegmentReader found = SegmentReader.open(keyed, segment(actual.get(i)), "found");
            SegmentReader wanted = SegmentReader.open(keyed, segment(expected.get(i)), "wanted");
            assertThat(found.rowCount()).isEqualTo(wanted.rowCount());
            for (int column = 0; column < keyed.columnCount(); column++) {
                assertThat(found.dictionaryEntries(column))
                        .isEqualTo(wanted.dictionaryEntries(column));
                assertThat(values(found, column)).isEqualTo(values(wanted, column));
            }
        }
    }

    private static MemorySegment segment(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    /** Long values and byte strings of all rows, and null. */
    private static List<@Nullable Object> values(SegmentReader reader, int column) {
        ColumnBatch batch = ColumnBatch.forColumns(reader.schema().columns(), 0);
        ColumnData data = batch.column(column);
        BlockCursor cursor = new BlockCursor();
        List<@Nullable Object> values = new ArrayList<>();
        for (int block = 0; block < reader.blockCount(); block++) {
            data.validity().clear();
            cursor.open(reader, column, block);
            cursor.append(0, cursor.rows(), data, 0);
            for (int row = 0; row < cursor.rows(); row++) {
                values.add(
                        !data.validity().isValid(row)
                                ? null
                                : switch (data) {
                                    case LongColumn longs -> longs.values()[row];
                                    case BytesColumn strings ->
                                            new String(
                                                    strings.data(),
                                                    strings.offsets()[row],
                                                    strings.offsets()[row + 1]
                                                            - strings.offsets()[row],
                                                    StandardCharsets.ISO_8859_1);
                                });
            }
        }
        return values;
    }

    private static void assertSameBytes(List<byte[]> actual, List<byte[]> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(Arrays.mismatch(actual.get(i), expected.get(i))).isEqualTo(-1);
        }
    }
}
