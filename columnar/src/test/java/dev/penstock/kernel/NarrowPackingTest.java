package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class NarrowPackingTest {
    private static final int[] COUNTS = {0, 1, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000};

    @Test
    void bytesComeBackAtEveryBorderOfWords() {
        Random random = new Random(71);
        for (int bits = 0; bits <= NarrowPacking.MAX_BYTE_BITS; bits++) {
            int summand = random.nextInt(128 - (1 << bits) + 1);
            int limit = (1 << bits) - 1 + summand;
            for (int count : COUNTS) {
                int[] values = values(random, bits, count);
                byte[] packed = pack(values, bits, 5);
                for (int first = 0; first <= Math.min(count, 17); first++) {
                    byte[] out = new byte[count - first + 2];
                    boolean within =
                            NarrowPacking.unpackBytes(
                                    packed, 5, first, count - first, bits, summand, limit, out, 1);
                    assertThat(within).isTrue();
                    byte[] expected = new byte[out.length];
                    for (int i = first; i < count; i++) {
                        expected[1 + i - first] = (byte) (values[i] + summand);
                    }
                    assertThat(out)
                            .as("%s bits, %s values from %s", bits, count, first)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void shortsComeBackAtEveryBorderOfWords() {
        Random random = new Random(72);
        for (int bits = 0; bits <= NarrowPacking.MAX_SHORT_BITS; bits++) {
            int summand = random.nextInt((1 << 15) - (1 << bits) + 1);
            int limit = (1 << bits) - 1 + summand;
            for (int count : COUNTS) {
                int[] values = values(random, bits, count);
                byte[] packed = pack(values, bits, 5);
                for (int first = 0; first <= Math.min(count, 17); first++) {
                    byte[] out = new byte[2 * (count - first + 2)];
                    boolean within =
                            NarrowPacking.unpackShorts(
                                    packed, 5, first, count - first, bits, summand, limit, out, 1);
                    assertThat(within).isTrue();
                    int[] expected = new int[count - first + 2];
                    for (int i = first; i < count; i++) {
                        expected[1 + i - first] = values[i] + summand;
                    }
                    assertThat(shorts(out))
                            .as("%s bits, %s values from %s", bits, count, first)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void oneValueAboveTheLimitIsNoticedWhereverItIs() {
        Random random = new Random(73);
        for (int bits = 1; bits <= NarrowPacking.MAX_SHORT_BITS; bits++) {
            int limit = random.nextInt((1 << bits) - 1);
            for (int at = 0; at < 29; at++) {
                int[] values = random.ints(29, 0, limit + 1).toArray();
                assertThat(areWithin(values, bits, limit)).isTrue();
                values[at] = limit + 1 + random.nextInt((1 << bits) - 1 - limit);
                assertThat(areWithin(values, bits, limit))
                        .as("%s bits, value %s", bits, at)
                        .isFalse();
            }
        }
    }

    private static boolean areWithin(int[] values, int bits, int limit) {
        byte[] packed = pack(values, bits, 0);
        int count = values.length - 1;
        boolean within =
                NarrowPacking.unpackShorts(
                        packed, 0, 0, values.length, bits, 0, limit, new byte[2 * count + 2], 0);
        if (bits <= NarrowPacking.MAX_BYTE_BITS) {
            assertThat(
                            NarrowPacking.unpackBytes(
                                    packed,
                                    0,
                                    0,
                                    count + 1,
                                    bits,
                                    0,
                                    limit,
                                    new byte[count + 1],
                                    0))
                    .isEqualTo(within);
        }
        return within;
    }

    @Test
    void valuesThatMayNeedMoreThanALaneHasAreLeft() {
        byte[] packed = pack(new int[] {1, 2, 3}, 8, 0);
        byte[] out = new byte[6];
        assertThat(NarrowPacking.unpackBytes(packed, 0, 0, 3, 8, 0, 127, out, 0)).isFalse();
        assertThat(NarrowPacking.unpackBytes(packed, 0, 0, 3, 7, 1, 127, out, 0)).isFalse();
        assertThat(NarrowPacking.unpackBytes(packed, 0, 0, 3, 7, -1, 127, out, 0)).isFalse();
        assertThat(NarrowPacking.unpackShorts(packed, 0, 0, 1, 16, 0, 32767, out, 0)).isFalse();
        assertThat(NarrowPacking.unpackShorts(packed, 0, 0, 1, 8, 32513, 32767, out, 0)).isFalse();
        assertThat(out).containsOnly(0);
        assertThat(NarrowPacking.unpackShorts(packed, 0, 0, 3, 8, 32512, 32767, out, 0)).isTrue();
        assertThat(shorts(out)).containsExactly(32513, 32514, 32515);
    }

    @Test
    void shortsPackAsIntsDo() {
        Random random = new Random(74);
        for (int bits = 0; bits <= NarrowPacking.MAX_SHORT_BITS; bits++) {
            for (int count : COUNTS) {
                int[] values = values(random, bits, count);
                byte[] lanes = new byte[2 * count + 6];
                for (int i = 0; i < count; i++) {
                    ByteAccess.putShort(lanes, 2 * (i + 3), values[i]);
                }
                byte[] expected = pack(values, bits, 4);
                byte[] out = new byte[expected.length + BitPacking.PACK_SLACK];
                NarrowPacking.packShorts(lanes, 3, count, bits, out, 4);
                assertThat(Arrays.copyOf(out, expected.length))
                        .as("%s values of %s bits", count, bits)
                        .isEqualTo(expected);
            }
        }
    }

    /** The lowest and the highest value among them more often than by chance. */
    private static int[] values(Random random, int bits, int count) {
        int all = (1 << bits) - 1;
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            int value = random.nextInt() & all;
            values[i] = random.nextInt(4) == 0 ? all : random.nextInt(4) == 0 ? 0 : value;
        }
        return values;
    }

    private static int[] shorts(byte[] lanes) {
        int[] values = new int[lanes.length / 2];
        Arrays.setAll(values, i -> ByteAccess.getShort(lanes, 2 * i));
        return values;
    }

    /** Exactly the packed bytes, after {@code at} others. */
    private static byte[] pack(int[] values, int bits, int at) {
        int length = (int) BitPacking.packedBytes(values.length, bits);
        byte[] out = new byte[at + length + BitPacking.PACK_SLACK];
        BitPacking.pack(values, 0, values.length, bits, out, at);
        return Arrays.copyOf(out, at + length);
    }
}
