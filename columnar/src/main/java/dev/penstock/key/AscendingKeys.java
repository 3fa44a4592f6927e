package dev.penstock.key;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.ByteStrings;

/**
 * Encoded keys of the rows of a batch, which ascend, with the first sixteen bytes of each as two
 * numbers: most comparisons look at no others. Owned by one thread; keeps its memory.
 */
public final class AscendingKeys {
    /** Of a key, as numbers. */
    private static final int NUMBER_BYTES = 2 * Long.BYTES;

    /** Rows for which a loop is called once: the JVM compiles in full what is called often. */
    private static final int WINDOW = 512;

    private BytesColumn keys = new BytesColumn(0, 0);
    private int size;
    private long[] first = {};
    private long[] second = {};

    /** Takes the keys of the first rows of a column, which has to stay as it is. */
    public void set(BytesColumn column, int rowCount) {
        keys = column;
        size = rowCount;
        if (first.length < rowCount) {
            first = new long[rowCount];
            second = new long[rowCount];
        }
        for (int from = 0; from < rowCount; from += WINDOW) {
            number(column, from, Math.min(rowCount, from + WINDOW), first, second);
        }
    }

    private static void number(BytesColumn column, int from, int to, long[] first, long[] second) {
        byte[] data = column.data();
        int[] ends = column.offsets();
        int wholeFrom = data.length - NUMBER_BYTES;
        for (int row = from; row < to; row++) {
            int start = ends[row];
            int length = ends[row + 1] - start;
            int rest = Math.max(0, length - Long.BYTES);
            if (start <= wholeFrom) {
                first[row] = number(data, start, length);
                second[row] = number(data, start + Long.BYTES, rest);
            } else {
                first[row] = ByteStrings.orderedHead(data, start, length);
                second[row] = ByteStrings.orderedHead(data, start + length - rest, rest);
            }
        }
    }

    /** The first bytes, at most eight, of which all eight can be read. */
    private static long number(byte[] data, int start, int length) {
        long number = ByteAccess.getLongBigEndian(data, start);
        if (length < Long.BYTES) {
            number = length == 0 ? 0 : number & -1L << (Long.SIZE - Byte.SIZE * length);
        }
        return number ^ Long.MIN_VALUE;
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** A copy of one. */
    public byte[] get(int row) {
        return keys.get(row);
    }

    /**
     * Less than, equal to or greater than 0 as a key comes before another, is it or comes after.
     */
    public int compare(int row, AscendingKeys others, int other) {
        long here = first[row];
        long there = others.first[other];
        if (here == there) {
            here = second[row];
            there = others.second[other];
            if (here == there) {
                return compareRest(row, others, other);
            }
        }
        return here < there ? -1 : 1;
    }

    /** Of keys whose numbers are equal: so if one has ended, the shorter one comes first. */
    private int compareRest(int row, AscendingKeys others, int other) {
        int[] ends = keys.offsets();
        int[] otherEnds = others.keys.offsets();
        int length = ends[row + 1] - ends[row];
        int otherLength = otherEnds[other + 1] - otherEnds[other];
        if (Math.min(length, otherLength) <= NUMBER_BYTES) {
            return Integer.compare(length, otherLength);
        }
        return ByteAccess.compare(
                keys.data(),
                ends[row] + NUMBER_BYTES,
                ends[row + 1],
                others.keys.data(),
                otherEnds[other] + NUMBER_BYTES,
                otherEnds[other + 1]);
    }

    /**
     * The first of the rows {@code [from, to)} whose key is not less than another one; {@code to}
     * if there is none. Takes steps that double before it halves them, so that what is near is
     * found at once.
     */
    public int firstNotLess(int from, int to, AscendingKeys others, int other) {
        int low = from;
        int high = from;
        int step = 1;
        while (high < to && compare(high, others, other) < 0) {
            low = high + 1;
            high = (int) Math.min(to, (long) low + step - 1);
            step <<= 1;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, others, other) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
