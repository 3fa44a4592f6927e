package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class CodeKernelsTest {
    private static final long SEED = 43L;

    /** Lengths around those of one copy and of two, and codes with the highest bit set. */
    @Test
    void rowsFollowEachOtherInTheirOrder() {
        Random random = new Random(SEED);
        int[] longestOf = {0, 1, 7, 8, 9, 15, 16, 17, 40};
        for (int round = 0; round < 900; round++) {
            int rows = 1 + random.nextInt(30);
            int longest = longestOf[round % longestOf.length];
            int[] offsets = new int[rows + 1];
            for (int i = 0; i < rows; i++) {
                offsets[i + 1] = offsets[i] + random.nextInt(longest + 1);
            }
            byte[] codes = new byte[2 * (offsets[rows] + CodeKernels.SLACK)];
            random.nextBytes(codes);
            int from = random.nextInt(3);
            int count = random.nextInt(40);
            int to = random.nextInt(3);
            int[] order = random.ints(from + count, 0, rows).toArray();
            int first = random.nextInt(20);
            int[] ends = new int[to + count + 1];
            ends[to] = first;
            byte[] expected = new byte[2 * (first + count * longest)];
            for (int i = 0; i < count; i++) {
                int row = order[from + i];
                int length = offsets[row + 1] - offsets[row];
                int at = ends[to + i];
                System.arraycopy(codes, 2 * offsets[row], expected, 2 * at, 2 * length);
                ends[to + i + 1] = at + length;
            }
            int last = ends[to + count];
            int[] foundEnds = new int[to + count + 1];
            foundEnds[to] = first;
            byte[] out = new byte[2 * (last + CodeKernels.SLACK)];
            CodeKernels.gather(offsets, codes, order, from, count, foundEnds, out, to);
            assertThat(foundEnds).as("seed %d", SEED).isEqualTo(ends);
            assertThat(Arrays.copyOf(out, 2 * last)).isEqualTo(Arrays.copyOf(expected, 2 * last));
        }
    }
}
