package dev.penstock.kv.net;

import dev.penstock.kv.wire.Frame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays for received bulks, used again so that they need not be cleared each time. Sizes are
 * powers of two; what exceeds the bound is left to the garbage collector. Thread-safe.
 */
final class BulkArrays {
    private static final int SMALLEST_BITS = 16;
    private static final int LARGEST_BITS = 24;

    private final long maxKeptBytes;
    private final List<ArrayDeque<byte[]>> free = newLists();
    private long keptBytes;

    /**
     * @param maxKeptBytes most bytes of arrays that wait to be used again
     */
    BulkArrays(long maxKeptBytes) {
        this.maxKeptBytes = maxKeptBytes;
    }

    private static List<ArrayDeque<byte[]>> newLists() {
        List<ArrayDeque<byte[]>> lists = new ArrayList<>();
        for (int bits = SMALLEST_BITS; bits <= LARGEST_BITS; bits++) {
            lists.add(new ArrayDeque<>());
        }
        return List.copyOf(lists);
    }

    /** An array for a bulk and its padding; it may hold bytes of an earlier one. */
    byte[] take(int bulkLength) {
        int needed = bulkLength + Frame.BULK_PADDING;
        int bits = 32 - Integer.numberOfLeadingZeros(needed - 1);
        if (bits <= SMALLEST_BITS || bits > LARGEST_BITS) {
            return new byte[needed];
        }
        synchronized (this) {
            byte[] kept = free.get(bits - SMALLEST_BITS).pollLast();
            if (kept != null) {
                keptBytes -= kept.length;
                return kept;
            }
        }
        return new byte[1 << bits];
    }

    /** Nobody else may hold the array any more. */
    void giveBack(byte[] array) {
        int bits = 31 - Integer.numberOfLeadingZeros(Math.max(1, array.length));
        if (bits <= SMALLEST_BITS || bits > LARGEST_BITS || array.length != 1 << bits) {
            return;
        }
        synchronized (this) {
            if (keptBytes + array.length <= maxKeptBytes) {
                keptBytes += array.length;
                free.get(bits - SMALLEST_BITS).addLast(array);
            }
        }
    }
}
