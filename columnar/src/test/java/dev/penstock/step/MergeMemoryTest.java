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

    @Test
    void overlapping_runs_of_many_columns_are_merged_in_less_heap_than_their_blocks_have()
            throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath(),
                                MergeMemoryTest.class.getName())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        long[] counts =
                Arrays.stream(said.lines().toList().getLast().split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
        assertThat(counts[0]).isEqualTo((long) RUNS * RUN_ROWS);
        assertThat(counts[1]).isGreaterThan(64L << 20);
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
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++) {
            columns.add(new Column("c" + i, new ColumnType.BigIntType(), false));
        }
        TableSchema schema = TableSchema.declare("wide", columns, List.of(new KeyColumn(0, false)));
        try (Arena arena = Arena.ofConfined()) {
            List<Merge.Run> runs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                runs.add(run(schema, i, arena));
            }
            MergeResult result =
                    new Merge(schema, MergeLimits.DEFAULT)
                            .run(runs, DuplicatePolicy.ERROR, IDENTITY, new Counted());
            System.out.println(result.rows() + " " + result.bytes());
        }
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
        batch.setRowCount(RUN_ROWS);
        Encode.Choice[] choices = new Encode.Choice[COLUMNS];
        Arrays.fill(choices, Encode.Choice.PACKED);
        ByteBuilder image = new ByteBuilder(0);
        new Encode(schema).run(batch, 0, RUN_ROWS, choices, true, IDENTITY, image);
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
