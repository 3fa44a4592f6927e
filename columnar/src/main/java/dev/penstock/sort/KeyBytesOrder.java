package dev.penstock.sort;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.BitPacking;
import dev.penstock.key.KeyCodec;

import java.util.Arrays;

/**
 * Finds the order of rows by their keys as bytes, stably: by the values themselves if these are
 * their own keys, else by encoded ones. Rows are a range of places, and ranges are sorted one after
 * the other:
 *
 * <ol>
 *   <li>Of the next eight bytes of each key, the head, those bits that are not the same in all keys
 *       become a number, and so many of its upper ones as fit into 63 bits beside the place are
 *       radix-sorted ({@link RadixSort}). Text has few such bits a byte. Heads begin after all that
 *       the keys have in common if they would be the same otherwise, or if the number has room for
 *       more. Keys that have ended go on with zeros.
 *   <li>Places with equal numbers are a range again, of which more is the same.
 *   <li>Small ranges, those of a few ascending runs, and those that differ in trailing zeros only
 *       are merge-sorted, by the heads and only on ties by all bytes.
 * </ol>
 *
 * <p>Owned by one thread; keeps its memory.
 */
final class KeyBytesOrder {
    /** Ranges of fewer rows are merge-sorted. */
    private static final int MIN_RADIX = 64;

    /** Runs that are merged sooner than their keys are radix-sorted. */
    private static final int MAX_MERGED = 4;

    /** Of a number and the place beside it. */
    private static final int MOST_BITS = 63;

    private static final byte[] NO_DATA = new byte[0];

    private final RadixSort radix;
    private final ByteBuilder encoded = new ByteBuilder(0);
    private int[] encodedOffsets = new int[1];

    /** The keys: row i has data[offsets[i] .. offsets[i + 1]). */
    private byte[] data = NO_DATA;

    private int[] offsets = encodedOffsets;

    /** Of each row, after what its range has in common: as unsigned numbers in key order. */
    private long[] heads = new long[0];

    private long[] packed = new long[0];
    private int[] rows = new int[0];
    private int[] other = new int[0];
    private int[] starts = new int[16];
    private boolean duplicates;

    // Ranges that are still to be sorted: where each begins and ends, and how many bytes, or zeros
    // after them, are known to be the same in all keys.
    private int[] pending = new int[48];
    private int pendingCount;

    /**
     * @param radix memory that the caller lends
     */
    KeyBytesOrder(RadixSort radix) {
        this.radix = radix;
    }

    /**
     * Writes the first {@code count} rows of a batch in key order to the beginning of {@code out}.
     *
     * @return whether any two rows have the same key
     */
    boolean run(KeyCodec codec, ColumnBatch batch, int count, int[] out) {
        open(codec, batch, count);
        for (int row = 0; row < count; row++) {
            rows[row] = row;
        }
        duplicates = false;
        pendingCount = 0;
        add(0, count, 0);
        while (pendingCount > 0) {
            pendingCount--;
            int at = 3 * pendingCount;
            sort(pending[at], pending[at + 1], pending[at + 2]);
        }
        System.arraycopy(rows, 0, out, 0, count);
        data = NO_DATA;
        offsets = encodedOffsets;
        return duplicates;
    }

    private void open(KeyCodec codec, ColumnBatch batch, int count) {
        if (rows.length < count) {
            int room = count + (count >> 2);
            rows = new int[room];
            other = new int[room];
            heads = new long[room];
            packed = new long[room];
        }
        if (codec.ordersAsValues()) {
            BytesColumn values = batch.bytes(codec.firstColumn());
            data = values.data();
            offsets = values.offsets();
            return;
        }
        if (encodedOffsets.length <= count) {
            encodedOffsets = new int[rows.length + 1];
        }
        encoded.clear();
        for (int row = 0; row < count; row++) {
            encodedOffsets[row] = encoded.length();
            codec.encode(batch, row, encoded);
        }
        encodedOffsets[count] = encoded.length();
        data = encoded.array();
        offsets = encodedOffsets;
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

    /**
     * Sorts the rows at places [from, to), all keys of which begin with the same bytes, or have
     * ended and would with zeros.
     */
    private void sort(int from, int to, int knownPrefix) {
        int prefix = knownPrefix;
        long varying = KeyHeads.find(data, offsets, rows, from, to, prefix, heads);
        if (varying == 0) {
            prefix = KeyHeads.common(data, offsets, rows, from, to, prefix);
            varying = KeyHeads.find(data, offsets, rows, from, to, prefix, heads);
        }
        if (varying == 0) {
            mergeRuns(from, to);
            return;
        }
        int skipped = Long.numberOfLeadingZeros(varying) / Byte.SIZE;
        if (skipped > 0 && Long.bitCount(varying) < MOST_BITS - placeBits(from, to)) {
            // Bytes that differ fit into the number beside those that did until now.
            prefix += skipped;
            varying = KeyHeads.find(data, offsets, rows, from, to, prefix, heads);
        }
        if (to - from < MIN_RADIX || hasFewRuns(from, to)) {
            mergeRuns(from, to);
        } else {
            sortByHeads(from, to, prefix, varying);
        }
    }

    private void sortByHeads(int from, int to, int prefix, long varying) {
        int placeBits = placeBits(from, to);
        int bits = Long.bitCount(varying);
        int dropped = Math.max(0, bits - (MOST_BITS - placeBits));
        KeyHeads.pack(heads, rows, from, to, varying, dropped, placeBits, packed);
        long[] sorted = radix.run(packed, to - from, placeBits, bits - dropped);
        KeyHeads.place(sorted, rows, from, to, placeBits, other);
        System.arraycopy(other, from, rows, from, to - from);
        addTies(sorted, from, to, placeBits, dropped == 0 ? prefix + Long.BYTES : prefix);
    }

    private static int placeBits(int from, int to) {
        return BitPacking.bitsFor(to - from - 1L);
    }

    /** Adds the ranges of equal numbers; small ones are sorted at once, by the heads they have. */
    private void addTies(long[] sorted, int from, int to, int placeBits, int prefix) {
        int count = to - from;
        int first = KeyHeads.nextTie(sorted, 0, count, placeBits);
        while (first < count) {
            long number = sorted[first] >>> placeBits;
            int end = first + 2;
            while (end < count && sorted[end] >>> placeBits == number) {
                end++;
            }
            if (end - first >= MIN_RADIX) {
                add(from + first, from + end, prefix);
            } else {
                mergeRuns(from + first, from + end);
            }
            first = KeyHeads.nextTie(sorted, end, count, placeBits);
        }
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
        findDuplicates(from, to);
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

    /** Equal keys stay in the same ranges until one of them is merge-sorted. */
    private void findDuplicates(int from, int to) {
        for (int i = from + 1; i < to && !duplicates; i++) {
            duplicates = compare(rows[i - 1], rows[i]) == 0;
        }
    }

    /** Compares the keys of two rows whose heads begin at the same byte. */
    private int compare(int left, int right) {
        int order = Long.compareUnsigned(heads[left], heads[right]);
        return order != 0 ? order : compareAll(left, right);
    }

    private int compareAll(int left, int right) {
        return ByteAccess.compare(
                data, offsets[left], offsets[left + 1], data, offsets[right], offsets[right + 1]);
    }
}
