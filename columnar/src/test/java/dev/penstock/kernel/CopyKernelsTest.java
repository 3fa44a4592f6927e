package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class CopyKernelsTest {
    private static final long SEED = 41L;

    @Test
    void allFormsGatherTheSameBytes() {
        Random random = new Random(SEED);
        byte[] text = new byte[1000 + CopyKernels.SLACK];
        random.nextBytes(text);
        int[] longestOf = {2, 9, 14, 17, 18, 33, 34, 64, 66, 200};
        for (int round = 0; round < 800; round++) {
            int count = random.nextInt(20);
            int shortest = round % 5 == 0 ? 1 : 0;
            int[] before = new int[count];
            int[] end = new int[count];
            int[] offsets = new int[count + 3];
            offsets[2] = 10;
            int longest = 0;
            boolean empty = false;
            for (int i = 0; i < count; i++) {
                int bound = longestOf[round % longestOf.length];
                int length = shortest + random.nextInt(bound - shortest);
                before[i] = random.nextInt(1000 - length) - 1;
                end[i] = before[i] + 1 + length;
                offsets[i + 3] = offsets[i + 2] + length;
                longest = Math.max(longest, length);
                empty |= length == 0;
            }
            int to = offsets[count + 2];
            assertThat(CopyKernels.totalLength(before, end, count)).isEqualTo(to - 10);
            byte[] expected = new byte[to];
            for (int i = 0; i < count; i++) {
                System.arraycopy(
                        text, before[i] + 1, expected, offsets[i + 2], end[i] - before[i] - 1);
            }
            for (int form = 0; form < 3; form++) {
                byte[] data = new byte[to + CopyKernels.SLACK];
                int[] found = new int[count + 3];
                found[2] = 10;
                if (form == 0) {
                    long lengths = CopyKernels.lengths(before, end, count);
                    int least = IntRange.low(lengths);
                    assertThat(IntRange.high(lengths)).isEqualTo(longest);
                    assertThat(least == 0).isEqualTo(empty);
                    CopyKernels.gather(text, before, end, count, data, found, 2, least, longest);
                } else if (form == 1) {
                    VectorCopy.gather(text, before, end, count, data, found, 2, longest);
                } else {
                    ScalarCopy.gather(text, before, end, count, data, found, 2, longest);
                }
                assertThat(found).as("seed %d, form %d", SEED, form).isEqualTo(offsets);
                assertThat(Arrays.copyOf(data, to)).isEqualTo(expected);
            }
        }
    }
}
