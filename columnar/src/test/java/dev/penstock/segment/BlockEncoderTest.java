package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** What is found the short way is what the long way finds. */
class BlockEncoderTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final int[] ROWS = {1, 2, 63, 64, 65, 127, 128, 1000, 8192};

    private final Random random = new Random(23);
    private final BlockEncoder encoder = new BlockEncoder();

    @Test
    void codesThatAllOccurMakeTheSameBlockAsAnyCodes() {
        for (int rows : ROWS) {
            for (int nullsOfTen : new int[] {0, 1, 9}) {
                int first = random.nextInt(70);
                long[] words = nullsOfTen == 0 ? new long[0] : validity(first + rows, nullsOfTen);
                int size = 1 + random.nextInt(20);
                int[] codes = new int[rows];
                int next = 0;
                for (int row = 0; row < rows; row++) {
                    codes[row] = isValid(words, first + row) ? next++ % size : size / 2;
                }
                int occurring = Math.min(next, size);
                if (occurring < size) {
                    continue;
                }
                ByteBuilder expected = new ByteBuilder(64);
                ByteBuilder actual = new ByteBuilder(64);
                int bits = BitPacking.bitsFor(size - 1L);
                EncodedBlock any = encoder.codes(codes, 0, rows, words, first, bits, expected);
                EncodedBlock all = encoder.allCodes(codes, rows, words, first, size, actual);
                assertThat(all).isEqualTo(any);
                assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
            }
        }
    }

    @Test
    void anyNumbersHaveTheirRangeAndComeBack() {
        long[][] corners = {
            {0, Integer.MAX_VALUE},
            {0, 1L << 31},
            {0, (1L << 32) - 1},
            {Integer.MIN_VALUE, Integer.MAX_VALUE},
            {Long.MAX_VALUE - 5, Long.MAX_VALUE},
            {Long.MIN_VALUE, Long.MIN_VALUE + 9},
            {Long.MIN_VALUE, Long.MAX_VALUE},
            {7, 7}
        };
        for (int rows : ROWS) {
            for (int nullsOfTen : new int[] {0, 1, 9, 10}) {
                for (long[] corner : corners) {
                    comesBack(numbers(rows, corner), rows, nullsOfTen);
                }
            }
        }
    }

    @Test
    void numbersThatAreWorthItAreScaled() {
        ColumnType time = new ColumnType.TimestampType();
        ColumnType real = new ColumnType.RealType();
        ColumnType number = new ColumnType.DoubleType();
        for (int rows : new int[] {1300, 2048, 8192}) {
            for (int nullsOfTen : new int[] {0, 1}) {
                long[] words = nullsOfTen == 0 ? new long[0] : validity(rows, nullsOfTen);
                byte multiples = SegmentFormat.BLOCK_MULTIPLES;
                byte decimals = SegmentFormat.BLOCK_DECIMALS;
                byte packed = SegmentFormat.BLOCK_PACKED;
                check(time, values(rows, i -> 1_000_000L * i * i), words, multiples);
                check(time, values(rows, i -> -86_400_000_000L * i), words, multiples);
                check(
                        BIGINT,
                        values(rows, i -> Long.MIN_VALUE + ((long) i << 40)),
                        words,
                        multiples);
                check(time, values(rows, i -> 1_000_000L * i * i + 1), words, packed);
                check(BIGINT, values(rows, i -> 2L * random.nextInt(1 << 20)), words, packed);
                check(number, values(rows, i -> ordered(i / 8.0)), words, decimals);
                check(number, values(rows, i -> ordered((i - 40) / 1000.0)), words, decimals);
                check(number, values(rows, i -> ordered(random.nextDouble())), words, packed);
                check(number, values(rows, i -> ordered(0.0 - i)), words, decimals);
                check(number, values(rows, i -> ordered(i % 700 == 699 ? -0.0 : i)), words, packed);
                check(real, values(rows, i -> ordered((i - 40) / 10f)), words, decimals);
                check(
                        real,
                        values(rows, i -> ordered((1 + random.nextFloat()) * 1e-18f)),
                        words,
                        multiples);
            }
        }
    }

    @Test
    void fewOrEqualNumbersAreNotScaled() {
        long[] none = new long[0];
        byte packed = SegmentFormat.BLOCK_PACKED;
        for (int rows : new int[] {64, 1000, 1023}) {
            check(BIGINT, values(rows, i -> 1_000_000L * i * i), none, packed);
            check(
                    new ColumnType.DoubleType(),
                    values(rows, i -> ordered(1 + i / 8.0)),
                    none,
                    packed);
        }
        check(BIGINT, values(1024, i -> 1_000_000L), none, packed);
        check(BIGINT, values(1024, i -> 0), none, packed);
        check(new ColumnType.DoubleType(), values(1024, i -> ordered(0.5)), none, packed);
        check(BIGINT, values(1024, i -> 1_000_000L * i), new long[16], packed);
    }

    /** Of two decimals, the greatest of which is the nearest float to several. */
    @Test
    void blocksOfFloatsThatAreDecimalsOfManyDigitsAreRead() {
        ColumnType real = new ColumnType.RealType();
        TableSchema schema =
                TableSchema.declare(
                        "t",
                        List.of(new Column("a", real, false)),
                        List.of(new KeyColumn(0, false)));
        long[] values = values(2000, i -> ordered(i == 77 ? 2_684_354.75f : (14 + i) / 100f));
        ByteBuilder out = new ByteBuilder(64);
        SegmentWriter writer = new SegmentWriter(schema, encoder);
        writer.begin(out, new SegmentIdentity(0, 0, 0), false);
        writer.beginBlock(values.length);
        writer.addInPlace(0, encoder.longs(values, 0, 2000, new long[0], 0, real, true, out), out);
        writer.finish();
        LongColumn back = new LongColumn(2000);
        SegmentReader.open(schema, MemorySegment.ofArray(out.toByteArray()), "s")
                .read(0, 0, back, 0);
        assertThat(back.values()).startsWith(values);
    }

    private static long[] values(int rows, IntToLongFunction value) {
        return IntStream.range(0, rows).mapToLong(value).toArray();
    }

    private static long ordered(double value) {
        return FloatOrder.toOrdered(value);
    }

    private void check(ColumnType type, long[] values, long[] words, byte encoding) {
        assertThat(comesBack(type, values, words).encoding()).isEqualTo(encoding);
    }

    /** Of distances from any of them, too. */
    @Test
    void distancesMakeTheBlockOfTheirValues() {
        ColumnType[] types = {BIGINT, new ColumnType.TimestampType(), new ColumnType.DoubleType()};
        long[] references = {0, 1, -7, 1_000_000, 1L << 32, ordered(1), ordered(-2.5)};
        int[] steps = {0, 1, 2, 10, 1000, 60_000, 1 << 20};
        for (int rows : ROWS) {
            for (ColumnType type : types) {
                for (long reference : references) {
                    for (int step : steps) {
                        long[] words = random.nextBoolean() ? new long[0] : validity(rows, 1);
                        int[] distances = new int[rows];
                        long[] values = new long[rows];
                        for (int row = 0; row < rows; row++) {
                            distances[row] = step * (random.nextInt(2000) - 1000);
                            values[row] = reference + distances[row];
                        }
                        ByteBuilder expected = new ByteBuilder(64);
                        ByteBuilder actual = new ByteBuilder(64);
                        assertThat(
                                        encoder.distances(
                                                distances, 0, rows, reference, words, 0, type,
                                                actual))
                                .isEqualTo(
                                        encoder.longs(
                                                values, 0, rows, words, 0, type, true, expected));
                        assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
                    }
                }
            }
        }
    }

    /** The values of distances that no row has may be beyond all numbers. */
    @Test
    void largeMultiplesAreFoundBetweenTheirBounds() {
        TableSchema schema =
                TableSchema.declare(
                        "t",
                        List.of(new Column("a", BIGINT, false)),
                        List.of(new KeyColumn(0, false)));
        long[][] ends = {
            {Long.MIN_VALUE, Long.MIN_VALUE + (1L << 50)},
            {Long.MAX_VALUE - (5L << 57), Long.MAX_VALUE - (1L << 30)},
            {-(1L << 61), 1L << 61}
        };
        for (long[] range : ends) {
            long[] values = values(8192, i -> random.nextLong(range[0], range[1]) >> 30 << 30);
            Arrays.sort(values);
            ByteBuilder out = new ByteBuilder(64);
            SegmentWriter writer = new SegmentWriter(schema, encoder);
            writer.begin(out, new SegmentIdentity(0, 0, 0), false);
            writer.beginBlock(values.length);
            EncodedBlock block = encoder.longs(values, 0, 8192, new long[0], 0, BIGINT, true, out);
            assertThat(block.encoding()).isEqualTo(SegmentFormat.BLOCK_MULTIPLES);
            writer.addInPlace(0, block, out);
            writer.finish();
            MemorySegment image = MemorySegment.ofArray(out.toByteArray());
            SegmentReader reader = SegmentReader.open(schema, image, "s");
            for (int i = 0; i < 8192; i += 1 + random.nextInt(500)) {
                for (int more : new int[] {-1, 0, 1}) {
                    long least = values[i] + more;
                    long expected = Arrays.stream(values).filter(v -> v >= least).count();
                    Predicate from =
                            new Predicate.Compare(
                                    0,
                                    Predicate.Operator.GREATER_OR_EQUAL,
                                    new Literal.LongLiteral(least));
                    SegmentScanner scanner =
                            new SegmentScanner(reader, KeyRange.ALL, new int[] {0}, from, false);
                    assertThat(scanner.count()).isEqualTo(expected);
                }
            }
        }
    }

    /** The corners and what lies between, but not farther from one of them than an int goes. */
    private long[] numbers(int rows, long[] corner) {
        long[] values = new long[rows];
        for (int row = 0; row < rows; row++) {
            long from = corner[random.nextInt(2)];
            long near = from + (random.nextBoolean() ? 0 : random.nextInt());
            values[row] = near < corner[0] || near > corner[1] ? from : near;
        }
        return values;
    }

    private void comesBack(long[] values, int rows, int nullsOfTen) {
        comesBack(BIGINT, values, nullsOfTen == 0 ? new long[0] : validity(rows, nullsOfTen));
    }

    private EncodedBlock comesBack(ColumnType type, long[] values, long[] words) {
        int rows = values.length;
        ByteBuilder out = new ByteBuilder(64);
        EncodedBlock block = encoder.longs(values, 0, rows, words, 0, type, true, out);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long[] back = new long[rows];
        BlockCursor cursor = new BlockCursor();
        cursor.openEncoded(block, rows, out.toByteArray(), 0);
        cursor.longs(0, rows, back, 0);
        for (int row = 0; row < rows; row++) {
            if (isValid(words, row)) {
                low = Math.min(low, values[row]);
                high = Math.max(high, values[row]);
                assertThat(back[row]).isEqualTo(values[row]);
            }
        }
        assertThat(block.min()).isEqualTo(low);
        assertThat(block.max()).isEqualTo(high);
        for (int first = 0; first < rows; first += 1 + random.nextInt(rows)) {
            int count = random.nextInt(rows - first) + 1;
            long[] part = new long[count];
            cursor.longs(first, count, part, 0);
            assertThat(part).isEqualTo(Arrays.copyOfRange(back, first, first + count));
        }
        return block;
    }

    @Test
    void headsOfABlockAreThoseOfItsValues() {
        for (int rows : ROWS) {
            for (int nullsOfTen : new int[] {0, 1, 9, 10}) {
                int first = random.nextInt(70);
                BytesColumn column = strings(first + rows);
                long[] words = nullsOfTen == 0 ? new long[0] : validity(first + rows, nullsOfTen);
                long low = Long.MAX_VALUE;
                long high = Long.MIN_VALUE;
                for (int row = first; row < first + rows; row++) {
                    if (isValid(words, row)) {
                        byte[] value = column.get(row);
                        long head = ByteStrings.orderedHead(value, 0, value.length);
                        low = Math.min(low, head);
                        high = Math.max(high, head);
                    }
                }
                int end = column.offsets()[first + rows];
                byte[] exact = Arrays.copyOf(column.data(), end);
                EncodedBlock block =
                        encoder.bytes(
                                column.offsets(),
                                exact,
                                first,
                                rows,
                                words,
                                first,
                                false,
                                new ByteBuilder(64));
                assertThat(block.min()).isEqualTo(low);
                assertThat(block.max()).isEqualTo(high);
            }
        }
    }

    private BytesColumn strings(int rows) {
        BytesColumn column = new BytesColumn(rows, 64);
        for (int row = 0; row < rows; row++) {
            byte[] value = new byte[random.nextInt(12)];
            random.nextBytes(value);
            column.append(row, value, 0, value.length);
        }
        return column;
    }

    private long[] validity(int rows, int nullsOfTen) {
        long[] words = new long[(rows + 63) / 64];
        for (int row = 0; row < rows; row++) {
            if (random.nextInt(10) >= nullsOfTen) {
                words[row >> 6] |= 1L << row;
            }
        }
        return words;
    }

    private static boolean isValid(long[] words, int row) {
        return words.length == 0 || (words[row >> 6] >>> row & 1) != 0;
    }
}
