package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.step.Encode;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class StagedRunsTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final int CHUNKS = 80;
    private static final int ROWS = 36_000;

    private static final TableSchema SCHEMA =
            new TableSchema(
                    "t",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("noise", new ColumnType.BigIntType(), false),
                            new Column("few", new ColumnType.BigIntType(), false)),
                    List.of(new KeyColumn(0, false)),
                    false);

    private static final List<byte[]> ORDERED = fragments(true);
    private static final List<byte[]> MIXED = fragments(false);

    @TempDir Path folder;

    private static List<byte[]> fragments(boolean ordered) {
        List<byte[]> fragments = new ArrayList<>();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            fragments.add(fragment(chunk, ordered));
        }
        return fragments;
    }

    /** Rows of a chunk: after those of the chunks before, or among them; every fifth is small. */
    private static byte[] fragment(int chunk, boolean ordered) {
        int rows = chunk % 5 == 4 ? 10 : ROWS;
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), rows);
        Random random = new Random(chunk);
        for (int row = 0; row < rows; row++) {
            long id = ordered ? (long) chunk * ROWS + row : (long) row * CHUNKS + chunk;
            ((LongColumn) batch.column(0)).values()[row] = id;
            ((LongColumn) batch.column(1)).values()[row] = random.nextLong();
            ((LongColumn) batch.column(2)).values()[row] = random.nextInt(100);
        }
        batch.setRowCount(rows);
        Encode.Choice[] choices = new Encode.Choice[3];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        ByteBuilder image = new ByteBuilder(1024);
        new Encode(SCHEMA)
                .run(batch, 0, rows, choices, true, new SegmentIdentity(1, 2, chunk), image);
        return image.toByteArray();
    }

    private static byte[] merge(List<Merge.Run> runs) {
        ByteBuilder bytes = new ByteBuilder(1 << 20);
        new Merge(SCHEMA, MergeLimits.DEFAULT)
                .run(
                        runs,
                        DuplicatePolicy.ERROR,
                        new SegmentIdentity(3, 4, 0),
                        new Merge.Output() {
                            @Override
                            public ByteSink open(int ordinal) {
                                return bytes;
                            }

                            @Override
                            public void close(int ordinal, SegmentSummary summary) {}
                        });
        return bytes.toByteArray();
    }

    private static byte[] expected(boolean ordered) {
        List<Merge.Run> runs = new ArrayList<>();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            MemorySegment bytes = MemorySegment.ofArray((ordered ? ORDERED : MIXED).get(chunk));
            runs.add(new Merge.Run(SegmentReader.open(SCHEMA, bytes, "run " + chunk), chunk));
        }
        return merge(runs);
    }

    /** With all fragments, of which so many bytes at most are left in memory. */
    private Staging staging(StagingMemory memory, boolean ordered, long kept) {
        Staging staging = new Staging(memory, new NioStorage(), folder.resolve("fragments"));
        for (int chunk = CHUNKS - 1; chunk >= 0; chunk--) {
            byte[] bytes = (ordered ? ORDERED : MIXED).get(chunk);
            staging.append(chunk, bytes, bytes.length);
        }
        while (memory.usedBytes() > kept * MEBIBYTE) {
            if (!staging.spill()) {
                Thread.onSpinWait();
            }
        }
        return staging;
    }

    /** All in memory; all in the file, and back, or mapped, or some of both. */
    @ParameterizedTest
    @CsvSource({
        "true, 256, 256",
        "true, 0, 256",
        "true, 8, 256",
        "true, 0, 0",
        "true, 2, 4",
        "false, 256, 256",
        "false, 0, 256",
        "false, 0, 0",
        "false, 2, 8"
    })
    void aMergeIsTheSameHoweverItsRunsComeBack(boolean ordered, long kept, long max) {
        StagingLimits limits = new StagingLimits(kept * MEBIBYTE, max * MEBIBYTE);
        try (StagingMemory memory = new StagingMemory(limits);
                Staging staging = staging(memory, ordered, kept)) {
            byte[] merged;
            try (StagedRuns runs = new StagedRuns(staging, SCHEMA, TokenTables.NONE)) {
                merged = merge(runs.runs());
            }
            assertThat(Arrays.equals(merged, expected(ordered))).isTrue();
            // What is left are the small fragments, which share memory.
            assertThat(memory.usedBytes()).isLessThan(4 * MEBIBYTE);
        }
    }

    /** Before the arrival ends; all in memory, some in the file, all there. */
    @ParameterizedTest
    @CsvSource({"true, 256", "true, 8", "true, 0", "false, 256", "false, 8", "false, 0"})
    void whatHasComeCanBeMergedBeforeMoreComes(boolean ordered, long kept) {
        StagingLimits limits = new StagingLimits(kept * MEBIBYTE, 256 * MEBIBYTE);
        try (StagingMemory memory = new StagingMemory(limits);
                Staging staging = staging(memory, ordered, kept)) {
            long used = memory.usedBytes();
            assertThat(staging.pin()).isTrue();
            try (StagedRuns runs = new StagedRuns(staging, SCHEMA, TokenTables.NONE)) {
                assertThat(staging.spillableBytes()).isZero();
                assertThat(Arrays.equals(merge(runs.runs()), expected(ordered))).isTrue();
            }
            staging.unpin();
            // A write that was under way has given its memory back meanwhile.
            assertThat(memory.usedBytes()).isLessThanOrEqualTo(used);
            while (staging.spill()) {
                assertThat(staging.spillableBytes()).isNotNegative();
            }
            try (StagedRuns runs = new StagedRuns(staging, SCHEMA, TokenTables.NONE)) {
                assertThat(Arrays.equals(merge(runs.runs()), expected(ordered))).isTrue();
            }
        }
    }

    @Test
    void withoutMemoryNothingIsMergedBeforeTheEnd() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(0, 0));
                Staging staging = staging(memory, true, 0)) {
            assertThat(staging.pin()).isFalse();
            staging.unpin();
            assertThat(memory.usedBytes()).isZero();
        }
    }

    @Test
    void onlyAFewRunsAreInMemoryWhileTheyFollowEachOther() {
        StagingLimits limits = new StagingLimits(0, 256 * MEBIBYTE);
        try (StagingMemory memory = new StagingMemory(limits);
                Staging staging = staging(memory, true, 0)) {
            assertThat(staging.bytes()).isGreaterThan(19 * MEBIBYTE);
            try (StagedRuns runs = new StagedRuns(staging, SCHEMA, TokenTables.NONE)) {
                List<SegmentReader> inOrder =
                        new ArrayList<>(runs.runs().stream().map(Merge.Run::reader).toList());
                inOrder.sort((a, b) -> Arrays.compareUnsigned(a.firstKey(), b.firstKey()));
                for (SegmentReader reader : inOrder) {
                    reader.verify();
                    reader.letGo();
                    assertThat(memory.usedBytes()).isLessThan(21 * MEBIBYTE);
                }
            }
        }
    }

    @Test
    void aRunThatWasLetGoIsNotReadAgain() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(0, 256 * MEBIBYTE));
                Staging staging = staging(memory, true, 0);
                StagedRuns runs = new StagedRuns(staging, SCHEMA, TokenTables.NONE)) {
            SegmentReader first = runs.runs().get(1).reader();
            first.verify();
            first.letGo();
            assertThatThrownBy(first::verify).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> new StagedRuns(staging, SCHEMA, TokenTables.NONE))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("merged in part");
        }
    }

    @Test
    void aFileThatIsCutShortEndsTheMerge() throws IOException {
        StagingLimits limits = new StagingLimits(0, 256 * MEBIBYTE);
        try (StagingMemory memory = new StagingMemory(limits)) {
            try (Staging staging = staging(memory, true, 0);
                    StagedRuns runs = new StagedRuns(staging, SCHEMA, TokenTables.NONE)) {
                try (RandomAccessFile file =
                        new RandomAccessFile(folder.resolve("fragments").toFile(), "rw")) {
                    file.setLength(18 * MEBIBYTE);
                }
                assertThatThrownBy(() -> merge(runs.runs()))
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining("shorter than");
            }
            assertThat(memory.usedBytes()).isZero();
        }
    }
}
