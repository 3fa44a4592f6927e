package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Encode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

class SegmentRoundTripTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(11, 12, 13);

    private final TableSchema schema = Rows.wideSchema();
    private final BlockCursor cursor = new BlockCursor();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 8191, 8192, 8193, 20000})
    void everyTypeAndEncodingComesBack(int count) {
        for (int nullPercent : new int[] {0, 10, 100}) {
            Random random = new Random(count + nullPercent);
            List<@Nullable Object[]> rows =
                    Rows.sorted(schema, Rows.random(schema, random, count, 1 << 20, nullPercent));
            for (Encode.Choice choice : Encode.Choice.values()) {
                byte[] image = encode(rows, choice);
                check(rows, SegmentReader.open(schema, MemorySegment.ofArray(image), "s"));
            }
        }
    }

    @Test
    void aMappedSegmentReadsLikeOneInTheHeap() {
        List<@Nullable Object[]> rows =
                Rows.sorted(schema, Rows.random(schema, new Random(1), 9000, 1 << 20, 5));
        for (Encode.Choice choice : Encode.Choice.values()) {
            byte[] image = encode(rows, choice);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(image.length);
                memory.copyFrom(MemorySegment.ofArray(image));
                check(rows, SegmentReader.open(schema, memory, "s"));
            }
        }
    }

    /** The second time, what there is to know of a block follows from the reference to it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 15, 16, 1000, 8192, 8199})
    void slicesOfBlocksThatWereReadBeforeComeBack(int count) {
        for (int nullPercent : new int[] {0, 10}) {
            Random random = new Random(6 + count + nullPercent);
            List<@Nullable Object[]> rows =
                    Rows.sorted(schema, Rows.random(schema, random, count, 1 << 20, nullPercent));
            for (Encode.Choice choice : Encode.Choice.values()) {
                byte[] image = encode(rows, choice);
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment memory = arena.allocate(image.length);
                    memory.copyFrom(MemorySegment.ofArray(image));
                    SegmentReader reader = SegmentReader.open(schema, memory, "s");
                    for (int i = 0; i < 200; i++) {
                        checkSlice(reader, rows, random);
                    }
                }
            }
        }
    }

    private void checkSlice(SegmentReader reader, List<@Nullable Object[]> rows, Random random) {
        int column = random.nextInt(schema.columnCount());
        int block = random.nextInt(reader.blockCount());
        int first = random.nextInt(reader.blockRows(block));
        int count = 1 + random.nextInt(reader.blockRows(block) - first);
        ColumnBatch found = ColumnBatch.forColumns(schema.columns(), 0);
        cursor.open(reader, column, block);
        cursor.append(first, count, found.column(column), 0);
        int from = (int) reader.blockStartRow(block) + first;
        assertThat(Rows.values(found.column(column), count))
                .isEqualTo(Rows.column(rows.subList(from, from + count), column));
    }

    @Test
    void anImageMayLieAnywhereInABuffer() {
        List<@Nullable Object[]> rows =
                Rows.sorted(schema, Rows.random(schema, new Random(2), 300, 1 << 20, 5));
        ByteBuilder out = new ByteBuilder(0);
        out.putLong(1).putInt(2).putByte(3);
        int start = out.length();
        encode(rows, Encode.Choice.DICTIONARY, out);
        byte[] alone = encode(rows, Encode.Choice.DICTIONARY);
        assertThat(Arrays.copyOfRange(out.array(), start, out.length())).isEqualTo(alone);
        MemorySegment memory =
                MemorySegment.ofArray(out.array()).asSlice(start, out.length() - start);
        check(rows, SegmentReader.open(schema, memory, "s"));
    }

    @Test
    void aSliceOfABatchIsEncodedAsIfItWereAlone() {
        List<@Nullable Object[]> rows =
                Rows.sorted(schema, Rows.random(schema, new Random(3), 3000, 1 << 20, 20));
        ByteBuilder out = new ByteBuilder(0);
        Encode.Choice[] choices = choices(Encode.Choice.DICTIONARY);
        new Encode(schema).run(Rows.batch(schema, rows), 77, 2001, choices, true, IDENTITY, out);
        assertThat(out.toByteArray())
                .isEqualTo(encode(rows.subList(77, 2001), Encode.Choice.DICTIONARY));
    }

    @ParameterizedTest
    @EnumSource(Encode.Choice.class)
    void lowerBoundFindsTheFirstRowThatIsNotLess(Encode.Choice choice) {
        for (TableSchema keyed :
                List.of(
                        schema,
                        Rows.stringKeySchema(),
                        Rows.descendingKeySchema(),
                        Rows.scaledKeySchema())) {
            Random random = new Random(4);
            List<@Nullable Object[]> rows =
                    Rows.sorted(keyed, Rows.random(keyed, random, 9000, 3000, 5));
            SegmentReader reader =
                    SegmentReader.open(
                            keyed, MemorySegment.ofArray(encode(keyed, rows, choice)), "s");
            List<byte[]> keys = reader.keys(0, rows.size(), 1);
            List<byte[]> rowKeys = Rows.keys(keyed, rows);
            List<@Nullable Object[]> probes = Rows.random(keyed, random, 60, 3300, 0);
            probes.addAll(rows.subList(0, 20));
            probes.addAll(rows.subList(8980, 9000));
            for (@Nullable Object[] probe : probes) {
                byte[] key = Rows.key(keyed, probe);
                long expected =
                        rowKeys.stream()
                                .takeWhile(row -> Arrays.compareUnsigned(row, key) < 0)
                                .count();
                assertThat(reader.lowerBound(key)).isEqualTo(expected);
                byte[] begun = Arrays.copyOf(key, random.nextInt(key.length));
                assertThat(reader.lowerBound(begun)).isEqualTo(rowsBefore(keys, begun));
            }
            assertThat(reader.lowerBound(new byte[0])).isZero();
            assertThat(reader.firstKey()).isEqualTo(Rows.key(keyed, rows.getFirst()));
            assertThat(reader.lastKey()).isEqualTo(Rows.key(keyed, rows.getLast()));
        }
    }

    /**
     * What is known of places in a block of one segment says nothing of the same block elsewhere.
     */
    @ParameterizedTest
    @EnumSource(Encode.Choice.class)
    void oneKeyReaderSearchesSeveralSegmentsInTurn(Encode.Choice choice) {
        TableSchema keyed = Rows.textKeySchema(false);
        Random random = new Random(6);
        List<SegmentReader> readers = new ArrayList<>();
        for (int segment = 0; segment < 3; segment++) {
            List<@Nullable Object[]> rows = Rows.random(keyed, random, 5000, 1 << 30, 5);
            for (@Nullable Object[] row : rows) {
                String longer = "x".repeat(random.nextInt(10 * segment + 1));
                row[1] = (random.nextInt(1_000_000) + longer).getBytes(UTF_8);
            }
            byte[] image = encode(keyed, Rows.sorted(keyed, rows), choice);
            readers.add(SegmentReader.open(keyed, MemorySegment.ofArray(image), "s" + segment));
        }
        KeyReader lent = new KeyReader(readers.getFirst());
        for (int i = 0; i < 600; i++) {
            SegmentReader reader = readers.get(random.nextInt(3));
            byte[] key = readers.get(random.nextInt(3)).key(random.nextInt(5000));
            assertThat(reader.lowerBound(key, lent)).isEqualTo(reader.lowerBound(key));
            long row = reader.lowerBound(key);
            assertThat(row == 0 || Arrays.compareUnsigned(reader.key(row - 1), key) < 0).isTrue();
        }
    }

    private void check(List<@Nullable Object[]> rows, SegmentReader reader) {
        assertThat(reader.rowCount()).isEqualTo(rows.size());
        assertThat(reader.identity()).isEqualTo(IDENTITY);
        assertThat(reader.sorted()).isTrue();
        reader.verify();
        SegmentChecksum fromRows = new SegmentChecksum(schema);
        fromRows.add(Rows.batch(schema, rows));
        SegmentChecksum fromSegment = new SegmentChecksum(schema);
        fromSegment.add(reader);
        assertThat(fromSegment.columns()).isEqualTo(fromRows.columns());
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 0);
        ColumnBatch single = ColumnBatch.forColumns(schema.columns(), 0);
        Random random = new Random(5);
        for (int column = 0; column < schema.columnCount(); column++) {
            int row = 0;
            for (int block = 0; block < reader.blockCount(); block++) {
                assertThat(reader.blockStartRow(block)).isEqualTo(row);
                reader.read(column, block, batch.column(column), row);
                row += reader.blockRows(block);
            }
            List<@Nullable Object> expected = Rows.column(rows, column);
            assertThat(Rows.values(batch.column(column), rows.size())).isEqualTo(expected);
            long nulls = expected.stream().filter(value -> value == null).count();
            assertThat(reader.statistics(column).nullCount()).isEqualTo(nulls);
            for (int i = 0; i < 20 && !rows.isEmpty(); i++) {
                int at = random.nextInt(rows.size());
                single.clear();
                reader.readRow(column, at, single.column(column), 0);
                assertThat(Rows.values(single.column(column), 1)).containsExactly(expected.get(at));
            }
        }
        for (int i = 0; i < 20 && !rows.isEmpty(); i++) {
            checkRow(reader, rows, random.nextInt(rows.size()));
        }
    }

    /** Rows of which every second column is read, into a batch that has another row. */
    private void checkRow(SegmentReader reader, List<@Nullable Object[]> rows, int at) {
        ColumnBatch found = ColumnBatch.forColumns(schema.columns(), 1);
        int[] columns = IntStream.range(0, schema.columnCount()).filter(i -> i % 2 == 0).toArray();
        reader.readRow(columns, rows.size() - 1, found, 0);
        reader.readRow(columns, at, found, 0);
        for (int column : columns) {
            assertThat(Rows.values(found.column(column), 1))
                    .isEqualTo(Rows.column(rows.subList(at, at + 1), column));
        }
    }

    /** How many of the keys, which ascend, are less. */
    private static long rowsBefore(List<byte[]> keys, byte[] key) {
        return keys.stream().takeWhile(other -> Arrays.compareUnsigned(other, key) < 0).count();
    }

    private Encode.Choice[] choices(Encode.Choice choice) {
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, choice);
        return choices;
    }

    private byte[] encode(List<@Nullable Object[]> rows, Encode.Choice choice) {
        return encode(schema, rows, choice);
    }

    private byte[] encode(TableSchema keyed, List<@Nullable Object[]> rows, Encode.Choice choice) {
        ByteBuilder out = new ByteBuilder(0);
        encode(keyed, rows, choice, out);
        return out.toByteArray();
    }

    private void encode(List<@Nullable Object[]> rows, Encode.Choice choice, ByteBuilder out) {
        encode(schema, rows, choice, out);
    }

    private void encode(
            TableSchema keyed,
            List<@Nullable Object[]> rows,
            Encode.Choice choice,
            ByteBuilder out) {
        ColumnBatch batch = Rows.batch(keyed, rows);
        new Encode(keyed).run(batch, 0, rows.size(), choices(choice), true, IDENTITY, out);
    }
}
