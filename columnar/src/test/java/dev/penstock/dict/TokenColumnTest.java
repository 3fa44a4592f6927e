package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

class TokenColumnTest {
    @Test
    void gatheredRowsHaveTheirCodes() {
        Random random = new Random(41);
        for (int longest : new int[] {0, 1, 7, 8, 9, 40}) {
            int rows = 300;
            TokenColumn source = column(random, rows, longest);
            int[] order = new int[rows + 3];
            Arrays.setAll(order, i -> Math.clamp(rows + 2 - i, 0, rows - 1));
            TokenColumn target = new TokenColumn();
            source.gather(order, 3, 100, target, 0);
            source.gather(order, 103, rows - 100, target, 100);
            for (int row = 0; row < rows; row++) {
                assertThat(codes(target, row)).isEqualTo(codes(source, order[3 + row]));
            }
        }
    }

    @Test
    void aPartOfTheRowsIsCopied() {
        TokenColumn source = column(new Random(42), 90, 5);
        TokenColumn target = new TokenColumn();
        source.copyTo(7, 70, target);
        for (int row = 0; row < 70; row++) {
            assertThat(codes(target, row)).isEqualTo(codes(source, 7 + row));
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
            ByteAccess.putShort(column.codes(), 2 * i, random.nextInt(4096));
        }
        return column;
    }

    private static int[] codes(TokenColumn column, int row) {
        return IntStream.range(column.offsets()[row], column.offsets()[row + 1])
                .map(column::code)
                .toArray();
    }
}
