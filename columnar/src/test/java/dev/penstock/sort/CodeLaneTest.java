package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kernel.BitPacking;

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

    @Test
    void packedCodesOfAnyWidthAreUnpackedAndTranslated() {
        Random random = new Random(63);
        CodeLane lane = new CodeLane();
        for (int codeCount : new int[] {1, 2, 50, 128, 129, 4096, 32768}) {
            int rows = 300;
            lane.reset(rows, codeCount);
            int bits = BitPacking.bitsFor(codeCount - 1L);
            int[] codes = random.ints(rows, 0, codeCount).toArray();
            byte[] packed = new byte[2 * rows + BitPacking.PACK_SLACK];
            BitPacking.pack(codes, 0, rows, bits, packed, 0);
            assertThat(lane.unpack(packed, 0, 0, rows, bits, 0, codeCount - 1, 0)).isTrue();
            assertThat(inOrder(lane, rows)).isEqualTo(codes);
            char[] table = new char[codeCount];
            Arrays.setAll(codes, i -> codeCount - 1 - codes[i]);
            for (int i = 0; i < codeCount; i++) {
                table[i] = (char) (codeCount - i);
            }
            assertThat(lane.translate(table, 1, 0, rows)).isTrue();
            assertThat(inOrder(lane, rows)).isEqualTo(codes);
        }
    }

    @Test
    void aCodeThatIsNoneIsNoticed() {
        CodeLane lane = new CodeLane();
        for (int codeCount : new int[] {100, 1000}) {
            lane.reset(20, codeCount);
            byte[] packed = new byte[20 + BitPacking.PACK_SLACK];
            int[] codes = new int[20];
            codes[13] = 9;
            BitPacking.pack(codes, 0, 20, 4, packed, 0);
            assertThat(lane.unpack(packed, 0, 0, 20, 4, 0, 8, 0)).isFalse();
            assertThat(lane.unpack(packed, 0, 0, 20, 4, 0, 9, 0)).isTrue();
            char[] table = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
            assertThat(lane.translate(table, 1, 0, 13)).isTrue();
            assertThat(lane.translate(table, 1, 13, 1)).isFalse();
        }
    }

    private static int[] inOrder(CodeLane lane, int rows) {
        int[] order = new int[rows];
        Arrays.setAll(order, i -> i);
        int[] out = new int[rows];
        lane.gather(order, 0, rows, out, 0);
        return out;
    }
}
