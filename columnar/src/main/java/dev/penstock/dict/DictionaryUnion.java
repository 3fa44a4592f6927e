package dev.penstock.dict;

import org.jspecify.annotations.Nullable;

/**
 * The running union of the dictionaries of one column (Shared Loading, section 4.1: merge the
 * sorted dictionaries once, then remap codes). After few fragments a low-cardinality column brings
 * nothing new, which the union notices without allocating more than one scratch array. Once there
 * are too many entries it stays overflowed. One thread at a time.
 */
public final class DictionaryUnion {
    private @Nullable Dictionary union;
    private boolean overflowed;

    /** A union of nothing. */
    public DictionaryUnion() {}

    /** A union that begins with what another holds. */
    public DictionaryUnion(DictionaryUnion begun) {
        union = begun.union;
        overflowed = begun.overflowed;
    }

    /** Takes in another dictionary of the same kind. */
    public void add(Dictionary dictionary) {
        if (overflowed) {
            return;
        }
        Dictionary current = union;
        Dictionary next =
                current == null
                        ? dictionary
                        : switch (dictionary) {
                            case LongDictionary longs -> ((LongDictionary) current).union(longs);
                            case BytesDictionary bytes -> ((BytesDictionary) current).union(bytes);
                        };
        if (fits(next)) {
            union = next;
        } else {
            overflow();
        }
    }

    /**
     * Whether the first {@code count} values are known to be part of the union, so that adding them
     * changes nothing.
     */
    public boolean isSeenToHold(long[] values, int count) {
        return union instanceof LongDictionary longs && longs.isSeenToHold(values, count);
    }

    /** Says that the column has too many distinct values. */
    public void overflow() {
        overflowed = true;
        union = null;
    }

    public boolean overflowed() {
        return overflowed;
    }

    /** What was added; null if nothing was, or too much. */
    public @Nullable Dictionary dictionary() {
        return union;
    }

    private static boolean fits(Dictionary dictionary) {
        return dictionary.size() <= Dictionary.MAX_ENTRIES
                && switch (dictionary) {
                    case LongDictionary longs -> true;
                    case BytesDictionary bytes -> bytes.byteCount() <= Dictionary.MAX_BYTES;
                };
    }
}
