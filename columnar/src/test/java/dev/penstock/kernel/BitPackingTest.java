package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

class BitPackingTest {
    private static final int[] COUNTS = {
        0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 8191, 8192
    };

    @Test
    void everyWidthComesBackAtEveryBorderOfLanes() {
        Random random = new Random(7);
        for (int bits = 0; bits <= 64; bits++) {
            for (int count : COUNTS) {
                long base = random.nextLong();
                long[] values = longs(random, bits, count, base);
                byte[] packed = pack(values, base, bits, 5);
                for (int first = 0; first <= Math.min(count, 19); first++) {
                    long[] out = new long[count - first + 2];
                    BitPacking.unpack(packed, 5, first, count - first, bits, base, out, 1);
                    assertThat(Arrays.copyOfRange(out, 1, count - first + 1))
                            .as("%s bits, %s values from %s", bits, count, first)
                            .isEqualTo(Arrays.copyOfRange(values, first, count));
                    assertThat(out[count - first + 1]).isZero();
                }
            }
        }
    }

    @Test
    void intsPackAndUnpackAsLongsDo() {
        Random random = new Random(8);
        for (int bits = 0; bits <= 31; bits++) {
            for (int count : COUNTS) {
                long[] values = longs(random, bits, count, 0);
                int[] ints = Arrays.stream(values).mapToInt(value -> (int) value).toArray();
                byte[] expected = pack(values, 0, bits, 0);
                int length = (int) BitPacking.packedBytes(count, bits);
                byte[] packed = new byte[length + BitPacking.PACK_SLACK];
                BitPacking.pack(ints, 0, count, bits, packed, 0);
                packed = Arrays.copyOf(packed, length);
                assertThat(packed).isEqualTo(expected);
                for (int first = 0; first <= Math.min(count, 17); first++) {
                    int[] out = new int[count - first];
                    BitPacking.unpack(packed, 0, first, count - first, bits, out, 0);
                    assertThat(out).isEqualTo(Arrays.copyOfRange(ints, first, count));
                }
            }
        }
    }

    @Test
    void scalarAndVectorFormsAgree() {
        Random random = new Random(9);
        for (int bits = 1; bits <= BitPacking.MAX_SINGLE_LOAD_BITS; bits++) {
            long[] values = longs(random, bits, 777, 3);
            byte[] packed = pack(values, 3, bits, 0);
            long[] scalar = new long[777];
            ScalarPacking.unpack(packed, 0, 0, 777, bits, 3, scalar, 0);
            assertThat(scalar).isEqualTo(values);
            if (VectorKernels.AVAILABLE) {
                long[] vector = new long[777];
                int done = VectorBitPacking.unpack(packed, 0, 0, 777, bits, 3, vector, 0);
                assertThat(done).isPositive();
                assertThat(Arrays.copyOf(vector, done)).isEqualTo(Arrays.copyOf(values, done));
            }
        }
    }

    @Test
    void scalarAndVectorFormsPackAlike() {
        Random random = new Random(11);
        for (int bits = 1; bits <= VectorPacking.MAX_LONG_BITS; bits++) {
            for (int count : COUNTS) {
                long base = random.nextLong();
                long[] values = longs(random, bits, count, base);
                int length = (int) BitPacking.packedBytes(count, bits);
                byte[] scalar = new byte[3 + length + BitPacking.PACK_SLACK];
                ScalarPacking.pack(values, 0, count, base, bits, scalar, 3);
                byte[] either = new byte[3 + length + BitPacking.PACK_SLACK];
                BitPacking.pack(values, 0, count, base, bits, either, 3);
                assertThat(Arrays.copyOf(either, 3 + length))
                        .as("%s longs of %s bits", count, bits)
                        .isEqualTo(Arrays.copyOf(scalar, 3 + length));
            }
        }
    }

    @Test
    void intsBeyondABasePackAndUnpackInBothForms() {
        Random random = new Random(12);
        for (int bits = 1; bits <= 31; bits++) {
            for (int count : COUNTS) {
                int base = random.nextInt();
                long[] distances = longs(random, bits, count, 0);
                int[] values = new int[count + 3];
                for (int i = 0; i < count; i++) {
                    values[i + 3] = base + (int) distances[i];
                }
                byte[] expected = pack(distances, 0, bits, 1);
                byte[] scalar = new byte[expected.length + BitPacking.PACK_SLACK];
                ScalarPacking.pack(values, 3, count, base, bits, scalar, 1);
                assertThat(Arrays.copyOf(scalar, expected.length)).isEqualTo(expected);
                byte[] either = new byte[expected.length + BitPacking.PACK_SLACK];
                BitPacking.pack(values, 3, count, base, bits, either, 1);
                assertThat(Arrays.copyOf(either, expected.length)).isEqualTo(expected);
                for (int first = 0; first <= Math.min(count, 17); first++) {
                    int[] wanted = Arrays.copyOfRange(values, 3 + first, 3 + count);
                    int[] out = new int[count - first];
                    ScalarPacking.unpack(expected, 1, first, count - first, bits, base, out, 0);
                    assertThat(out).isEqualTo(wanted);
                    Arrays.fill(out, 7);
                    BitPacking.unpack(expected, 1, first, count - first, bits, base, out, 0);
                    assertThat(out).isEqualTo(wanted);
                }
            }
        }
    }

    @Test
    void oneValueIsFoundWithoutTheOthers() {
        Random random = new Random(10);
        for (int bits = 0; bits <= 64; bits++) {
            long[] values = longs(random, bits, 100, 0);
            byte[] packed = pack(values, 0, bits, 3);
            MemorySegment memory = MemorySegment.ofArray(packed);
            for (int i = 0; i < 100; i++) {
                assertThat(BitPacking.get(packed, 3, i, bits)).isEqualTo(values[i]);
                assertThat(BitPacking.get(memory, 3, i, bits)).isEqualTo(values[i]);
            }
        }
    }

    @Test
    void unusedBitsOfTheLastByteAreZero() {
        byte[] packed = pack(new long[] {7, 7, 7}, 0, 3, 0);
        assertThat(packed).containsExactly(0xFF, 0x01);
    }

    @Test
    void widthIsThatOfTheLargestValue() {
        assertThat(BitPacking.bitsFor(0)).isZero();
        assertThat(BitPacking.bitsFor(1)).isEqualTo(1);
        assertThat(BitPacking.bitsFor(255)).isEqualTo(8);
        assertThat(BitPacking.bitsFor(256)).isEqualTo(9);
        assertThat(BitPacking.bitsFor(-1)).isEqualTo(64);
    }

    private static long[] longs(Random random, int bits, int count, long base) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            long value = bits == 0 ? 0 : random.nextLong() >>> (64 - bits);
            values[i] = base + (random.nextInt(8) == 0 && bits > 0 ? -1L >>> (64 - bits) : value);
        }
        return values;
    }

    /** Exactly the packed bytes, after {@code at} others. */
    private static byte[] pack(long[] values, long base, int bits, int at) {
        int length = (int) BitPacking.packedBytes(values.length, bits);
        byte[] out = new byte[at + length + BitPacking.PACK_SLACK];
        BitPacking.pack(values, 0, values.length, base, bits, out, at);
        return Arrays.copyOf(out, at + length);
    }
}
