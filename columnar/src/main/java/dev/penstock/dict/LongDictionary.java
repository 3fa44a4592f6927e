package dev.penstock.dict;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** A dictionary of {@code LONG} values. */
public final class LongDictionary implements Dictionary {
    private final long[] values;

    /** Made when first needed, by races that make the same. */
    private @Nullable CodeTable table;

    /** Takes ownership of {@code values}, which are strictly ascending. */
    public LongDictionary(long[] values) {
        this.values = values;
    }

    @Override
    public int size() {
        return values.length;
    }

    /** Values by code; not to be changed. */
    public long[] values() {
        return values;
    }

    public long value(int code) {
        return values[code];
    }

    /** Number of entries smaller than {@code value}: its code, if it is an entry. */
    public int lowerBound(long value) {
        int found = Arrays.binarySearch(values, value);
        return found >= 0 ? found : -found - 1;
    }

    /**
     * Whether the first {@code count} values are entries; also false if that is not cheap to say.
     */
    public boolean isSeenToHold(long[] values, int count) {
        CodeTable known = table();
        return known != null && known.holdsAll(values, count);
    }

    /**
     * Writes the codes of the first {@code count} values to {@code out} from {@code outAt} on.
     *
     * @return false if one of them is no entry, or if there is no cheap way; then what was written
     *     means nothing
     */
    public boolean codesOf(long[] values, int count, int[] out, int outAt) {
        CodeTable known = table();
        return known != null && known.codesOf(values, count, out, outAt);
    }

    /**
     * Turns {@code count} distances from a value, from {@code from} on, none negative or of more
     * than 29 bits, into the codes of the values.
     *
     * @return as {@link #codesOf}
     */
    public boolean codesOfDistances(long reference, int[] distances, int from, int count) {
        CodeTable known = table();
        return known != null && known.codesOfDistances(reference, distances, from, count);
    }

    /** How far the largest entry is above the smallest, if there is one and that is a long. */
    public long span() {
        return values[values.length - 1] - values[0];
    }

    /**
     * By distance from the smallest entry one more than the code of the entry there, 0 where there
     * is none; not to be changed. Null if entries are too far from each other.
     */
    public char @Nullable [] places() {
        CodeTable known = table();
        return known == null ? null : known.places();
    }

    boolean sameAs(LongDictionary other) {
        return this == other || Arrays.equals(values, other.values);
    }

    /** Both dictionaries' values; this very object if it holds all of the other's. */
    LongDictionary union(LongDictionary other) {
        if (sameAs(other)) {
            return this;
        }
        CodeTable known = other.size() == 0 ? null : table();
        if (known != null && known.holds(other.values)) {
            return this;
        }
        long[] left = values;
        long[] right = other.values;
        long[] merged = new long[left.length + right.length];
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < left.length && j < right.length) {
            long a = left[i];
            long b = right[j];
            merged[count++] = Math.min(a, b);
            i += a <= b ? 1 : 0;
            j += b <= a ? 1 : 0;
        }
        if (count + left.length - i + right.length - j == left.length) {
            return this;
        }
        for (; i < left.length; i++) {
            merged[count++] = left[i];
        }
        for (; j < right.length; j++) {
            merged[count++] = right[j];
        }
        return new LongDictionary(Arrays.copyOf(merged, count));
    }

    /** Whether all values of another dictionary are in this one. */
    public boolean holds(LongDictionary other) {
        CodeTable known = table();
        if (known != null) {
            return other.size() == 0 || known.holds(other.values);
        }
        int at = 0;
        for (long value : other.values) {
            while (at < values.length && values[at] < value) {
                at++;
            }
            if (at == values.length || values[at] != value) {
                return false;
            }
        }
        return true;
    }

    /** For each code of this dictionary the code in {@code wider}, which holds all its values. */
    public char[] remapTo(LongDictionary wider) {
        CodeTable known = wider.table();
        if (known != null) {
            return known.codesOf(values);
        }
        char[] codes = new char[values.length];
        int code = 0;
        for (int i = 0; i < values.length; i++) {
            while (wider.values[code] != values[i]) {
                code++;
            }
            codes[i] = (char) code;
        }
        return codes;
    }

    private @Nullable CodeTable table() {
        CodeTable known = table;
        if (known == null) {
            known = CodeTable.of(values);
            table = known;
        }
        return known;
    }
}
