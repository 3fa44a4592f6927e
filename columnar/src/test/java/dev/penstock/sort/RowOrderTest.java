package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.Rows;
import dev.penstock.step.Sort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class RowOrderTest {
    private final Random random = new Random(51);

    @Test
    void shufflesOfAnyShapeComeIntoStableKeyOrder() {
        for (TableSchema schema : List.of(Rows.wideSchema(), Rows.stringKeySchema())) {
            for (int count : new int[] {0, 1, 2, 3, 100, 1000, 5000}) {
                for (int keySpan : new int[] {1, 3, 50, 1 << 30}) {
                    List<@Nullable Object[]> rows = Rows.random(schema, random, count, keySpan, 5);
                    check(schema, rows);
                    List<@Nullable Object[]> sorted = Rows.sorted(schema, rows);
                    check(schema, sorted);
                    Collections.reverse(sorted);
                    check(schema, sorted);
                    List<@Nullable Object[]> runs = new ArrayList<>();
                    for (int i = 0; i < 3; i++) {
                        runs.addAll(
                                Rows.sorted(
                                        schema, Rows.random(schema, random, count, keySpan, 5)));
                    }
                    check(schema, runs);
                }
            }
        }
    }

    @Test
    void closeKeysAreInOrderWhetherOneIsTwiceOrNot() {
        TableSchema schema = Rows.descendingKeySchema();
        RowOrder order = new RowOrder(schema);
        for (int count : new int[] {1023, 1024, 5000}) {
            for (boolean twice : new boolean[] {false, true, false}) {
                List<@Nullable Object[]> rows = Rows.random(schema, random, count, 1 << 30, 5);
                for (int i = 0; i < count; i++) {
                    rows.get(i)[0] = (long) i - count / 2;
                    rows.get(i)[1] = (long) random.nextInt(4);
                }
                if (twice) {
                    rows.set(7, rows.get(count - 7).clone());
                }
                Collections.shuffle(rows, random);
                order.find(Rows.batch(schema, rows), count);
                assertThat(order.hasDuplicates()).isEqualTo(twice);
                assertThat(order.isIdentity()).isFalse();
                check(schema, rows);
            }
        }
    }

    @Test
    void extremeKeysDoNotOverflow() {
        TableSchema schema = Rows.wideSchema();
        List<@Nullable Object[]> rows = Rows.random(schema, random, 100, 10, 5);
        long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1};
        for (@Nullable Object[] row : rows) {
            row[0] = extremes[random.nextInt(extremes.length)];
        }
        check(schema, rows);
    }

    @Test
    void orderedInputIsReturnedAsItIs() {
        TableSchema schema = Rows.wideSchema();
        ColumnBatch batch =
                Rows.batch(schema, Rows.sorted(schema, Rows.random(schema, random, 500, 1000, 5)));
        assertThat(new Sort(schema).run(batch)).isSameAs(batch);
    }

    @Test
    void aBatchThatTheSortOwnsMayBeSortedAgain() {
        TableSchema schema = Rows.wideSchema();
        Sort sort = new Sort(schema);
        List<@Nullable Object[]> rows = Rows.random(schema, random, 500, 1000, 5);
        ColumnBatch sorted = sort.run(Rows.batch(schema, rows));
        sorted.longs(0).values()[0] = Long.MAX_VALUE;
        ColumnBatch again = sort.run(sorted);
        assertThat(again.longs(0).values()[499]).isEqualTo(Long.MAX_VALUE);
    }

    private void check(TableSchema schema, List<@Nullable Object[]> rows) {
        List<@Nullable Object[]> expected = Rows.sorted(schema, rows);
        ColumnBatch batch = Rows.batch(schema, rows);
        ColumnBatch sorted = new Sort(schema).run(batch);
        assertThat(sorted.rowCount()).isEqualTo(rows.size());
        for (int column = 0; column < schema.columnCount(); column++) {
            assertThat(Rows.values(sorted.column(column), rows.size()))
                    .isEqualTo(Rows.column(expected, column));
        }
        RowOrder order = new RowOrder(schema);
        order.find(batch, rows.size());
        boolean duplicates = false;
        for (int place = 1; place < rows.size(); place++) {
            boolean same =
                    Rows.compareKeys(schema, expected.get(place - 1), expected.get(place)) == 0;
            assertThat(order.sameAsPrevious(place)).isEqualTo(same);
            duplicates |= same;
        }
        assertThat(order.hasDuplicates()).isEqualTo(duplicates);
    }
}
