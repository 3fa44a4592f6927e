package dev.penstock.dict;

import dev.penstock.kernel.BitPacking;

/**
 * Reduces a dictionary to the entries that some rows have: finds out which they are from the rows'
 * codes, makes their dictionary and translates the codes to it. Owned by one thread.
 */
public final class DictionarySubset {
    /** Rows after which it is found out whether all entries have been seen. */
    private static final int WINDOW = 1 << 11;

    private final EntryMarks marks = new EntryMarks();
    private Dictionary all = new LongDictionary(new long[0]);
    private int distinct;

    /** Starts with the dictionary that all rows have in common. */
    public void begin(Dictionary dictionary) {
        all = dictionary;
        distinct = 0;
        // Its marks are as many as a power of two.
        marks.ensure(1 << BitPacking.bitsFor(Math.max(0, dictionary.size() - 1)));
        marks.clear(dictionary.size());
    }

    /** Takes note of the first {@code count} codes; how many distinct ones there are. */
    public int count(int[] codes, int count) {
        int size = all.size();
        for (int at = 0; at < count && distinct < size; at += WINDOW) {
            mark(codes, at, Math.min(count, at + WINDOW), marks.bytes());
            distinct = marks.count(size);
        }
        return distinct;
    }

    private static void mark(int[] codes, int from, int to, byte[] seen) {
        for (int i = from; i < to; i++) {
            seen[codes[i] & (seen.length - 1)] = 1;
        }
    }

    /**
     * The dictionary of the entries that occur, to whose codes the first {@code count} codes are
     * translated.
     */
    public Dictionary reduce(int[] codes, int count) {
        if (distinct == all.size()) {
            return all;
        }
        Dictionary some =
                switch (all) {
                    case LongDictionary longs -> longs(longs);
                    case BytesDictionary bytes -> bytes(bytes);
                };
        marks.leaveOutOthers(all.size());
        marks.translate(codes, count);
        return some;
    }

    private LongDictionary longs(LongDictionary from) {
        long[] some = new long[distinct];
        int next = 0;
        for (int i = 0; i < from.size(); i++) {
            if (marks.occurs(i)) {
                some[next++] = from.value(i);
            }
        }
        return new LongDictionary(some);
    }

    /** Bytes of the entries that occur: many small dictionaries may be kept for a while. */
    private int byteCount(BytesDictionary from) {
        int count = 0;
        for (int i = 0; i < from.size(); i++) {
            count += marks.occurs(i) ? from.length(i) : 0;
        }
        return count;
    }

    private BytesDictionary bytes(BytesDictionary from) {
        int[] starts = from.offsets();
        int[] offsets = new int[distinct + 1];
        byte[] data = new byte[byteCount(from) + BytesDictionary.SLACK];
        int next = 0;
        for (int i = 0; i < from.size(); i++) {
            if (marks.occurs(i)) {
                int length = from.length(i);
                System.arraycopy(from.data(), starts[i], data, offsets[next], length);
                offsets[next + 1] = offsets[next] + length;
                next++;
            }
        }
        return new BytesDictionary(distinct, offsets, data);
    }
}
