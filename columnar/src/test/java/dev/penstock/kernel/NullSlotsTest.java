package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Random;

/** Slots of NULLs get the filler and no other slot changes, whatever bits they begin at. */
class NullSlotsTest {
    @Test
    void fillsTheSlotsOfNullsOnly() {
        Random random = new Random(17);
        for (int round = 0; round < 3000; round++) {
            int firstBit = random.nextInt(130);
            int from = random.nextInt(70);
            int count = random.nextInt(200);
            long[] validity = new long[(firstBit + count + 63) / 64 + random.nextInt(2)];
            int density = random.nextInt(3);
            for (int i = 0; i < validity.length; i++) {
                validity[i] =
                        density == 0 ? -1 : density == 1 ? random.nextLong() : random.nextInt(4);
            }
            long[] longs = random.longs(from + count + 70).toArray();
            long[] expectedLongs = longs.clone();
            for (int i = 0; i < count; i++) {
                int bit = firstBit + i;
                if ((validity[bit >> 6] >>> bit & 1) == 0) {
                    expectedLongs[from + i] = Long.MIN_VALUE + round;
                }
            }
            if (validity.length == 0) {
                validity = new long[1];
            }
            NullSlots.fill(longs, from, count, validity, firstBit, Long.MIN_VALUE + round);
            assertThat(longs).isEqualTo(expectedLongs);
        }
    }
}
