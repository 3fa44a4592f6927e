package dev.penstock.step;

import dev.penstock.bytes.ByteSink;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.target.DuplicatePolicy;
import java.util.List;

/**
 * Signatures; the body follows.
 *
 * <p>The schema is that of the output. A run with fewer columns has 0 (false) in the missing last
 * ones; further columns of a run are ignored, but for the one that says what is deleted.
 */
public final class Merge {
    /**
     * @param priority runs with a lower number come earlier in the order of duplicates
     */
    public record Run(SegmentReader reader, long priority) {}

    /** Where segments go, one call pair each. */
    public interface Output {
        ByteSink open(int ordinal);

        void close(int ordinal, SegmentSummary summary);
    }

    public Merge(TableSchema schema, MergeLimits limits) {
        throw new UnsupportedOperationException();
    }

    public MergeResult run(
            List<Run> runs, DuplicatePolicy policy, SegmentIdentity identity, Output output) {
        throw new UnsupportedOperationException();
    }
}
