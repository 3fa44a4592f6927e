package dev.penstock.dict;

import org.jspecify.annotations.Nullable;

/**
 * Codes of a dictionary of near longs, found by the distance from the smallest one: what makes the
 * union with thousands of days, and the translation of their codes, a pass without branches.
 */
final class CodeTable {
    private static final int MAX_SPAN = 1 << 16;
    private static final int SPAN_PER_ENTRY = 8;

    private final long base;

    /** By distance one more than the code; 0 where there is no entry. */
    private final char[] codes;

    private CodeTable(long base, char[] codes) {
        this.base = base;
        this.codes = codes;
    }

    /** A table of ascending entries, or null if they are too far from each other. */
    static @Nullable CodeTable of(long[] entries) {
        int size = entries.length;
        if (size == 0) {
            return null;
        }
        long base = entries[0];
        long span = entries[size - 1] - base + 1;
        if (span <= 0 || span > Math.min(MAX_SPAN, SPAN_PER_ENTRY * (long) size)) {
            return null;
        }
        char[] codes = new char[(int) span];
        for (int i = 0; i < size; i++) {
            codes[(int) (entries[i] - base)] = (char) (i + 1);
        }
        return new CodeTable(base, codes);
    }

    /** Whether all of the ascending {@code values}, at least one, are entries. */
    boolean holds(long[] values) {
        if (values[0] < base || values[values.length - 1] > base + (codes.length - 1)) {
            return false;
        }
        int missing = 0;
        for (int i = 0; i < values.length; i++) {
            missing |= codes[(int) (values[i] - base)] - 1;
        }
        return missing >= 0;
    }

    /** The codes of {@code values}, all of which are entries. */
    char[] codesOf(long[] values) {
        char[] found = new char[values.length];
        for (int i = 0; i < values.length; i++) {
            found[i] = (char) (codes[(int) (values[i] - base)] - 1);
        }
        return found;
    }
}
