package dev.penstock.sort;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.key.KeyCodec;

import java.util.Arrays;

/**
 * Finds the order of rows by their encoded keys, stably. Rows are a range of places, and ranges are
 * sorted one after the other:
 *
 * <ol>
 *   <li>What all keys of the range begin with is left out. Of the next eight bytes, the head, those
 *       bits that are not the same in all keys become a number, and so many of its upper ones as
 *       fit into 63 bits beside the place are radix-sorted ({@link RadixSort}). Text has few such
 *       bits a byte.
 *   <li>Places with equal numbers are a range again, of which more is the same.
 *   <li>Small ranges, and those of a few ascending runs, are merge-sorted, by the heads and only on
 *       ties by all bytes.
 * </ol>
 *
 * <p>Owned by one thread; keeps its memory.
 */
final class EncodedKeyOrder {
    /** Ranges of fewer rows are merge-sorted. */
    private static final int MIN_RADIX = 64;

    /** Runs that are merged sooner than their keys are radix-sorted. */
    private static final int MAX_MERGED = 4;

    private final RadixSort radix;
    private final ByteBuilder keys = new ByteBuilder(0);
    private int[] keyOffsets = new int[1];

    /** Of each row, after what its range has in common: as unsigned numbers in key order. */
    private long[] heads = new long[0];

    private long[] packed = new long[0];
    private int[] rows = new int[0];
    private int[] other = new int[0];
    private int[] starts = new int[16];

    // Ranges that are still to be sorted: where each begins and ends, and what is known of it to be
    // the same in all keys.
    private int[] pending = new int[48];
    private int pendingCount;

    /**
     * @param radix memory that the caller lends
     */
    EncodedKeyOrder(RadixSort radix) {
        this.radix = radix;
    }

    /**
     * Writes the first {@code count} rows of a batch in key order to the beginning of {@code out}.
     *
     * @return whether any two rows have the same key
     */
    boolean run(KeyCodec codec, ColumnBatch batch, int count, int[] out) {
        encode(codec, batch, count);
        for (int row = 0; row < count; row++) {
            rows[row] = row;
        }
        pendingCount = 0;
        add(0, count, 0);
        while (pendingCount > 0) {
            pendingCount--;
            int at = 3 * pendingCount;
            sort(pending[at], pending[at + 1], pending[at + 2]);
        }
        System.arraycopy(rows, 0, out, 0, count);
        return hasDuplicates(count);
    }

    private void encode(KeyCodec codec, ColumnBatch batch, int count) {
        if (rows.length < count) {
            int room = count + (count >> 2);
            rows = new int[room];
            other = new int[room];
            heads = new long[room];
            packed = new long[room];
            keyOffsets = new int[room + 1];
        }
        keys.clear();
        for (int row = 0; row < count; row++) {
            keyOffsets[row] = keys.length();
            codec.encode(batch, row, keys);
        }
        keyOffsets[count] = keys.length();
    }

    private void add(int from, int to, int prefix) {
        int at = 3 * pendingCount++;
        if (at + 3 > pending.length) {
            pending = Arrays.copyOf(pending, 2 * pending.length);
        }
        pending[at] = from;
        pending[at + 1] = to;
        pending[at + 2] = prefix;
    }

    /** Sorts the rows at places [from, to), all keys of which begin with the same bytes. */
    private void sort(int from, int to, int knownPrefix) {
        int prefix = prefix(from, to, knownPrefix);
        long varying = findHeads(from, to, prefix);
        if (varying == 0) {
            return; // No key begins with another, so these are equal.
        }
        if (to - from < MIN_RADIX || hasFewRuns(from, to)) {
            mergeRuns(from, to);
            return;
        }
        int placeBits = BitPacking.bitsFor(to - from - 1L);
        int bits = Long.bitCount(varying);
        int dropped = Math.max(0, bits - (63 - placeBits));
        for (int i = from; i < to; i++) {
            long number = Long.compress(heads[rows[i]], varying) >>> dropped;
            packed[i - from] = number << placeBits | i - from;
        }
        long[] sorted = radix.run(packed, to - from, placeBits, bits - dropped);
        int mask = (1 << placeBits) - 1;
        for (int i = from; i < to; i++) {
            other[i] = rows[from + ((int) sorted[i - from] & mask)];
        }
        System.arraycopy(other, from, rows, from, to - from);
        addTies(sorted, from, to, placeBits, dropped == 0 ? prefix + Long.BYTES : prefix);
    }

