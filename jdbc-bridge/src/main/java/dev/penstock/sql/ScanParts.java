package dev.penstock.sql;

import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableIntList;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What a scan reads.
 *
 * @param columns table columns, or hidden fields of {@link ExactFields}, in the order of the
 *     result's columns
 * @param conditions all of which a row must meet; their inputs are table columns
 * @param offset rows to leave out at first, if any
 * @param fetch most rows to read after those, if limited
 * @param backward from the last key on; only of limited scans
 */
record ScanParts(
        ImmutableIntList columns,
        List<RexNode> conditions,
        @Nullable RexNode offset,
        @Nullable RexNode fetch,
        boolean backward) {
    ScanParts {
        conditions = List.copyOf(conditions);
    }

    static ScanParts all(int columnCount) {
        return new ScanParts(ImmutableIntList.identity(columnCount), List.of(), null, null, false);
    }

    boolean limited() {
        return offset != null || fetch != null;
    }

    ScanParts withColumns(ImmutableIntList value) {
        return new ScanParts(value, conditions, offset, fetch, backward);
    }

    ScanParts withConditions(List<RexNode> more) {
        List<RexNode> both = new ArrayList<>(conditions);
        both.addAll(more);
        return new ScanParts(columns, both, offset, fetch, backward);
    }

    ScanParts withLimit(@Nullable RexNode skipped, @Nullable RexNode most) {
        return new ScanParts(columns, conditions, skipped, most, backward);
    }

    /** The last rows, with the limit that there is. */
    ScanParts fromTheEnd() {
        return new ScanParts(columns, conditions, offset, fetch, true);
    }
}
