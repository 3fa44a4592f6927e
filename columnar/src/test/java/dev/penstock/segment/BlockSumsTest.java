package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.LongDictionary;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ValueSums;
import dev.penstock.schema.ColumnType;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class BlockSumsTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final int[] ROWS = {1, 7, 63, 64, 65, 511, 512, 513, 1000, 8191, 8192};

    private final Random random = new Random(312);
    private final BlockSums sums = new BlockSums();
    private final BlockSums.Stage stage = new BlockSums.Stage();
    private final BlockEncoder encoder = new BlockEncoder();
    private final ByteBuilder out = new ByteBuilder(0);

    @Test
    void sumsOfABlockAreThoseOfTheValuesItWasMadeOf() {
        for (int rows : ROWS) {
            for (int nulls : new int[] {0, 3, 100}) {
                for (long span : new long[] {1, 100, 1L << 40, Long.MAX_VALUE}) {
                    LongColumn values = longs(rows, nulls, span);
                    assertThat(sum(encode(values, rows), rows)).isEqualTo(expected(values, rows));
                }
                for (int longest : new int[] {0, 1, 9, 60}) {
                    for (boolean compress : new boolean[] {false, true}) {
                        BytesColumn strings = strings(rows, nulls, longest);
                        assertThat(sum(encode(strings, rows, compress), rows))
                                .isEqualTo(expected(strings, rows));
                    }
                }
            }
        }
    }

    @Test
    void sumsOfCodesAreThoseOfTheirEntries() {
        for (int size : new int[] {1, 2, 3, 5, 16, 17, 33, 200, 1000, 4096}) {
            long[] entries = new Random(size).longs(size).sorted().toArray();
            for (int rows : ROWS) {
                for (int nulls : new int[] {0, 3, 100}) {
                    LongColumn values = longs(rows, nulls, size);
                    int[] codes = new int[rows];
                    long[] expected = new long[rows];
                    for (int i = 0; i < rows; i++) {
                        boolean isValid = values.validity().isValid(i);
                        codes[i] = isValid ? random.nextInt(size) : 0;
                        long hash = ValueSums.hash(entries[codes[i]]);
                        expected[i] = isValid ? hash : ValueSums.NULL_HASH;
                    }
                    out.clear();
                    int bits = BitPacking.bitsFor(size - 1L);
                    EncodedBlock block =
                            encoder.codes(codes, 0, rows, words(values.validity()), 0, bits, out);
                    sums.begin(new LongDictionary(entries), null);
                    for (int time = 0; time < 2; time++) {
                        assertThat(sums.of(block, rows, out.array(), 0, stage))
                                .isEqualTo(LongStream.of(expected).sum());
                    }
                }
            }
        }
    }

    @Test
    void aCodeThatIsNoEntryIsNoticed() {
        out.clear();
        EncodedBlock block = encoder.codes(new int[] {0, 5}, 0, 2, new long[0], 0, 3, out);
        sums.begin(new LongDictionary(new long[] {0, 1, 2, 3, 4}), null);
        assertThat(sums.of(block, 2, out.array(), 0, stage)).isNotEqualTo(ValueSums.hash(0L));
    }

    @Test
    void aFlippedBitOfABlockIsNoticed() {
        int rows = 512; // Fills the last byte of packed values, so that there is no padding.
        LongColumn values = longs(rows, 0, 1L << 16);
        noticesFlips(encode(values, rows), rows, expected(values, rows));
        BytesColumn strings = strings(rows, 0, 20);
        noticesFlips(encode(strings, rows, false), rows, expected(strings, rows));
    }

    private void noticesFlips(EncodedBlock block, int rows, long expected) {
        int bits = 8 * block.length();
        for (int bit = 0; bit < bits; bit++) {
            out.array()[bit >> 3] ^= (byte) (1 << (bit & 7));
            try {
                assertThat(sum(block, rows)).as("bit " + bit).isNotEqualTo(expected);
            } catch (PenstockException | IndexOutOfBoundsException e) {
                // Noticed before it was summed up.
                sums.begin(null, null);
            }
            out.array()[bit >> 3] ^= (byte) (1 << (bit & 7));
        }
        assertThat(sum(block, rows)).isEqualTo(expected);
    }

    private long sum(EncodedBlock block, int rows) {
        sums.begin(null, null);
        return sums.of(block, rows, out.array(), 0, stage);
    }

    /** Row by row, whatever the slots of NULLs hold. */
    private static long expected(ColumnData data, int rows) {
        ColumnSums one = new ColumnSums(1);
        one.addToColumn(0, data, IntStream.range(0, rows).toArray(), 0, rows);
        return one.column(0);
    }

    private EncodedBlock encode(LongColumn values, int rows) {
        out.clear();
        return encoder.longs(
                values.values(), 0, rows, words(values.validity()), 0, BIGINT, true, out);
    }

    private EncodedBlock encode(BytesColumn strings, int rows, boolean compress) {
        out.clear();
        return encoder.bytes(
                strings.offsets(),
                strings.data(),
                0,
                rows,
                words(strings.validity()),
                0,
                compress,
                out);
    }

    private static long[] words(Validity validity) {
        return validity.hasNulls() ? validity.words() : new long[0];
    }

    private LongColumn longs(int rows, int nulls, long span) {
        LongColumn column = new LongColumn(rows);
        for (int i = 0; i < rows; i++) {
            column.values()[i] = random.nextLong(span) - span / 3;
        }
        setNulls(column, rows, nulls);
        return column;
    }

    private BytesColumn strings(int rows, int nulls, int longest) {
        BytesColumn column = new BytesColumn(rows, 64);
        boolean[] isNull = new boolean[rows];
        for (int i = 0; i < rows; i++) {
            isNull[i] = nulls > 0 && random.nextInt(100) < nulls;
            byte[] text = new byte[isNull[i] ? 0 : random.nextInt(longest + 1)];
            for (int k = 0; k < text.length; k++) {
                text[k] = (byte) ('a' + random.nextInt(3));
            }
            column.append(i, text, 0, text.length);
        }
        for (int i = 0; i < rows; i++) {
            if (isNull[i]) {
                column.validity().setNull(i, rows);
            }
        }
        return column;
    }

    private void setNulls(ColumnData column, int rows, int percent) {
        for (int i = 0; i < rows && percent > 0; i++) {
            if (random.nextInt(100) < percent) {
                column.validity().setNull(i, rows);
            }
        }
    }
}
