package dev.penstock.step;

import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.RegionDictionaries;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The step that makes one sorted sequence of rows out of sorted runs, as segments.
 *
 * <ol>
 *   <li>{@link MergeDictionaries} decides for each column over all input whether it has a
 *       dictionary, and which.
 *   <li>{@link MergeUnits} cuts the input into key ranges of bounded size.
 *   <li>Per unit, {@link MergeKeys} decodes the key columns and finds the order of the rows, which
 *       is no work where runs follow each other, and drops duplicates and deleted rows.
 *   <li>Column by column, {@link MergeColumn} decodes the unit's slices (translating codes), moves
 *       rows into order and encodes full blocks.
 *   <li>{@link MergeWriter} decides where blocks and segments end and writes them, block by block.
 * </ol>
 *
 * <p>The rows and dictionaries of each segment are a function of the sequence of rows (and, for
 * dictionaries, of the set of all input values), never of how the rows came in runs or units. So
 * are its blocks, unless a block of a run is taken as it is. Memory: for each thread the rows of
 * one unit in one column, twice, plus the unit's encoded blocks ({@link MergeMemory}).
 *
 * <p>The schema is that of the output. A run with fewer columns has 0 (false, empty) in the missing
 * last ones; further columns of a run are ignored, but for the one that says what is deleted.
 *
 * <p>Owned by one thread, which may be lent others for the columns ({@link ColumnJobs}). Keeps its
 * memory for further merges of the same table; one that failed is not to be used again.
 */
public final class Merge {
    /**
     * @param priority runs with a lower number come earlier in the order of duplicates
     */
    public record Run(SegmentReader reader, long priority) {}

    /** Where segments go, one call pair each. */
    public interface Output {
        /** A sink for the segment; {@code ordinal} counts from 0. */
        ByteSink open(int ordinal);

        /** The segment is complete. */
        void close(int ordinal, SegmentSummary summary);
    }

    private final TableSchema schema;
    private final MergeLimits limits;

    private final TokenTables tokens;
    private final ColumnJobs jobs;
    private final MergeKeys keys;
    private final MergeWriter writer;

    /** Runs without further rows whose last ones may wait in the writer. */
    private final List<SegmentReader> ended = new ArrayList<>();

    public Merge(TableSchema schema, MergeLimits limits) {
        this(schema, limits, TokenTables.NONE);
    }

    /**
     * A merge whose byte strings without dictionary become codes of these tables. Columns without a
     * table take that of the longest run that has one.
     */
    public Merge(TableSchema schema, MergeLimits limits, TokenTables tokens) {
        this.schema = schema;
        this.limits = limits;
        this.tokens = tokens;
        keys = new MergeKeys(schema, limits.dropDeletedColumn(), limits.sums());
        jobs = new ColumnJobs(schema.columnCount());
        writer = new MergeWriter(schema, limits, jobs);
    }

    /**
     * Merges runs, each in key order.
     *
     * @param identity of the first segment; each further one has the next ordinal
     * @throws dev.penstock.error.PenstockException category DATA if the policy is {@link
     *     DuplicatePolicy#ERROR} and a key occurs twice; category CORRUPT if a run is damaged
     */
    public MergeResult run(
            List<Run> runs, DuplicatePolicy policy, SegmentIdentity identity, Output output) {
        return run(runs, null, policy, identity, output, MergeThreads.ONE);
    }

    /**
     * The same.
     *
     * @param known has taken in the dictionaries of exactly these runs; null: nobody has united
     *     them yet
     * @param threads for the columns; what is written does not depend on them
     */
    public MergeResult run(
            List<Run> runs,
            @Nullable RegionDictionaries known,
            DuplicatePolicy policy,
            SegmentIdentity identity,
            Output output,
            MergeThreads threads) {
        List<Run> inputs = new ArrayList<>();
        for (Run run : runs) {
            if (!run.reader().sorted()) {
                throw new IllegalArgumentException(run.reader().name() + " is not in key order");
            }
            if (run.reader().rowCount() > 0) {
                inputs.add(run);
            }
        }
        inputs.sort((a, b) -> Long.compare(a.priority(), b.priority()));
        CpuClock watch = new CpuClock();
        jobs.begin(inputs, threads, watch.times());
        MergeDictionaries dictionaries = new MergeDictionaries(schema, inputs, known, jobs);
        watch.restart();
        @Nullable TokenTable[] tables = tables(inputs, dictionaries);
        MergeUnits units =
                new MergeUnits(
                        inputs, new MergeMemory(schema, inputs, limits, dictionaries, tables));
        keys.begin(policy);
        writer.begin(dictionaries, tables, identity, output, watch);
        while (units.next()) {
            if (policy != DuplicatePolicy.ERROR) {
                units.checkSize();
            }
            keys.find(units);
            writer.add(units, keys);
            letGo(units);
        }
        writer.finish();
        ended.clear();
        keys.end();
        jobs.end();
        watch.lap(StepName.MERGE);
        MergeResult result =
                new MergeResult(
                        writer.rowCount(),
                        keys.duplicatesDropped(),
                        keys.deletedDropped(),
                        writer.byteCount(),
                        keys.rejected(),
                        writer.outcomes(),
                        writer.sums(),
                        keys.droppedSums(),
                        watch.times());
        writer.end();
        return result;
    }

    /** Lets go of the runs whose rows have all been encoded. */
    private void letGo(MergeUnits units) {
        for (int slice = 0; slice < units.sliceCount(); slice++) {
            SegmentReader reader = units.reader(slice);
            if (units.to(slice) == reader.rowCount()) {
                ended.add(reader);
            }
        }
        ended.removeIf(reader -> {
            boolean done = !writer.waitsFor(reader);
            if (done) {
                reader.letGo();
            }
            return done;
        });
    }

    private @Nullable TokenTable[] tables(List<Run> inputs, MergeDictionaries dictionaries) {
        @Nullable TokenTable[] tables = new TokenTable[schema.columnCount()];
        for (int column = 0; column < tables.length; column++) {
            if (dictionaries.dictionary(column) == null
                    && schema.column(column).type().kind() == PhysicalKind.BYTES) {
                tables[column] = MergeTokens.choose(tokens, inputs, column);
            }
        }
        return tables;
    }
}
