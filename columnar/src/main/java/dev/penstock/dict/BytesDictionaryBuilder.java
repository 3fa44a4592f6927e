package dev.penstock.dict;

import org.jspecify.annotations.Nullable;

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

    private final EntryMarks marks = new EntryMarks();
    private final StringEntries entries = new StringEntries(marks);
    private final ValuedRows valued;

    /** All entries in order, once a slice had all of them; null if there are others since. */
    private @Nullable BytesDictionary all;

    private BytesDictionary result = EMPTY;

    public BytesDictionaryBuilder() {
        this(new ValuedRows());
    }

    /** One of the builders of a thread, which share scratch memory. */
    public BytesDictionaryBuilder(ValuedRows valued) {
        this.valued = valued;
    }

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
        if (words.length == 0) {
            return run(offsets, data, from, count, limit, codes);
        }
        valued.take(offsets, data, from, count, words);
        if (!run(valued.offsets(), valued.data(), 0, valued.count(), limit, codes)) {
            return false;
        }
        valued.spread(codes, from, count, words);
        return true;
    }

    private boolean run(int[] offsets, byte[] data, int from, int count, int limit, int[] codes) {
        int kept = entries.size();
        marks.clear(kept);
        int most = kept > 0 ? Math.clamp(2L * count, MIN_KEPT, Dictionary.MAX_ENTRIES) : limit;
        boolean done = entries.numberAll(offsets, data, from, count, codes, most);
        if (!done && kept > 0) {
            forget();
            done = entries.numberAll(offsets, data, from, count, codes, limit);
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

    private void forget() {
        entries.clear();
        all = null;
    }

    private boolean finish(int count, int limit, int[] codes) {
        int size = entries.size();
        int distinct = marks.count(size);
        if (distinct > limit) {
            return false;
        }
        if (!entries.isOrdered()) {
            entries.order();
            all = null;
        }
        if (distinct < size) {
            result = entries.dictionary(true, distinct);
            marks.leaveOutOthers(size);
        } else {
            result = all(size);
        }
        marks.translate(codes, count);
        return true;
    }

    private BytesDictionary all(int size) {
        BytesDictionary known = all;
        if (known == null) {
            known = size == 0 ? EMPTY : entries.dictionary(false, size);
            all = known;
        }
        return known;
    }
}