    /** Adds the ranges of equal numbers; small ones are sorted at once, by the heads they have. */
    private void addTies(long[] sorted, int from, int to, int placeBits, int prefix) {
        int first = from;
        for (int i = from + 1; i <= to; i++) {
            if (i < to && sorted[i - from] >>> placeBits == sorted[first - from] >>> placeBits) {
                continue;
            }
            if (i - first >= MIN_RADIX) {
                add(first, i, prefix);
            } else if (i - first > 1) {
                mergeRuns(first, i);
            }
            first = i;
        }
    }

    /** How many bytes all keys of a range begin with, of which so many are known. */
    private int prefix(int from, int to, int known) {
        byte[] bytes = keys.array();
        int first = keyOffsets[rows[from]];
        int prefix = keyOffsets[rows[from] + 1] - first;
        for (int i = from + 1; i < to && prefix > known; i++) {
            int start = keyOffsets[rows[i]];
            int length = Math.min(prefix, keyOffsets[rows[i] + 1] - start);
            int different =
                    Arrays.mismatch(
                            bytes,
                            first + known,
                            first + length,
                            bytes,
                            start + known,
                            start + length);
            prefix = different < 0 ? length : known + different;
        }
        return Math.max(prefix, known);
    }

    /** Finds the heads of a range; answers the bits in which they differ. */
    private long findHeads(int from, int to, int prefix) {
        byte[] bytes = keys.array();
        long all = -1;
        long any = 0;
        for (int i = from; i < to; i++) {
            int row = rows[i];
            int start = keyOffsets[row] + prefix;
            // Equal keys may end within what their range is known to have in common.
            int length = Math.max(0, keyOffsets[row + 1] - start);
            long head = Long.reverseBytes(ByteStrings.head(bytes, start, length));
            heads[row] = head;
            all &= head;
            any |= head;
        }
        return any & ~all;
    }

    private boolean hasFewRuns(int from, int to) {
        int runs = 1;
        for (int i = from + 1; i < to && runs <= MAX_MERGED; i++) {
            runs += compare(rows[i - 1], rows[i]) > 0 ? 1 : 0;
        }
        return runs <= MAX_MERGED;
    }

    /** Bottom-up merge sort that starts from the ascending runs. */
    private void mergeRuns(int from, int to) {
        int runs = 0;
        for (int i = from; i < to; i++) {
            if (i == from || compare(rows[i - 1], rows[i]) > 0) {
                if (runs + 1 >= starts.length) {
                    starts = Arrays.copyOf(starts, 2 * starts.length);
                }
                starts[runs++] = i;
            }
        }
        starts[runs] = to;
        while (runs > 1) {
            int merged = 0;
            for (int i = 0; i < runs; i += 2) {
                int end = i + 1 < runs ? starts[i + 2] : starts[i + 1];
                mergePair(starts[i], starts[i + 1], end);
                starts[merged++] = starts[i];
            }
            starts[merged] = to;
            runs = merged;
            System.arraycopy(other, from, rows, from, to - from);
        }
    }

    /** Merges rows[from, middle) and rows[middle, to) into the other array. */
    private void mergePair(int from, int middle, int to) {
        int left = from;
        int right = middle;
        int out = from;
        while (left < middle && right < to) {
            if (compare(rows[left], rows[right]) <= 0) {
                other[out++] = rows[left++];
            } else {
                other[out++] = rows[right++];
            }
        }
        System.arraycopy(rows, left, other, out, middle - left);
        System.arraycopy(rows, right, other, out + middle - left, to - right);
    }

    /** Compares the keys of two rows whose heads begin at the same byte. */
    private int compare(int left, int right) {
        int order = Long.compareUnsigned(heads[left], heads[right]);
        return order != 0 ? order : compareAll(left, right);
    }

    private int compareAll(int left, int right) {
        return ByteAccess.compare(
                keys.array(),
                keyOffsets[left],
                keyOffsets[left + 1],
                keys.array(),
                keyOffsets[right],
                keyOffsets[right + 1]);
    }

    /** Equal keys have been in the same ranges all the time, and so have equal heads. */
    private boolean hasDuplicates(int count) {
        for (int i = 1; i < count; i++) {
            int left = rows[i - 1];
            int right = rows[i];
            if (heads[left] == heads[right] && compareAll(left, right) == 0) {
                return true;
            }
        }
        return false;
    }
}
