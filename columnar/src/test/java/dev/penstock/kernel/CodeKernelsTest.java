package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class CodeKernelsTest {
    private static final long SEED = 43L;

    /** Lengths around those of a vector and of two, and values with the highest bit set. */
    @Test
    void bothFormsGatherTheSameCodes() {
        Random random = new Random(SEED);
        int[] longestOf = {0, 1, 7, 8, 9, 15, 16, 17, 40};
        for (int round = 0; round < 900; round++) {
            int rows = 1 + random.nextInt(30);
            int longest = longestOf[round % longestOf.length];
            int[] offsets = new int[rows + 1];
            for (int i = 0; i < rows; i++) {
                offsets[i + 1] = offsets[i] + random.nextInt(longest + 1);
            }
            char[] codes = new char[offsets[rows] + CodeKernels.SLACK];
            for (int i = 0; i < codes.length; i++) {
                codes[i] = (char) random.nextInt(1 << 16);
            }
            int from = random.nextInt(3);
            int count = random.nextInt(40);
            int to = random.nextInt(3);
            int[] order = random.ints(from + count, 0, rows).toArray();
            int first = random.nextInt(20);
            int[] ends = new int[to + count + 1];
            ends[to] = first;
            int[] expected = new int[first + count * longest];
            for (int i = 0; i < count; i++) {
                int at = ends[to + i];
                int row = order[from + i];
                for (int j = offsets[row]; j < offsets[row + 1]; j++) {
                    expected[at++] = codes[j];
                }
                ends[to + i + 1] = at;
            }
            int last = ends[to + count];
            for (int form = 0; form < 2; form++) {
                int[] foundEnds = new int[to + count + 1];
                foundEnds[to] = first;
                int[] out = new int[last + CodeKernels.SLACK];
                if (form == 0) {
                    CodeKernels.gather(offsets, codes, order, from, count, foundEnds, out, to);
                } else {
                    CodeKernels.gatherScalar(
                            offsets, codes, order, from, count, foundEnds, out, to);
                }
                assertThat(foundEnds).as("seed %d, form %d", SEED, form).isEqualTo(ends);
                assertThat(Arrays.copyOf(out, last)).isEqualTo(Arrays.copyOf(expected, last));
            }
        }
    }
}
