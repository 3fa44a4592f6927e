package dev.penstock.parse;

import java.util.Arrays;

/**
 * Where the quotes of a text are, as {@link RecordBoundary} found them, so that {@link RowIndex}
 * need not look for them again. Either all are known or nothing is. Phases: filled while text is
 * read, asked while it is parsed, forgotten. Owned by one thread.
 */
public final class QuotePlaces {
    /** Of a text with more of them none is kept. */
    private static final int MAX_PLACES = 1 << 18;

    private int[] places = new int[0];
    private int count;
    private boolean known;

    /** Nothing is known any more. */
    public void forget() {
        count = 0;
        known = false;
    }

    /** A further quote, behind all others. */
    void add(int at) {
        if (count == places.length && count < MAX_PLACES) {
            places = Arrays.copyOf(places, Math.clamp(2L * count, 1 << 10, MAX_PLACES));
        }
        if (count < places.length) {
            places[count] = at;
        }
        count++;
    }

    /**
     * Further quotes, behind all others.
     *
     * @param masks mask words of text that begins at {@code base}
     * @param found set bits of them
     */
    void addAll(int base, long[] masks, int words, int found) {
        if (count + found > MAX_PLACES) {
            count = MAX_PLACES + 1;
            return;
        }
        for (int word = 0; word < words; word++) {
            for (long rest = masks[word]; rest != 0; rest &= rest - 1) {
                add(base + (word << 6) + Long.numberOfTrailingZeros(rest));
            }
        }
    }

    /** All quotes have been added. */
    void complete() {
        known = count <= places.length;
    }

    /** Whether all quotes of the text are known. */
    public boolean areKnown() {
        return known;
    }

    /** Whether a byte that is no quote lies between quotes, of a text whose quotes are known. */
    public boolean enclose(int at) {
        int before = -1 - Arrays.binarySearch(places, 0, count, at);
        return (before & 1) == 1;
    }

    /**
     * Writes one mask word for each 64 bytes of the text's {@code [from, to)}, as {@link
     * dev.penstock.kernel.ScanKernels#masks} does; returns how many quotes there are.
     */
    int masks(int from, int to, long[] out) {
        Arrays.fill(out, 0, (to - from + 63) >> 6, 0);
        int first = Arrays.binarySearch(places, 0, count, from);
        int next = first < 0 ? -first - 1 : first;
        int found = 0;
        for (; next < count && places[next] < to; next++) {
            int bit = places[next] - from;
            out[bit >> 6] |= 1L << bit;
            found++;
        }
        return found;
    }
}
