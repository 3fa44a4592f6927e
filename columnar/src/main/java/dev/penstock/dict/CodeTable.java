package dev.penstock.dict;

import dev.penstock.kernel.BitPacking;

import org.jspecify.annotations.Nullable;

/**
 * Codes of a dictionary of near longs, found by the distance from the smallest one: what makes the
 * union with thousands of days, and the translation of their codes, a pass without branches.
 */
final class CodeTable {
    private static final int MAX_SPAN = 1 << 16;
    private static final int SPAN_PER_ENTRY = 8;

    /** A table of this span is small enough for any number of entries. */
    private static final int SMALL_SPAN = 1 << 13;

    private static final long MAX_SUMMAND = 1 << 29;

    private final long base;
    private final int span;

    /** By distance one more than the code; 0 where there is no entry. As many as a power of two. */
    private final char[] codes;

    private CodeTable(long base, int span, char[] codes) {
        this.base = base;
        this.span = span;
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
        long most = Math.min(MAX_SPAN, Math.max(SMALL_SPAN, SPAN_PER_ENTRY * (long) size));
        if (span <= 0 || span > most) {
            return null;
        }
        char[] codes = new char[1 << BitPacking.bitsFor(span - 1)];
        for (int i = 0; i < size; i++) {
            codes[(int) (entries[i] - base)] = (char) (i + 1);
        }
        return new CodeTable(base, (int) span, codes);
    }

    /** By distance from the smallest entry one more than the code; 0 where there is no entry. */
    char[] places() {
        return codes;
    }

    /** Whether all of the ascending {@code values}, at least one, are entries. */
    boolean holds(long[] values) {
        if (values[0] < base || values[values.length - 1] > base + (span - 1)) {
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

    /** Whether all of the first {@code count} values, in any order, are entries. */
    boolean holdsAll(long[] values, int count) {
        char[] table = codes;
        long first = base;
        long distances = 0;
        int missing = 0;
        for (int i = 0; i < count; i++) {
            long distance = values[i] - first;
            distances |= distance;
            missing |= table[(int) distance & (table.length - 1)] - 1;
        }
        return missing >= 0 && Long.compareUnsigned(distances, table.length) < 0;
    }

    /**
     * Writes the codes of the first {@code count} values, in any order, to {@code out} from {@code
     * outAt} on; false if one of them is no entry.
     */
    boolean codesOf(long[] values, int count, int[] out, int outAt) {
        char[] table = codes;
        long first = base;
        long distances = 0;
        int missing = 0;
        for (int i = 0; i < count; i++) {
            long distance = values[i] - first;
            int code = table[(int) distance & (table.length - 1)] - 1;
            distances |= distance;
            missing |= code;
            out[outAt + i] = code;
        }
        return missing >= 0 && Long.compareUnsigned(distances, table.length) < 0;
    }

    /**
     * Turns distances from {@code reference}, none negative or of more than 29 bits, into codes;
     * false if one of the values is no entry.
     */
    boolean codesOfDistances(long reference, int[] distances, int from, int count) {
        long summand = reference - base;
        if (summand < -MAX_SUMMAND || summand > MAX_SUMMAND) {
            return false;
        }
        char[] table = codes;
        int first = (int) summand;
        int all = 0;
        int missing = 0;
        for (int i = from; i < from + count; i++) {
            int distance = distances[i] + first;
            int code = table[distance & (table.length - 1)] - 1;
            all |= distance;
            missing |= code;
            distances[i] = code;
        }
        return missing >= 0 && Integer.compareUnsigned(all, table.length) < 0;
    }
}
