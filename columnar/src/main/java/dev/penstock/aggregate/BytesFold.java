package dev.penstock.aggregate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * Aggregates of a column of byte strings; a sum is that of decimals of 16 bytes (see {@link
 * dev.penstock.schema.ColumnType}).
 */
final class BytesFold extends ColumnFold {
    private static final byte[] NONE = new byte[0];

    /** Of the upper and the lower 8 bytes of decimals, the lower ones without a sign. */
    private final ExactSums upper = new ExactSums();

    private final ExactSums lower = new ExactSums();
    private byte[][] mins = new byte[0][];
    private byte[][] maxs = new byte[0][];

    /** Groups that have a minimum and maximum. */
    private boolean[] seen = new boolean[0];

    BytesFold(int column, List<Aggregate> aggregates) {
        super(column, aggregates);
    }

    @Override
    void ensureGroups(int groups) {
        super.ensureGroups(groups);
        if (summed()) {
            upper.ensureGroups(groups);
            lower.ensureGroups(groups);
        }
        if (seen.length < groups) {
            int old = seen.length;
            int capacity = Math.max(groups, 2 * old);
            seen = Arrays.copyOf(seen, capacity);
            mins = Arrays.copyOf(mins, capacity);
            maxs = Arrays.copyOf(maxs, capacity);
            Arrays.fill(mins, old, capacity, NONE);
            Arrays.fill(maxs, old, capacity, NONE);
        }
    }

    /**
     * Adds rows.
     *
     * @param ids group of each row that counts, null if there is one group only
     * @param rows those rows' places in the column, null if they are the first {@code count}
     */
    void add(
            int @Nullable [] ids,
            int count,
            BytesColumn column,
            long @Nullable [] validity,
            int @Nullable [] rows) {
        int[] offsets = column.offsets();
        byte[] data = column.data();
        for (int i = 0; i < count; i++) {
            int row = rows == null ? i : rows[i];
            int id = ids == null ? 0 : ids[i];
            if (validity != null && (validity[row >> 6] >>> row & 1) == 0) {
                addNulls(id, 1);
                continue;
            }
            if (lowest() || greatest()) {
                extend(id, data, offsets[row], offsets[row + 1]);
            }
            if (summed()) {
                long high = ByteAccess.getLongBigEndian(data, offsets[row]) ^ Long.MIN_VALUE;
                upper.add(id, high >> 63, high);
                lower.add(id, 0, ByteAccess.getLongBigEndian(data, offsets[row] + 8));
            }
        }
    }

    private void extend(int id, byte[] data, int from, int to) {
        byte[] min = mins[id];
        byte[] max = maxs[id];
        if (!seen[id]) {
            mins[id] = Arrays.copyOfRange(data, from, to);
            maxs[id] = mins[id];
            seen[id] = true;
        } else if (lowest() && Arrays.compareUnsigned(data, from, to, min, 0, min.length) < 0) {
            mins[id] = Arrays.copyOfRange(data, from, to);
        } else if (greatest() && Arrays.compareUnsigned(data, from, to, max, 0, max.length) > 0) {
            maxs[id] = Arrays.copyOfRange(data, from, to);
        }
    }

    @Override
    PartialValue sum(int group) {
        BigInteger high = upper.sum(group);
        return new PartialValue.ExactSum(high.shiftLeft(64).add(lower.sum(group)));
    }

    @Override
    PartialValue min(int group) {
        return new PartialValue.BytesValue(mins[group]);
    }

    @Override
    PartialValue max(int group) {
        return new PartialValue.BytesValue(maxs[group]);
    }
}
