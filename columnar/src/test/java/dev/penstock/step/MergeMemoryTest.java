package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** A merge of more than the heap holds, in a process with a small heap. */
final class MergeMemoryTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(4, 5, 0);
    private static final int COLUMNS = 150;
    private static final int RUNS = 40;
    private static final int RUN_ROWS = 2_000;

    private static final int TEXTS = 100;
    private static final int TEXT_BYTES = 4 << 10;
    private static final int TEXT_RUNS = 12;
    private static final int TEXT_RUN_ROWS = 2_500;

    /** Rows of one key in each run. */
    private static final int SAME_ROWS = 16_000;

    private static final int MORE_ROWS = 36_000;

    @Test
    void overlapping_runs_of_many_columns_are_merged_in_less_heap_than_their_blocks_have()
            throws Exception {
        long[] counts = merged("columns", "64m");
        assertThat(counts[0]).isEqualTo((long) RUNS * RUN_ROWS);
        assertThat(counts[1]).isGreaterThan(64L << 20);
    }

    /** Too many different ones for a dictionary together, so that they are written out. */
    @Test
    void long_texts_of_which_each_run_has_few_are_merged_in_less_heap_than_they_have()
            throws Exception {
        assertThat(merged("texts", "256m")[0]).isEqualTo((long) TEXT_RUNS * TEXT_RUN_ROWS);
    }

    /** They cannot be cut, so that all of them would be in memory. */
    @Test
    void rows_of_one_key_that_do_not_fit_are_refused_with_the_key() throws Exception {
        Said said = run("more", "64m");
        assertThat(said.code()).as(said.text()).isEqualTo(1);
        assertThat(said.text())
                .contains(" rows have the same key, c0=7, more than fit into memory at once.")
                .doesNotContain("OutOfMemoryError");
    }

    @Test
    void rows_of_one_key_that_fit_become_one() throws Exception {
        assertThat(merged("same", "64m")[0]).isEqualTo(1 + (long) RUNS);
    }

    private static long[] merged(String what, String heap) throws Exception {
        Said said = run(what, heap);
        assertThat(said.code()).as(said.text()).isZero();
        return Arrays.stream(said.text().lines().toList().getLast().split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private record Said(int code, String text) {}

    private static Said run(String what, String heap) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + heap,
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath(),
                                MergeMemoryTest.class.getName(),
                                what)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), said);
    }

    private static String classPath() {
        return MergeMemoryTest.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(URL::getPath)
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** Prints the rows and bytes that were merged. */
    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MergeResult result =
                    switch (arguments[0]) {
                        case "texts" -> texts(arena);
                        case "same" -> same(SAME_ROWS, arena);
                        case "more" -> same(MORE_ROWS, arena);
                        default -> columns(arena);
                    };
            System.out.println(result.rows() + " " + result.bytes());
        }
    }

    private static MergeResult texts(Arena arena) {
        TableSchema schema = textSchema();
        List<Merge.Run> runs = new ArrayList<>();
        for (int i = 0; i < TEXT_RUNS; i++) {
            runs.add(textRun(schema, i, arena));
        }
        return merge(schema, runs, DuplicatePolicy.ERROR);
    }

    private static MergeResult columns(Arena arena) {
        TableSchema schema = numbers(COLUMNS);
        List<Merge.Run> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(run(schema, i, arena));
        }
        return merge(schema, runs, DuplicatePolicy.ERROR);
    }

    private static MergeResult same(int rows, Arena arena) {
        TableSchema schema = numbers(2);
        List<Merge.Run> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(sameRun(schema, i, rows, arena));
        }
        return merge(schema, runs, DuplicatePolicy.KEEP_LAST);
    }

    private static MergeResult merge(
            TableSchema schema, List<Merge.Run> runs, DuplicatePolicy policy) {
        return new Merge(schema, MergeLimits.DEFAULT).run(runs, policy, IDENTITY, new Counted());
    }

    private static TableSchema textSchema() {
        List<Column> columns =
                List.of(
                        new Column("id", new ColumnType.BigIntType(), false),
                        new Column("text", new ColumnType.VarcharType(TEXT_BYTES), false));
        return TableSchema.declare("texts", columns, List.of(new KeyColumn(0, false)));
    }

    private static TableSchema numbers(int count) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(new Column("c" + i, new ColumnType.BigIntType(), false));
        }
        return TableSchema.declare("numbers", columns, List.of(new KeyColumn(0, false)));
    }

    /** Every {@link #TEXT_RUNS}th key, and {@link #TEXTS} texts that no other run has. */
    private static Merge.Run textRun(TableSchema schema, int number, Arena arena) {
        Random random = new Random(number);
        byte[][] texts = new byte[TEXTS][TEXT_BYTES];
        for (byte[] text : texts) {
            for (int i = 0; i < TEXT_BYTES; i++) {
                text[i] = (byte) ('a' + random.nextInt(26));
            }
        }
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), TEXT_RUN_ROWS);
        for (int row = 0; row < TEXT_RUN_ROWS; row++) {
            batch.longs(0).values()[row] = (long) row * TEXT_RUNS + number;
            batch.bytes(1).append(row, texts[random.nextInt(TEXTS)], 0, TEXT_BYTES);
        }
        return image(schema, batch, TEXT_RUN_ROWS, Encode.Choice.DICTIONARY, number, arena);
    }

    /** A key that no other run has, then 7 in all rows. */
    private static Merge.Run sameRun(TableSchema schema, int number, int rows, Arena arena) {
        Random random = new Random(number);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), rows);
        for (int row = 0; row < rows; row++) {
            batch.longs(0).values()[row] = row == 0 ? number - RUNS : 7;
            batch.longs(1).values()[row] = random.nextLong();
        }
        return image(schema, batch, rows, Encode.Choice.PACKED, number, arena);
    }

    /** Every {@link #RUNS}th key, and values that cannot be packed. Outside of the heap. */
    private static Merge.Run run(TableSchema schema, int number, Arena arena) {
        Random random = new Random(number);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), RUN_ROWS);
        for (int column = 0; column < COLUMNS; column++) {
            LongColumn values = (LongColumn) batch.column(column);
            for (int row = 0; row < RUN_ROWS; row++) {
                values.values()[row] = column == 0 ? (long) row * RUNS + number : random.nextLong();
            }
        }
        return image(schema, batch, RUN_ROWS, Encode.Choice.PACKED, number, arena);
    }

    private static Merge.Run image(
            TableSchema schema,
            ColumnBatch batch,
            int rows,
            Encode.Choice choice,
            int number,
            Arena arena) {
        batch.setRowCount(rows);
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, choice);
        ByteBuilder image = new ByteBuilder(0);
        new Encode(schema).run(batch, 0, rows, choices, true, IDENTITY, image);
        MemorySegment bytes =
                arena.allocate(image.length())
                        .copyFrom(MemorySegment.ofArray(image.array()).asSlice(0, image.length()));
        return new Merge.Run(SegmentReader.open(schema, bytes, "run " + number), number);
    }

    private static final class Counted implements Merge.Output, ByteSink {
        private long position;

        @Override
        public ByteSink open(int ordinal) {
            position = 0;
            return this;
        }

        @Override
        public void close(int ordinal, SegmentSummary summary) {}

        @Override
        public void write(byte[] bytes, int offset, int count) {
            position += count;
        }

        @Override
        public long position() {
            return position;
        }
    }
}
