package dev.penstock.aggregate;

import dev.penstock.aggregate.Aggregate.Function;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.util.Arrays;
import java.util.List;

/**
 * What all aggregates of one column need, by group. Groups are numbered from 0; a row's NULL is
 * counted and otherwise left out. Owned by one thread.
 */
abstract sealed class ColumnFold permits LongFold, BytesFold {
    private final boolean summed;
    private final boolean lowest;
    private final boolean greatest;
    private long[] nulls = new long[0];

    ColumnFold(int column, List<Aggregate> aggregates) {
        this.summed = aggregates.contains(Aggregate.sum(column));
        this.lowest = aggregates.contains(Aggregate.min(column));
        this.greatest = aggregates.contains(Aggregate.max(column));
    }

    static ColumnFold of(TableSchema schema, int column, List<Aggregate> aggregates) {
        return schema.column(column).type().kind() == PhysicalKind.LONG
                ? new LongFold(schema, column, aggregates)
                : new BytesFold(column, aggregates);
    }

    final boolean summed() {
        return summed;
    }

    final boolean lowest() {
        return lowest;
    }

    final boolean greatest() {
        return greatest;
    }

    /** Whether only the NULLs are of interest. */
    final boolean countsOnly() {
        return !summed && !lowest && !greatest;
    }

    /** Makes room for groups; those that are new are empty. */
    void ensureGroups(int groups) {
        if (nulls.length < groups) {
            nulls = Arrays.copyOf(nulls, Math.max(groups, 2 * nulls.length));
        }
    }

    final void addNulls(int group, long count) {
        nulls[group] += count;
    }

    /** The value of an aggregate of this column over a group of {@code rows} rows. */
    final PartialValue value(Function function, int group, long rows) {
        long present = rows - nulls[group];
        return switch (function) {
            case COUNT, COUNT_ROWS -> new PartialValue.Count(present);
            case SUM -> present == 0 ? new PartialValue.None() : sum(group);
            case MIN -> present == 0 ? new PartialValue.None() : min(group);
            case MAX -> present == 0 ? new PartialValue.None() : max(group);
        };
    }

    abstract PartialValue sum(int group);

    abstract PartialValue min(int group);

    abstract PartialValue max(int group);
}
