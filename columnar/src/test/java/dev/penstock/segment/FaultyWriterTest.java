package dev.penstock.segment;

import static dev.penstock.segment.FaultySegments.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.LongDictionary;
import dev.penstock.kernel.BitPacking;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Segments whose checksums are right and whose content is not, as only a faulty writer makes them.
 */
class FaultyWriterTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final TableSchema SCHEMA =
            TableSchema.declare(
                    "t",
                    List.of(new Column("a", new ColumnType.BigIntType(), false)),
                    List.of(new KeyColumn(0, false)));
    private static final TableSchema DOUBLES =
            TableSchema.declare(
                    "t",
                    List.of(new Column("a", new ColumnType.DoubleType(), false)),
                    List.of(new KeyColumn(0, false)));
    private static final LongDictionary ENTRIES = new LongDictionary(new long[] {10, 20, 30});

    private static final int SCALED_ROWS = 1024;

    private final BlockCursor cursor = new BlockCursor();

    @Test
    void aCodeBeyondTheDictionaryIsRefusedWhateverWasReadBefore() {
        SegmentReader unread = codes(3, 0, 2);
        cursor.open(unread, 0, 0);
        refused(() -> cursor.packed(new PackedBlock()), "has the code 3 of 3 entries");
        SegmentReader read = codes(3, 0, 2);
        BlockCursor other = new BlockCursor();
        other.open(read, 0, 0);
        long[] values = new long[1];
        other.longs(1, 1, values, 0);
        assertThat(values).containsExactly(20);
        cursor.open(read, 0, 0);
        refused(() -> cursor.packed(new PackedBlock()), "has the code 3 of 3 entries");
        refused(() -> cursor.packed(new PackedBlock()), "has the code 3 of 3 entries");
    }

    @Test
    void codesThatAreAllEntriesAreNot() {
        SegmentReader read = codes(2, 0, 2);
        cursor.open(read, 0, 0);
        cursor.packed(new PackedBlock());
        cursor.packed(new PackedBlock());
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "-1, 2", "2, 1"})
    void boundsOfCodesThatAreNoneAreRefused(long min, long max) {
        refused(() -> codes(2, min, max), "impossible bounds of a block in column a");
    }

    @ParameterizedTest
    @CsvSource({"101, 163", "99, 163", "100, 131", "100, 164", "100, 1000"})
    void boundsThatPackedValuesCannotHaveAreRefused(long min, long max) {
        SegmentReader reader = distances(min, max);
        refused(() -> cursor.open(reader, 0, 0), "block 0 has bounds that its values do not have");
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void valuesThatATypeDoesNotHaveAreRefused(ColumnType type, long smallest, long largest) {
        TableSchema schema =
                TableSchema.declare(
                        "t",
                        List.of(new Column("a", type, false)),
                        List.of(new KeyColumn(0, false)));
        for (long value : new long[] {smallest, largest}) {
            SegmentReader reader = constant(schema, value, null);
            cursor.open(reader, 0, 0);
            long[] read = new long[3];
            cursor.longs(0, 3, read, 0);
            assertThat(read).containsOnly(value);
            LongDictionary entries = new LongDictionary(new long[] {value});
            assertThat(constant(schema, 0, entries).dictionary(0))
                    .isInstanceOfSatisfying(
                            LongDictionary.class,
                            found -> assertThat(found.values()).containsExactly(value));
        }
        for (long value : new long[] {smallest - 1, largest + 1}) {
            refused(() -> constant(schema, value, null), "values from " + value);
            LongDictionary entries = new LongDictionary(new long[] {value});
            SegmentReader reader = constant(schema, 0, entries);
            refused(() -> reader.dictionary(0), "has values that the column's type does not have");
        }
    }

    static Stream<Arguments> ranges() {
        return Stream.of(
                Arguments.of(new ColumnType.BooleanType(), 0L, 1L),
                Arguments.of(new ColumnType.SmallIntType(), -32768L, 32767L),
                Arguments.of(new ColumnType.IntegerType(), -(1L << 31), (1L << 31) - 1),
                Arguments.of(new ColumnType.DateType(), -(1L << 31), (1L << 31) - 1),
                Arguments.of(new ColumnType.DecimalType(5, 2), -99_999L, 99_999L),
                Arguments.of(new ColumnType.TimeType(), 0L, 86_399_999_999L));
    }

    /** Three values that are the same; codes if there is a dictionary. */
    private static SegmentReader constant(
            TableSchema schema, long value, @Nullable LongDictionary entries) {
        ByteBuilder block = new ByteBuilder(64);
        long[] values = {value, value, value};
        BlockEncoder encoder = new BlockEncoder();
        EncodedBlock encoded =
                entries == null
                        ? encoder.longs(values, 0, 3, new long[0], 0, BIGINT, true, block)
                        : encoder.codes(new int[3], 0, 3, new long[0], 0, 0, block);
        ByteBuilder out = new ByteBuilder(1024);
        SegmentWriter writer = new SegmentWriter(schema, encoder);
        writer.begin(out, new SegmentIdentity(0, 0, 0), false);
        if (entries != null) {
            writer.dictionary(0, entries);
        }
        writer.beginBlock(3);
        writer.add(0, encoded, block.array(), 0);
        writer.finish();
        return SegmentReader.open(schema, MemorySegment.ofArray(out.toByteArray()), "faulty");
    }

    @Test
    void boundsThatPackedValuesHaveAreNot() {
        cursor.open(distances(100, 163), 0, 0);
        assertThat(cursor.base()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({
        "1001000, 1630000",
        "999000, 1630000",
        "1000000, 1310000",
        "1000000, 1630001",
        "1000000, 9000000"
    })
    void boundsThatMultiplesCannotHaveAreRefused(long min, long max) {
        SegmentReader reader = multiples(min, max);
        refused(() -> cursor.open(reader, 0, 0), "block 0 has bounds that its values do not have");
    }

    @Test
    void boundsThatMultiplesHaveAreNot() {
        long[] values = new long[SCALED_ROWS];
        cursor.open(multiples(1_000_000, 1_630_000), 0, 0);
        cursor.longs(0, SCALED_ROWS, values, 0);
        assertThat(values).startsWith(1_000_000, 1_420_000, 1_630_000, 1_000_000);
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "63, 1", "1, 28", "40, 20"})
    void divisorsThatThereAreNotAreRefused(int shift, int fives) {
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded = multiples(block);
        block.array()[0] = (byte) shift;
        block.array()[1] = (byte) fives;
        SegmentReader reader = segment(encoded, block, 1_000_000, 1_630_000, false);
        refused(() -> cursor.open(reader, 0, 0), "block 0 has an impossible scale");
    }

    @Test
    void decimalsAreNoWholeNumbers() {
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded = multiples(block);
        EncodedBlock claimed =
                new EncodedBlock(SegmentFormat.BLOCK_DECIMALS, encoded.length(), 0, 0, 0, 0);
        refused(
                () -> segment(claimed, block, 0, 0, false),
                "block encoding " + SegmentFormat.BLOCK_DECIMALS + " in column a");
    }

    /** Places, flags, and bits. */
    @ParameterizedTest
    @CsvSource({"0, 23, scale", "1, 1, scale", "1, 2, scale", "10, 51, values of 51 bits"})
    void decimalsThatThereAreNotAreRefused(int at, int value, String what) {
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded = decimals(block);
        block.array()[at] = (byte) value;
        SegmentReader reader = segment(DOUBLES, encoded, block, ordered(1), ordered(1.63), false);
        refused(() -> cursor.open(reader, 0, 0), what);
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 49, -(1L << 49) - 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void numbersThatAreTooLargeForDecimalsAreRefused(long base) {
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded = decimals(block);
        ByteAccess.putLong(block.array(), Scale.BASE_AT, base);
        SegmentReader reader = segment(DOUBLES, encoded, block, ordered(1), ordered(1.63), false);
        refused(() -> cursor.open(reader, 0, 0), "impossible scale");
    }

    @ParameterizedTest
    @CsvSource({"1.01, 1.63", "0.99, 1.63", "1, 1.31", "1, 1.64", "1, 1.631", "1, 10"})
    void boundsThatDecimalsCannotHaveAreRefused(double min, double max) {
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded = decimals(block);
        SegmentReader reader = segment(DOUBLES, encoded, block, ordered(min), ordered(max), false);
        refused(() -> cursor.open(reader, 0, 0), "block 0 has bounds that its values do not have");
    }

    @Test
    void boundsThatDecimalsHaveAreNot() {
        ByteBuilder block = new ByteBuilder(64);
        EncodedBlock encoded = decimals(block);
        cursor.open(segment(DOUBLES, encoded, block, ordered(1), ordered(1.63), false), 0, 0);
        long[] values = new long[SCALED_ROWS];
        cursor.longs(0, SCALED_ROWS, values, 0);
        assertThat(values).startsWith(ordered(1), ordered(1.42), ordered(1.63), ordered(1));
    }

    /** 1, 1.42 and 1.63, again and again. */
    private static EncodedBlock decimals(ByteBuilder block) {
        long[] values = new long[SCALED_ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = ordered(List.of(1.0, 1.42, 1.63).get(i % 3));
        }
        ColumnType type = new ColumnType.DoubleType();
        EncodedBlock encoded =
                new BlockEncoder().longs(values, 0, SCALED_ROWS, new long[0], 0, type, true, block);
        assertThat(encoded.encoding()).isEqualTo(SegmentFormat.BLOCK_DECIMALS);
        return encoded;
    }

    private static long ordered(double value) {
        return FloatOrder.toOrdered(value);
    }

    private static SegmentReader multiples(long min, long max) {
        ByteBuilder block = new ByteBuilder(64);
        return segment(multiples(block), block, min, max, false);
    }

    /** 100, 142 and 163 times 10,000, again and again. */
    private static EncodedBlock multiples(ByteBuilder block) {
        long[] values = new long[SCALED_ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = List.of(1_000_000L, 1_420_000L, 1_630_000L).get(i % 3);
        }
        EncodedBlock encoded =
                new BlockEncoder()
                        .longs(values, 0, SCALED_ROWS, new long[0], 0, BIGINT, true, block);
        assertThat(encoded.encoding()).isEqualTo(SegmentFormat.BLOCK_MULTIPLES);
        return encoded;
    }

    /** A block of the codes 0, 1 and another one, with these bounds. */
    private static SegmentReader codes(int last, long min, long max) {
        ByteBuilder block = new ByteBuilder(64);
        int bits = BitPacking.bitsFor(3);
        EncodedBlock encoded =
                new BlockEncoder().codes(new int[] {0, 1, last}, 0, 3, new long[0], 0, bits, block);
        return segment(encoded, block, min, max, true);
    }

    /** A block of the values 100, 142 and 163, with these bounds. */
    private static SegmentReader distances(long min, long max) {
        ByteBuilder block = new ByteBuilder(64);
        long[] values = {100, 142, 163};
        EncodedBlock encoded =
                new BlockEncoder().longs(values, 0, 3, new long[0], 0, BIGINT, true, block);
        assertThat(encoded.encoding()).isEqualTo(SegmentFormat.BLOCK_PACKED);
        return segment(encoded, block, min, max, false);
    }

    private static SegmentReader segment(
            EncodedBlock block, ByteBuilder bytes, long min, long max, boolean dictionary) {
        return segment(SCHEMA, block, bytes, min, max, dictionary);
    }

    private static SegmentReader segment(
            TableSchema schema,
            EncodedBlock block,
            ByteBuilder bytes,
            long min,
            long max,
            boolean dictionary) {
        ByteBuilder out = new ByteBuilder(1024);
        SegmentWriter writer = new SegmentWriter(schema, new BlockEncoder());
        writer.begin(out, new SegmentIdentity(0, 0, 0), false);
        if (dictionary) {
            writer.dictionary(0, ENTRIES);
        }
        writer.beginBlock(Scale.isScaled(block.encoding()) ? SCALED_ROWS : 3);
        EncodedBlock possible = new EncodedBlock(block.encoding(), block.length(), 0, 0, 0, 0);
        writer.add(0, possible, bytes.array(), 0);
        writer.finish();
        byte[] image = out.toByteArray();
        claim(image, min, max, dictionary);
        return SegmentReader.open(schema, MemorySegment.ofArray(image), "faulty");
    }

    /** Puts the bounds into the reference to the only block, where {@link SegmentFormat} says. */
    private static void claim(byte[] image, long min, long max, boolean dictionary) {
        int trailer = image.length - SegmentFormat.TRAILER_BYTES;
        int footer = (int) ByteAccess.getLong(image, trailer);
        int length = ByteAccess.getInt(image, trailer + 8);
        int at = footer + 24 + 22 + 16 + (dictionary ? 20 : 4) + 21;
        assertThat(ByteAccess.getLong(image, at)).isZero();
        ByteAccess.putLong(image, at, min);
        ByteAccess.putLong(image, at + 8, max);
        BlockChecksum checksum = new BlockChecksum();
        ByteAccess.putInt(image, trailer + 12, checksum.of(image, footer, length));
        ByteAccess.putInt(image, trailer + 20, checksum.of(image, trailer, 20));
    }
}
