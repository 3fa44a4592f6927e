package dev.penstock.aggregate;

import dev.penstock.dict.BytesDictionary;
import dev.penstock.kernel.FloatSums;
import dev.penstock.kernel.GroupKernels;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Aggregates of a column of longs, or of the codes of a column of byte strings, whose order is that
 * of the values.
 */
final class LongFold extends ColumnFold {
    private final boolean floating;
    private final @Nullable BytesDictionary codesOf;
    private final ExactSums exact = new ExactSums();
    private double[] sums = new double[0];
    private double[] lost = new double[0];
    private long[] mins = new long[0];
    private long[] maxs = new long[0];
    private int[] keptIds = new int[0];
    private long[] kept = new long[0];

    LongFold(TableSchema schema, int column, List<Aggregate> aggregates) {
        super(column, aggregates);
        this.floating = schema.column(column).type().isFloatingPoint();
        this.codesOf = null;
    }

    /** Of exact numbers that are not those of a column of the table. */
    LongFold(int column, List<Aggregate> aggregates) {
        super(column, aggregates);
        this.floating = false;
        this.codesOf = null;
    }

    LongFold(BytesDictionary codesOf, int column, List<Aggregate> aggregates) {
        super(column, aggregates);
        this.floating = false;
        this.codesOf = codesOf;
    }

    boolean floating() {
        return floating;
    }

    /** Whether the values are codes of byte strings. */
    boolean ofCodes() {
        return codesOf != null;
    }

    ExactSums exact() {
        return exact;
    }

    @Override
    void ensureGroups(int groups) {
        super.ensureGroups(groups);
        if (summed() && !floating) {
            exact.ensureGroups(groups);
        } else if (summed() && sums.length < groups) {
            int capacity = Math.max(groups, 2 * sums.length);
            sums = Arrays.copyOf(sums, capacity);
            lost = Arrays.copyOf(lost, capacity);
        }
        if ((lowest() || greatest()) && mins.length < groups) {
            int old = mins.length;
            int capacity = Math.max(groups, 2 * old);
            mins = Arrays.copyOf(mins, capacity);
            maxs = Arrays.copyOf(maxs, capacity);
            Arrays.fill(mins, old, capacity, Long.MAX_VALUE);
            Arrays.fill(maxs, old, capacity, Long.MIN_VALUE);
        }
    }

    /** Whether a block whose values are those from min to max cannot change min and max. */
    boolean within(int group, long min, long max) {
        return (!lowest() || min >= mins[group]) && (!greatest() || max <= maxs[group]);
    }

    /** Takes notice that a group has values from min to max. */
    void offer(int group, long min, long max) {
        mins[group] = Math.min(mins[group], min);
        maxs[group] = Math.max(maxs[group], max);
    }

    /**
     * Adds rows.
     *
     * @param ids group of each value, null if there is one group only
     * @param rows bit of each value in {@code validity}, null if that is its position
     * @param bound no value's distance from 0 is greater; negative if that is not known
     */
    void add(
            int @Nullable [] ids,
            int count,
            long[] values,
            long @Nullable [] validity,
            int @Nullable [] rows,
            long bound) {
        if (validity == null) {
            add(ids, count, values, bound);
            return;
        }
        if (kept.length < count) {
            kept = new long[count];
            keptIds = new int[count];
        }
        int present = 0;
        for (int i = 0; i < count; i++) {
            int row = rows == null ? i : rows[i];
            int id = ids == null ? 0 : ids[i];
            if ((validity[row >> 6] >>> row & 1) != 0) {
                kept[present] = values[i];
                keptIds[present++] = id;
            } else {
                addNulls(id, 1);
            }
        }
        add(ids == null ? null : keptIds, present, kept, bound);
    }

    private void add(int @Nullable [] ids, int count, long[] values, long bound) {
        if (summed() && floating) {
            addFloats(ids, count, values);
        } else if (summed()) {
            exact.add(ids, count, values, bound);
        }
        if (ids == null && (lowest() || greatest()) && count > 0) {
            offer(0, GroupKernels.min(values, count), GroupKernels.max(values, count));
        } else if (ids != null) {
            if (lowest()) {
                GroupKernels.min(ids, count, values, mins);
            }
            if (greatest()) {
                GroupKernels.max(ids, count, values, maxs);
            }
        }
    }

    private void addFloats(int @Nullable [] ids, int count, long[] values) {
        if (ids == null) {
            FloatSums.add(values, count, sums, lost, 0);
            return;
        }
        for (int i = 0; i < count; i++) {
            int id = ids[i];
            double number = FloatOrder.fromOrdered(values[i]);
            double sum = sums[id];
            double total = sum + number;
            lost[id] += FloatSums.lost(sum, number, total);
            sums[id] = total;
        }
    }

    @Override
    PartialValue sum(int group) {
        return floating
                ? new PartialValue.FloatSum(sums[group], lost[group])
                : new PartialValue.ExactSum(exact.sum(group));
    }

    @Override
    PartialValue min(int group) {
        return extreme(mins[group]);
    }

    @Override
    PartialValue max(int group) {
        return extreme(maxs[group]);
    }

    private PartialValue extreme(long value) {
        return codesOf == null
                ? new PartialValue.LongValue(value)
                : new PartialValue.BytesValue(codesOf.value((int) value));
    }
}
