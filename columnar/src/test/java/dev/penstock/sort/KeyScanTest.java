package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

class KeyScanTest {
    private static final TableSchema PAIRS =
            TableSchema.declare(
                    "pairs",
                    List.of(
                            new Column("a", new ColumnType.BigIntType(), false),
                            new Column("b", new ColumnType.BigIntType(), false)),
                    List.of(new KeyColumn(0, false), new KeyColumn(1, false)));

    private final Random random = new Random(23);

    @Test
    void neighboursAreComparedAtEveryPlace() {
        for (int round = 0; round < 20_000; round++) {
            int count = 1 + random.nextInt(70);
            long[] first = new long[count];
            long[] second = new long[count];
            fill(first, second);
            int from = 1 + random.nextInt(count);
            boolean rises = true;
            boolean falls = false;
            for (int row = from; row < count; row++) {
                int order = compare(first, second, row - 1, row);
                rises &= order < 0;
                falls |= order > 0;
            }
            assertThat(KeyScan.rises(first, second, from, count)).isEqualTo(rises);
            assertThat(KeyScan.falls(first, second, from, count)).isEqualTo(falls);
        }
    }

    @Test
    void ordersOfPairsAreFoundWhateverTheyBeginWith() {
        RowOrder order = new RowOrder(PAIRS);
        for (int round = 0; round < 300; round++) {
            int count = 1 + random.nextInt(10_000);
            long[] first = new long[count];
            long[] second = new long[count];
            fill(first, second);
            ColumnBatch batch = ColumnBatch.forColumns(PAIRS.columns(), count);
            System.arraycopy(first, 0, batch.longs(0).values(), 0, count);
            System.arraycopy(second, 0, batch.longs(1).values(), 0, count);
            batch.setRowCount(count);
            int[] expected =
                    IntStream.range(0, count)
                            .boxed()
                            .sorted(
                                    Comparator.comparingLong((Integer row) -> first[row])
                                            .thenComparingLong(row -> second[row]))
                            .mapToInt(Integer::intValue)
                            .toArray();
            boolean duplicates = false;
            for (int i = 1; i < count; i++) {
                duplicates |= compare(first, second, expected[i - 1], expected[i]) == 0;
            }
            order.find(batch, count);
            assertThat(order.hasDuplicates()).isEqualTo(duplicates);
            for (int i = 0; i < count; i++) {
                assertThat(order.row(i)).isEqualTo(expected[i]);
            }
        }
    }

    /** Pairs that ascend but for a few, or none; some extreme. */
    private void fill(long[] first, long[] second) {
        long step = random.nextInt(3) == 0 ? Long.MAX_VALUE / 80 : 1;
        long a = random.nextBoolean() ? Long.MIN_VALUE + 5 : -20;
        int b = 0;
        for (int row = 0; row < first.length; row++) {
            boolean next = random.nextInt(4) == 0 && a < Long.MAX_VALUE - step;
            a += next ? step : 0;
            b = next ? 0 : b + 1;
            first[row] = a;
            second[row] = b;
        }
        for (int faults = random.nextInt(3); faults > 0; faults--) {
            int row = random.nextInt(first.length);
            switch (random.nextInt(4)) {
                case 0 -> first[row] = Long.MIN_VALUE;
                case 1 -> first[row] = Long.MAX_VALUE;
                case 2 -> second[row] = random.nextInt(3);
                default -> second[row] = Long.MIN_VALUE;
            }
        }
    }

    private static int compare(long[] first, long[] second, int left, int right) {
        int order = Long.compare(first[left], first[right]);
        return order != 0 ? order : Long.compare(second[left], second[right]);
    }
}
