package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.Rows;
import dev.penstock.step.Sort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class RowOrderTest {
    private final Random random = new Random(51);

    @Test
    void shufflesOfAnyShapeComeIntoStableKeyOrder() {
        for (TableSchema schema : schemas()) {
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

    /** Texts that share their beginnings, which may be long, and differ late, or in length only. */
    @Test
    void textsThatBeginAlikeComeIntoOrder() {
        for (TableSchema schema : textSchemas()) {
            for (int count : new int[] {2, 63, 64, 65, 700, 9_000}) {
                for (int words : new int[] {1, 2, 5, 100}) {
                    for (int alphabet : new int[] {1, 2, 256}) {
                        check(schema, alike(schema, count, words, alphabet));
                    }
                }
            }
        }
    }

    private List<@Nullable Object[]> alike(TableSchema schema, int count, int words, int alphabet) {
        List<byte[]> beginnings = new ArrayList<>();
        for (int i = 0; i < words; i++) {
            beginnings.add(text(random.nextInt(3) == 0 ? 40 : 9, alphabet));
        }
        List<@Nullable Object[]> rows = Rows.random(schema, random, count, 9, 5);
        for (@Nullable Object[] row : rows) {
            byte[] beginning = beginnings.get(random.nextInt(words));
            byte[] end = text(random.nextInt(10), alphabet);
            byte[] name = Arrays.copyOf(beginning, beginning.length + end.length);
            System.arraycopy(end, 0, name, beginning.length, end.length);
            row[1] = name;
        }
        return rows;
    }

    /** Keys that are their values, and others that are encoded. */
    private static List<TableSchema> textSchemas() {
        return List.of(Rows.stringKeySchema(), Rows.textKeySchema(false), Rows.textKeySchema(true));
    }

    private static List<TableSchema> schemas() {
        List<TableSchema> schemas = new ArrayList<>(textSchemas());
        schemas.add(Rows.wideSchema());
        return schemas;
    }

    /** A key that is a prefix of another, which goes on with zeros, beyond several heads. */
    @Test
    void trailingZerosTellKeysApart() {
        for (TableSchema schema : textSchemas()) {
            List<@Nullable Object[]> rows = Rows.random(schema, random, 3_000, 9, 5);
            for (@Nullable Object[] row : rows) {
                row[1] = Arrays.copyOf("begins".getBytes(UTF_8), 6 + random.nextInt(40));
            }
            check(schema, rows);
            check(schema, rows.subList(0, 50));
        }
    }

    /**
     * Most keys end where a few go on with zeros for long: these are not looked at time and again.
     */
    @Test
    void longZerosBesideManyEqualKeysComeIntoOrder() {
        TableSchema schema = Rows.textKeySchema(false);
        List<@Nullable Object[]> rows = Rows.random(schema, random, 100_000, 9, 5);
        for (@Nullable Object[] row : rows) {
            row[1] = new byte[1];
        }
        rows.get(7)[1] = new byte[1 << 20];
        rows.get(99_000)[1] = new byte[1 << 19];
        check(schema, rows);
    }

    /** Bytes of an alphabet, the smallest ones and the largest. */
    private byte[] text(int length, int alphabet) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            int letter = random.nextInt(alphabet);
            text[i] = (byte) (letter % 3 == 1 ? -letter : letter);
        }
        return text;
    }

    /** One key that is nothing like the others does not change how these are sorted. */
    @Test
    void keysThatAreAlikeButForOneComeIntoOrder() {
        for (TableSchema schema : textSchemas()) {
            List<@Nullable Object[]> rows = Rows.random(schema, random, 5_000, 1 << 30, 5);
            for (@Nullable Object[] row : rows) {
                row[1] = ("a customer's number is " + random.nextInt(100_000)).getBytes(UTF_8);
            }
            rows.get(3)[1] = "z".getBytes(UTF_8);
            rows.get(4)[1] = new byte[0];
            check(schema, rows);
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
        List<byte[]> keys = Rows.keys(schema, expected);
        for (int place = 1; place < rows.size(); place++) {
            boolean same = Arrays.equals(keys.get(place - 1), keys.get(place));
            assertThat(order.sameAsPrevious(place)).isEqualTo(same);
            duplicates |= same;
        }
        assertThat(order.hasDuplicates()).isEqualTo(duplicates);
    }
}
