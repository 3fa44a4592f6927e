package dev.penstock.dict;

import dev.penstock.kernel.BitRange;

import java.util.Arrays;

/**
 * Finds the distinct byte strings of a slice and the code of each row.
 *
 * <p>The entries of one slice are kept for the next one of the same column ({@link StringEntries}),
 * which mostly has the same: then each string is looked up once and its entry marked as occurring.
 * New ones are added and the entries put in order again. The result is always exactly that of the
 * slice: entries that do not occur in it are left out. Gives up at the first entry too many.
 *
 * <p>Owned by one thread; the result of {@link #dictionary} belongs to the caller.
 */
public final class BytesDictionaryBuilder {
    private static final int MIN_KEPT = 64;
    private static final BytesDictionary EMPTY =
            new BytesDictionary(0, new int[1], new byte[BytesDictionary.SLACK]);

    /** Rows numbered by one call of a hot loop. */
    private static final int WINDOW = 1 << 13;

    private final EntryMarks marks = new EntryMarks();
    private final StringEntries entries = new StringEntries(marks);

    /** Whether entries are in ascending order; then {@link #all} holds them. */
    private boolean ordered = true;

    private BytesDictionary all = EMPTY;
    private BytesDictionary result = EMPTY;
    private int most;

    /**
     * Codes of the rows [from, from + count).
     *
     * @param words validity bits of the rows (bit {@code row}), or an empty array if none is NULL;
     *     a NULL gets some code and no entry
     * @param limit most distinct values wanted, at most {@link Dictionary#MAX_ENTRIES}
     * @param codes gets {@code count} codes
     * @return false if there are too many distinct values or too many bytes in them
     */
    public boolean run(
            int[] offsets, byte[] data, int from, int count, long[] words, int limit, int[] codes) {
        int kept = entries.size();
        marks.clear(kept);
        most = kept > 0 ? Math.clamp(2L * count, MIN_KEPT, Dictionary.MAX_ENTRIES) : limit;
        boolean done = number(offsets, data, from, count, words, codes);
        if (!done && kept > 0) {
            forget();
            most = limit;
            done = number(offsets, data, from, count, words, codes);
        }
        if (!done) {
            forget();
            return false;
        }
        return finish(count, limit, codes);
    }

    /** The dictionary of the last successful run. */
    public BytesDictionary dictionary() {
        return result;
    }

    private boolean number(
            int[] offsets, byte[] data, int from, int count, long[] words, int[] codes) {
        int last = from + count;
        int row = from;
        while (row < last) {
            int to = Math.min(last, row + WINDOW);
            if (words.length > 0) {
                int valid = BitRange.nextSet(words, row, to);
                Arrays.fill(codes, row - from, valid - from, 0);
                row = valid;
                to = BitRange.nextClear(words, row, to);
            }
            if (!numberAll(offsets, data, row, to, codes, row - from)) {
                return false;
            }
            row = to;
        }
        return true;
    }

    /** Numbers rows, none of which is NULL; false if there are too many different ones. */
    private boolean numberAll(int[] offsets, byte[] data, int from, int to, int[] codes, int at) {
        int row = from;
        while (row < to) {
            row += entries.number(offsets, data, row, to, codes, at + row - from);
            if (row < to) {
                int number = entries.find(offsets, data, row);
                if (number < 0) {
                    if (!entries.add(offsets, data, row, most)) {
                        return false;
                    }
                    ordered = false;
                    number = entries.size() - 1;
                }
                marks.bytes()[number] = 1;
                codes[at + row - from] = number;
                row++;
            }
        }
        return true;
    }

    private void forget() {
        entries.clear();
        ordered = true;
        all = EMPTY;
    }

    private boolean finish(int count, int limit, int[] codes) {
        int size = entries.size();
        int distinct = marks.count(size);
        if (distinct > limit) {
            return false;
        }
        if (!ordered) {
            entries.order();
            all = entries.dictionary(false, size);
            ordered = true;
        }
        result = all;
        if (distinct < size) {
            result = entries.dictionary(true, distinct);
            marks.leaveOutOthers(size);
        }
        marks.translate(codes, count);
        return true;
    }
}
