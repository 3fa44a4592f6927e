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
 */
record ScanParts(
        ImmutableIntList columns,
        List<RexNode> conditions,
        @Nullable RexNode offset,
        @Nullable RexNode fetch) {
    ScanParts {
        conditions = List.copyOf(conditions);
    }

    static ScanParts all(int columnCount) {
        return new ScanParts(ImmutableIntList.identity(columnCount), List.of(), null, null);
    }

    boolean limited() {
        return offset != null || fetch != null;
    }

    ScanParts withColumns(ImmutableIntList value) {
        return new ScanParts(value, conditions, offset, fetch);
    }

    ScanParts withConditions(List<RexNode> more) {
        List<RexNode> both = new ArrayList<>(conditions);
        both.addAll(more);
        return new ScanParts(columns, both, offset, fetch);
    }

    ScanParts withLimit(@Nullable RexNode skipped, @Nullable RexNode most) {
        return new ScanParts(columns, conditions, skipped, most);
    }
}
