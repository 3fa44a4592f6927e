package dev.penstock.dict;

import org.jspecify.annotations.Nullable;

/**
 * Words that are not in a {@link TokenTable}, and the codes that they were taken apart to. A word
 * has one place and drives out who is there: what is rare in a text is mostly the same few thousand
 * words, and finding the longest token again and again takes longer than all the words around.
 *
 * <p>A word is given as its two words with its length, as {@link TokenTable} has tokens. Owned by
 * one thread, of one {@link TokenEncoder}.
 */
final class PieceCache {
    private static final int SLOT_BITS = 12;

    /** Words of more pieces have no place. */
    private static final int MAX_PIECES = 8;

    /** By slot: the table that a word was taken apart with; null if there is none. */
    private final @Nullable TokenTable[] tables = new TokenTable[1 << SLOT_BITS];

    private final long[] words = new long[2 << SLOT_BITS];
    private final char[] pieces = new char[MAX_PIECES << SLOT_BITS];
    private final byte[] counts = new byte[1 << SLOT_BITS];

    /**
     * Copies a word's pieces to {@code out[at ..]}, which has room, and returns how many, or 0. An
     * equal table that is another object is taken for another one: comparing them takes too long.
     */
    @SuppressWarnings("ReferenceEquality")
    int copy(TokenTable table, long low, long high, int[] out, int at) {
        int slot = slot(low, high);
        if (words[2 * slot] != low || words[2 * slot + 1] != high || tables[slot] != table) {
            return 0;
        }
        int count = counts[slot];
        for (int i = 0; i < count; i++) {
            out[at + i] = pieces[MAX_PIECES * slot + i];
        }
        return count;
    }

    /** Keeps {@code source[at .. at + count)} as a word's pieces, unless these are too many. */
    void put(TokenTable table, long low, long high, int[] source, int at, int count) {
        if (count > MAX_PIECES) {
            return;
        }
        int slot = slot(low, high);
        tables[slot] = table;
        words[2 * slot] = low;
        words[2 * slot + 1] = high;
        counts[slot] = (byte) count;
        for (int i = 0; i < count; i++) {
            pieces[MAX_PIECES * slot + i] = (char) source[at + i];
        }
    }

    private static int slot(long low, long high) {
        return TokenTable.slot(low, high) >>> TokenTable.SLOT_BITS - SLOT_BITS;
    }
}
