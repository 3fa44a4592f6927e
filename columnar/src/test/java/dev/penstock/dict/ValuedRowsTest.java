package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;

class ValuedRowsTest {
    /** Rows around word borders; NULLs without bytes, and with some behind them. */
    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "63,1", "64,1", "65,1", "200,1", "1,2", "64,2", "65,2", "200,2"})
    void valuesLieBackToBackAndNumbersFindTheirRows(int rows, int form) {
        Random random = new Random(rows);
        ValuedRows valued = new ValuedRows();
        for (int round = 0; round < 50; round++) {
            int from = random.nextInt(70);
            double nullShare = random.nextInt(5) / 4.0;
            long[] words = new long[(from + rows + 63 >> 6) + 1];
            int[] starts = new int[from + rows + 1];
            for (int row = 0; row < from + rows; row++) {
                boolean valid = random.nextDouble() >= nullShare;
                words[row >> 6] |= valid ? 1L << row : 0;
                starts[row + 1] = starts[row] + (valid || form == 2 ? random.nextInt(5) : 0);
            }
            byte[] data = new byte[starts[from + rows]];
            random.nextBytes(data);
            valued.take(starts, data, from, rows, words);
            int next = 0;
            int[] numbers = new int[rows];
            for (int row = from; row < from + rows; row++) {
                if ((words[row >> 6] >>> row & 1) != 0) {
                    assertThat(valueOf(valued, next))
                            .isEqualTo(Arrays.copyOfRange(data, starts[row], starts[row + 1]));
                    numbers[next] = 1000 + next;
                    next++;
                }
            }
            assertThat(valued.count()).isEqualTo(next);
            checkSpread(valued, numbers, from, rows, words);
        }
    }

    private static void checkSpread(
            ValuedRows valued, int[] numbers, int from, int rows, long[] words) {
        int count = valued.count();
        Arrays.fill(numbers, count, rows, -1);
        TokenColumn tokens = new TokenColumn();
        tokens.ensureRows(count);
        for (int i = 0; i < count; i++) {
            tokens.offsets()[i + 1] = tokens.offsets()[i] + 1 + i % 3;
        }
        valued.spread(numbers, from, rows, words);
        tokens.insertNulls(count, rows, words, from);
        int next = 0;
        for (int i = 0; i < rows; i++) {
            int codes = tokens.offsets()[i + 1] - tokens.offsets()[i];
            if ((words[from + i >> 6] >>> from + i & 1) != 0) {
                assertThat(numbers[i]).isEqualTo(1000 + next);
                assertThat(codes).isEqualTo(1 + next % 3);
                next++;
            } else {
                assertThat(numbers[i]).isBetween(0, 1000 + count);
                assertThat(codes).isZero();
            }
        }
    }

    private static byte[] valueOf(ValuedRows valued, int number) {
        int[] offsets = valued.offsets();
        return Arrays.copyOfRange(valued.data(), offsets[number], offsets[number + 1]);
    }
}
