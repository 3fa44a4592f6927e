package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class TokenLaneTest {
    @Test
    void gatheredRowsHaveTheirCodes() {
        Random random = new Random(41);
        TokenLane lane = new TokenLane();
        for (int longest : new int[] {0, 1, 7, 8, 9, 40}) {
            int rows = 300;
            TokenColumn source = column(random, rows, longest);
            lane.clear(rows / (1 + longest));
            for (int row = 0; row < rows; ) {
                int count = Math.min(rows - row, 1 + random.nextInt(100));
                TokenColumn piece = new TokenColumn();
                source.copyTo(row, count, piece);
                lane.append(piece, count);
                row += count;
            }
            int[] order = new int[rows + 3];
            Arrays.setAll(order, i -> Math.clamp(rows + 2 - i, 0, rows - 1));
            TokenColumn target = new TokenColumn();
            lane.gather(order, 3, 100, target, 0);
            lane.gather(order, 103, rows - 100, target, 100);
            for (int row = 0; row < rows; row++) {
                assertThat(codes(target, row)).isEqualTo(codes(source, order[3 + row]));
            }
        }
    }

    private static TokenColumn column(Random random, int rows, int longest) {
        TokenColumn column = new TokenColumn();
        column.ensureRows(rows);
        int end = 0;
        for (int row = 0; row < rows; row++) {
            end += random.nextInt(longest + 1);
            column.offsets()[row + 1] = end;
        }
        column.ensureCodes(end);
        for (int i = 0; i < end; i++) {
            column.codes()[i] = random.nextInt(4096);
        }
        return column;
    }

    private static int[] codes(TokenColumn column, int row) {
        return Arrays.copyOfRange(column.codes(), column.offsets()[row], column.offsets()[row + 1]);
    }
}
