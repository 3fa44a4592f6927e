package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.TokenTable;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.ColumnEncoding;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

final class MergeUnitsTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(4, 5, 0);
    private static final int RUNS = 3;
    private static final long UNIT_BYTES = 2 << 20;

    private static final MergeLimits LIMITS =
            new MergeLimits(1 << 20, UNIT_BYTES, 1 << 20, -1, true, false);

    private final TableSchema schema =
            TableSchema.declare(
                    "texts",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("text", new ColumnType.VarcharType(1 << 14), false)),
                    List.of(new KeyColumn(0, false)));

    @Test
    void rows_that_are_wider_than_most_come_in_smaller_units() {
        // Four blocks of each run, the last of which has the wide rows.
        int rows = RUNS * 4 * 6_200;
        IntUnaryOperator bytes = row -> row < rows / 4 * 3 ? 20 : 1 << 10;
        List<Merge.Run> runs = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            runs.add(open(image(run, rows, bytes, false), run));
        }
        assertThat(mostBytes(runs, bytes)).isBetween(UNIT_BYTES / 8, UNIT_BYTES / 2);
    }

    @Test
    void texts_that_compress_well_count_as_what_they_have() {
        int rows = 6_000;
        IntUnaryOperator bytes = row -> 2 << 10;
        List<Merge.Run> runs = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            runs.add(open(compressed(open(image(run, rows, bytes, true), run)), run));
        }
        SegmentReader reader = runs.getFirst().reader();
        assertThat(reader.statistics(1).encoding()).isEqualTo(ColumnEncoding.COMPRESSED);
        assertThat(reader.byteSize()).isLessThan(rows * (2 << 10) / RUNS / 20);
        assertThat(mostBytes(runs, bytes)).isBetween(UNIT_BYTES / 8, UNIT_BYTES);
    }

    /** The texts of the largest unit, whose rows are all there once. */
    private long mostBytes(List<Merge.Run> runs, IntUnaryOperator bytes) {
        ColumnJobs jobs = new ColumnJobs(schema.columnCount());
        jobs.begin(runs, MergeThreads.ONE, new StepTimes());
        MergeDictionaries dictionaries = new MergeDictionaries(schema, runs, null, jobs);
        assertThat(dictionaries.dictionary(1)).isNull();
        MergeMemory memory =
                new MergeMemory(
                        schema, runs, LIMITS, dictionaries, new TokenTable[schema.columnCount()]);
        MergeUnits units = new MergeUnits(runs, memory);
        long most = 0;
        long rows = 0;
        while (units.next()) {
            long sum = 0;
            for (int slice = 0; slice < units.sliceCount(); slice++) {
                for (long row = units.from(slice); row < units.to(slice); row++) {
                    sum += bytes.applyAsInt((int) row * RUNS + units.run(slice));
                }
            }
            most = Math.max(most, sum);
            rows += units.rowCount();
        }
        assertThat(rows).isEqualTo(runs.stream().mapToLong(run -> run.reader().rowCount()).sum());
        return most;
    }

    /** Every {@link #RUNS}th of the rows. */
    private byte[] image(int run, int rows, IntUnaryOperator bytes, boolean alike) {
        Random random = new Random(run);
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), rows);
        byte[] text = new byte[1 << 14];
        random.nextBytes(text);
        int count = 0;
        for (int row = run; row < rows; row += RUNS) {
            ByteBuilder head = new ByteBuilder(8).putLong(alike ? row : random.nextLong());
            System.arraycopy(head.array(), 0, text, 0, 8);
            batch.longs(0).values()[count] = row;
            batch.bytes(1).append(count, text, 0, bytes.applyAsInt(row));
            count++;
        }
        batch.setRowCount(count);
        Encode.Choice[] choices = new Encode.Choice[schema.columnCount()];
        Arrays.fill(choices, Encode.Choice.PACKED);
        ByteBuilder image = new ByteBuilder(0);
        new Encode(schema).run(batch, 0, count, choices, true, IDENTITY, image);
        return image.toByteArray();
    }

    private Merge.Run open(byte[] image, int number) {
        MemorySegment bytes = MemorySegment.ofArray(image);
        return new Merge.Run(SegmentReader.open(schema, bytes, "run " + number), number);
    }

    private byte[] compressed(Merge.Run run) {
        ByteBuilder written = new ByteBuilder(0);
        Merge.Output output =
                new Merge.Output() {
                    @Override
                    public ByteSink open(int ordinal) {
                        return written;
                    }

                    @Override
                    public void close(int ordinal, SegmentSummary summary) {}
                };
        new Merge(schema, LIMITS).run(List.of(run), DuplicatePolicy.ERROR, IDENTITY, output);
        return written.toByteArray();
    }
}
