package dev.penstock.dict;

import org.jspecify.annotations.Nullable;

/**
 * Finds byte strings in a dictionary by a hash of theirs. Made ready by {@link #begin}, which takes
 * a while for a large dictionary, and so does nothing if the last one is asked again. Owned by one
 * thread; keeps its memory.
 */
public final class StringLookup {
    private final StringEntries entries = new StringEntries(new EntryMarks());
    private final ValuedRows valued = new ValuedRows();
    private int[] numbers = new int[0];
    private @Nullable BytesDictionary dictionary;

    /** The dictionary that is asked from now on. */
    public void begin(BytesDictionary newDictionary) {
        if (dictionary == newDictionary) {
            return;
        }
        dictionary = null;
        entries.clear();
        int size = newDictionary.size();
        if (numbers.length < size) {
            numbers = new int[size];
        }
        // In their order each gets its code for its number.
        entries.numberAll(
                newDictionary.offsets(),
                newDictionary.data(),
                0,
                size,
                numbers,
                Dictionary.MAX_ENTRIES);
        dictionary = newDictionary;
    }

    /**
     * Codes of the first {@code count} rows of a slice.
     *
     * @param words validity bits, or an empty array if none is NULL; a NULL gets some code
     * @param codes gets {@code count} codes
     * @return false if the dictionary lacks one of the strings; the codes mean nothing then
     */
    public boolean find(int[] offsets, byte[] data, int count, long[] words, int[] codes) {
        if (words.length == 0) {
            return number(offsets, data, count, codes);
        }
        valued.take(offsets, data, 0, count, words);
        boolean found = number(valued.offsets(), valued.data(), valued.count(), codes);
        valued.spread(codes, 0, count, words);
        return found;
    }

    private boolean number(int[] offsets, byte[] data, int count, int[] codes) {
        return entries.numberAll(offsets, data, 0, count, codes, entries.size());
    }
}
