package dev.penstock.dict;

/**
 * The distinct byte strings of many slices, which are to have one dictionary. Begins with {@link
 * #clear}; then any number of {@link #add}, then {@link #dictionary}. Owned by one thread; keeps
 * its memory.
 */
public final class DistinctStrings {
    private final StringEntries entries = new StringEntries(new EntryMarks());
    private final ValuedRows valued = new ValuedRows();
    private int[] numbers = new int[0];

    /** Forgets all of them. */
    public void clear() {
        entries.clear();
    }

    /**
     * Takes in the first {@code count} rows of a slice.
     *
     * @param words validity bits, or an empty array if none is NULL
     * @return false if there are more than a dictionary may have, or too many bytes in them
     */
    public boolean add(int[] offsets, byte[] data, int count, long[] words) {
        if (words.length == 0) {
            return number(offsets, data, count);
        }
        valued.take(offsets, data, 0, count, words);
        return number(valued.offsets(), valued.data(), valued.count());
    }

    private boolean number(int[] offsets, byte[] data, int count) {
        if (numbers.length < count) {
            numbers = new int[count];
        }
        return entries.numberAll(offsets, data, 0, count, numbers, Dictionary.MAX_ENTRIES);
    }

    /** A dictionary of all that were added, which belongs to the caller. */
    public BytesDictionary dictionary() {
        if (!entries.isOrdered()) {
            entries.order();
        }
        return entries.dictionary(false, entries.size());
    }
}
