package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.Rows;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Rows that are ordered while they are encoded give the bytes of rows that were in order. */
class EncodeOrderedTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(1, 2, 3);

    /** A column of the wide schema. */
    private static final int TEXT = 12;

    private static final TableSchema STRINGS =
            TableSchema.declare(
                    "strings",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("near", new ColumnType.BigIntType(), false),
                            new Column("text", new ColumnType.VarcharType(1 << 20), false)),
                    List.of(new KeyColumn(0, false)));

    private final Random random = new Random(71);

    @Test
    void whateverTheColumnsHoldAndWhateverIsWishedFor() {
        TableSchema schema = Rows.wideSchema();
        TokenTable table = new TokenTable(List.of(new byte[] {1, 2}, new byte[] {3, 4, 5}));
        TokenTables tables = new TokenTables(Map.of(TEXT, table));
        Encode encode = new Encode(schema, tables);
        for (int rows : new int[] {2, 100, 8191, 8193, 20_000}) {
            for (int nullPercent : new int[] {0, 5, 100}) {
                for (int keySpan : new int[] {10, 10_000, 1 << 30}) {
                    check(
                            schema,
                            tables,
                            encode,
                            Rows.random(schema, random, rows, keySpan, nullPercent));
                }
            }
        }
    }

    @Test
    void dictionariesThatOnlySomeSlicesHaveUseFor() {
        Encode encode = new Encode(STRINGS, tokens());
        for (int distinct : new int[] {20, 1500, 4096, 4097, 9000}) {
            for (boolean byKey : new boolean[] {false, true}) {
                List<@Nullable Object[]> rows = new ArrayList<>();
                for (long id = 0; id < 20_000; id++) {
                    long value = byKey ? id * distinct / 20_000 : random.nextInt(distinct);
                    rows.add(new Object[] {id, 7 * value, text("the value " + value)});
                }
                Collections.shuffle(rows, random);
                check(STRINGS, tokens(), encode, rows);
            }
        }
    }

    @Test
    void longsAtTheEndsOfTheirRangeAndFarFromEachOther() {
        Encode encode = new Encode(STRINGS, tokens());
        long[][] extremes = {
            {Long.MIN_VALUE, Long.MAX_VALUE},
            {Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1},
            {0, (1L << 30) - 1},
            {0, 1L << 30},
            {0, -1L << 30},
            {0, (-1L << 30) - 1},
            {-1L << 29, 1L << 30},
            {Long.MIN_VALUE + 5, Long.MIN_VALUE}
        };
        for (long[] values : extremes) {
            List<@Nullable Object[]> rows = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                long value = values[random.nextInt(values.length)];
                rows.add(new Object[] {-(long) i, value, text("a word ")});
            }
            rows.getFirst()[1] = values[0];
            check(STRINGS, tokens(), encode, rows);
        }
    }

    @Test
    void byteStringsThatDoNotFitIntoABlock() {
        Encode encode = new Encode(STRINGS, tokens());
        List<@Nullable Object[]> rows = new ArrayList<>();
        int length = 1 << 20;
        for (int i = 0; i <= SegmentFormat.BLOCK_BYTES / length; i++) {
            rows.add(new Object[] {-(long) i, (long) i, new byte[length]});
        }
        check(STRINGS, tokens(), encode, rows);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static TokenTables tokens() {
        return new TokenTables(Map.of(2, new TokenTable(List.of(text("the "), text("value ")))));
    }

    private void check(
            TableSchema schema, TokenTables tables, Encode encode, List<@Nullable Object[]> rows) {
        ColumnBatch batch = Rows.batch(schema, rows);
        int[] found = new Sort(schema).order(batch);
        int[] order = found == null ? IntStream.range(0, rows.size()).toArray() : found;
        ColumnBatch sorted = new Sort(schema).run(Rows.batch(schema, rows));
        int count = rows.size();
        int first = random.nextInt(count);
        int[] bounds = {0, first, first, first + random.nextInt(count - first), count};
        Encode.Choice[][] choices = new Encode.Choice[bounds.length - 1][];
        Arrays.setAll(choices, i -> choices(schema));
        Map<Integer, byte[]> images = new TreeMap<>();
        ByteBuilder image = new ByteBuilder(0);
        int[] read = new int[schema.columnCount()];
        Encode.Slices slices =
                new Encode.Slices() {
                    @Override
                    public void next(int column, int from, int to) {
                        assertThat(from).isEqualTo(read[column]);
                        assertThat(to).isBetween(from + 1, count);
                        read[column] = to;
                    }

                    @Override
                    public void encoded(int slice) {
                        assertThat(read).containsOnly(count);
                        images.put(slice, image.toByteArray());
                    }
                };
        encode.runOrdered(batch, order, bounds, choices, IDENTITY, image, slices);
        for (int i = 0; i < choices.length; i++) {
            if (bounds[i] == bounds[i + 1]) {
                assertThat(images).doesNotContainKey(i);
                continue;
            }
            ByteBuilder expected = new ByteBuilder(0);
            new Encode(schema, tables)
                    .run(sorted, bounds[i], bounds[i + 1], choices[i], true, IDENTITY, expected);
            assertThat(images.get(i)).isEqualTo(expected.toByteArray());
        }
    }

    private Encode.Choice[] choices(TableSchema schema) {
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        for (int i = 0; i < choices.length; i++) {
            choices[i] = Encode.Choice.values()[random.nextInt(3)];
        }
        return choices;
    }
}
