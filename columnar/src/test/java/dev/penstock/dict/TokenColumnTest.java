package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class TokenColumnTest {
    @Test
    void gatheredRowsHaveTheirCodes() {
        Random random = new Random(41);
        for (int longest : new int[] {0, 1, 7, 8, 9, 40}) {
            int rows = 300;
            TokenColumn source = new TokenColumn();
            source.ensureRows(rows);
            int end = 0;
            for (int row = 0; row < rows; row++) {
                end += random.nextInt(longest + 1);
                source.offsets()[row + 1] = end;
            }
            source.ensureCodes(end);
            for (int i = 0; i < end; i++) {
                source.codes()[i] = random.nextInt(4096);
            }
            int[] order = new int[rows];
            Arrays.setAll(order, i -> rows - 1 - i);
            TokenColumn target = new TokenColumn();
            source.gather(order, 100, target, 0);
            source.gather(Arrays.copyOfRange(order, 100, rows), rows - 100, target, 100);
            for (int row = 0; row < rows; row++) {
                assertThat(codes(target, row)).isEqualTo(codes(source, order[row]));
            }
        }
    }

    private static int[] codes(TokenColumn column, int row) {
        return Arrays.copyOfRange(column.codes(), column.offsets()[row], column.offsets()[row + 1]);
    }
}
