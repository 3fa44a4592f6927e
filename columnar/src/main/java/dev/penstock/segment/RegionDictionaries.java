package dev.penstock.segment;

import dev.penstock.dict.Dictionary;
import dev.penstock.dict.DictionaryUnion;
import dev.penstock.schema.TableSchema;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The running unions of the local dictionaries of one region's fragments. It tells early which
 * columns will not have a dictionary, so that loaders stop making them. Fragments may be too small
 * to show that: then a column counts as one if its first fragments had no use for a dictionary.
 * This is advice; the merge finds out by itself. One thread at a time.
 */
public final class RegionDictionaries {
    /** So many fragments without a dictionary must come first. */
    public static final int ATTEMPTS = 3;

    private final DictionaryUnion[] unions;

    /** The last dictionary that was taken in. Fragments mostly have the same of few values. */
    private final EncodedDictionary[] last;

    /** Fragments without a dictionary before the first that has one. */
    private final int[] attempts;

    private final BitSet plainColumns = new BitSet();

    public RegionDictionaries(TableSchema schema) {
        unions = new DictionaryUnion[schema.columnCount()];
        last = new EncodedDictionary[schema.columnCount()];
        Arrays.fill(last, EncodedDictionary.NONE);
        attempts = new int[schema.columnCount()];
        for (int i = 0; i < unions.length; i++) {
            unions[i] = new DictionaryUnion();
        }
    }

    /** Takes in the dictionaries of a fragment; columns without one tell nothing. */
    public void add(SegmentReader fragment) {
        for (int column = 0; column < unions.length; column++) {
            DictionaryUnion union = unions[column];
            if (union.overflowed() || fragment.hasDictionary(column, last[column])) {
                continue;
            }
            Dictionary dictionary = fragment.dictionary(column);
            if (fragment.statistics(column).overflowed()) {
                union.overflow();
            } else if (dictionary != null) {
                union.add(dictionary);
                last[column] = fragment.encodedDictionary(column);
                attempts[column] = Integer.MIN_VALUE;
            } else if (fragment.statistics(column).complete()) {
                attempts[column]++;
            }
            if (union.overflowed() || attempts[column] >= ATTEMPTS) {
                plainColumns.set(column);
            }
        }
    }

    /** The union of a column's dictionaries in all fragments; not to be changed. */
    public DictionaryUnion union(int column) {
        return unions[column];
    }

    /** Columns that probably have too many distinct values in this region; a copy. */
    public BitSet plainColumns() {
        return (BitSet) plainColumns.clone();
    }
}
