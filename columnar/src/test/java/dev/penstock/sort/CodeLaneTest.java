package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class CodeLaneTest {
    @Test
    void codesOfOneAndOfTwoBytesComeBackInAnyOrder() {
        Random random = new Random(62);
        CodeLane lane = new CodeLane();
        for (int codeCount : new int[] {1, 128, 129, 256, 257, 4096}) {
            for (int rows : new int[] {0, 1, 63, 64, 65, 1000, 9000}) {
                lane.reset(rows, codeCount);
                int[] expected = new int[rows + 2];
                for (int row = 0; row < rows; ) {
                    int[] codes = random.ints(1 + random.nextInt(200), 0, codeCount).toArray();
                    codes[0] = codeCount - 1;
                    int count = Math.min(codes.length, rows - row);
                    lane.put(codes, count, row);
                    System.arraycopy(codes, 0, expected, row, count);
                    row += count;
                }
                int[] order = random.ints(rows + 3, 0, Math.max(1, rows)).toArray();
                int[] out = new int[rows + 2];
                lane.gather(order, 3, rows, out, 1);
                int[] wanted = new int[rows + 2];
                Arrays.setAll(wanted, i -> i == 0 || i > rows ? 0 : expected[order[3 + i - 1]]);
                assertThat(out).isEqualTo(wanted);
            }
        }
    }
}
