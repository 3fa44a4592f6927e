package dev.penstock.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class ByteAccessTest {
    private static final long SEED = 77;

    private final Random random = new Random(SEED);

    /** Ranges of equal and other lengths that have their first bytes, or all but one, in common. */
    @Test
    void rangesAreComparedAsTheJdkDoes() {
        for (int length = 0; length <= 70; length++) {
            for (int round = 0; round < 200; round++) {
                int leftFrom = random.nextInt(9);
                int rightFrom = random.nextInt(9);
                byte[] left = new byte[leftFrom + length];
                random.nextBytes(left);
                byte[] right = new byte[rightFrom + length];
                System.arraycopy(left, leftFrom, right, rightFrom, length);
                if (length > 0 && round % 4 > 0) {
                    right[rightFrom + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                }
                int leftTo = left.length - (round % 8 == 0 ? random.nextInt(length + 1) : 0);
                int rightTo = right.length - (round % 8 == 2 ? random.nextInt(length + 1) : 0);
                int expected =
                        Arrays.compareUnsigned(left, leftFrom, leftTo, right, rightFrom, rightTo);
                int order = ByteAccess.compare(left, leftFrom, leftTo, right, rightFrom, rightTo);
                assertThat(Integer.signum(order))
                        .as("seed %d, length %d, round %d", SEED, length, round)
                        .isEqualTo(Integer.signum(expected));
            }
        }
    }
}
