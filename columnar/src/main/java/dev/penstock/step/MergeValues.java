package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.DistinctBound;
import dev.penstock.dict.DistinctStrings;
import dev.penstock.dict.LongDictionary;
import dev.penstock.dict.LongDictionaryBuilder;
import dev.penstock.dict.StringLookup;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenTable;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.NullSlots;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * The different values of rows that came without a dictionary. From the cheapest way to the
 * dearest: long values near each other are marked in an array ({@link #near}); a few blocks may
 * show that there are too many ({@link #surelyTooMany}); else {@link #strings} looks at all byte
 * strings, and {@link #longs} makes the dictionary of some rows. Codes of rows are left in {@link
 * #codes}. Owned by one thread; keeps its memory for the next merge.
 */
final class MergeValues {
    /** Values are near each other if the largest is less than this above the smallest. */
    private static final int NEAR = 1 << 16;

    /** Blocks are looked at as long as they have a new value in so many rows. */
    private static final int BOUND_ROWS_PER_VALUE = 8;

    /** NULLs cost so little that so many count as a row. */
    private static final int BOUND_NULLS_PER_ROW = 8;

    private final BlockCursor cursor = new BlockCursor();
    private final LongDictionaryBuilder longBuilder = new LongDictionaryBuilder();
    private final DistinctStrings distinct = new DistinctStrings();
    private final StringLookup lookup = new StringLookup();
    private final LongColumn longs = new LongColumn(SegmentFormat.BLOCK_ROWS);
    private final BytesColumn strings = new BytesColumn(SegmentFormat.BLOCK_ROWS, 1 << 16);
    private final TokenColumn tokens = new TokenColumn();
    private final int[] codes = new int[SegmentFormat.BLOCK_ROWS];
    private final DistinctBound bound = new DistinctBound();

    /** Rows that {@link #bound} has seen. */
    private int boundRows;

    /** What these were codes of; null: byte strings or numbers. */
    private @Nullable TokenTable boundTokens;

    private final byte[] marks = new byte[NEAR];

    /** Marks [seenFrom, seenTo) are all set. */
    private int seenFrom;

    private int seenTo;

    /** The smallest of the values that {@link #span} looked at. */
    private long low;

    /** A cursor for whoever uses this object. */
    BlockCursor cursor() {
        return cursor;
    }

    /** Codes of the last {@link #longs} or {@link #codesOf}. */
    int[] codes() {
        return codes;
    }

    /** The values that {@link #load} put here. */
    long[] loaded() {
        return longs.values();
    }

    /**
     * Whether a few blocks of some runs show without effort that a column has too many values for a
     * dictionary. Ends where values repeat so much that it would take many.
     */
    boolean surelyTooMany(List<SegmentReader> readers, int column, boolean isLong) {
        boundRows = 0;
        boundTokens = null;
        bound.clear();
        for (SegmentReader reader : readers) {
            for (int block = 0; block < reader.blockCount(); block++) {
                cursor.open(reader, column, block);
                addToBound(isLong);
                int least = bound.least();
                if (least > Dictionary.MAX_ENTRIES) {
                    return true;
                }
                if (least < boundRows / BOUND_ROWS_PER_VALUE) {
                    return false;
                }
            }
        }
        return false;
    }

    private void addToBound(boolean isLong) {
        int rows = cursor.rows();
        TokenTable table = isLong ? null : cursor.tokenTable();
        if (!isSameForm(table, boundTokens)) {
            // What the bound has seen may come again here, and count twice.
            bound.clear();
            boundRows = 0;
            boundTokens = table;
        }
        int nulls = cursor.nullCount();
        boundRows += rows - nulls + nulls / BOUND_NULLS_PER_ROW;
        if (isLong) {
            bound.add(longs.values(), load(cursor, 0, rows));
        } else if (table == null) {
            load(cursor, 0, rows, strings);
            bound.add(strings.offsets(), strings.data(), rows);
        } else {
            cursor.tokens(0, rows, tokens, 0);
            bound.add(tokens, rows);
        }
    }

    private static boolean isSameForm(@Nullable TokenTable one, @Nullable TokenTable other) {
        if (one == null) {
            return other == null;
        }
        return other != null && one.fingerprint() == other.fingerprint();
    }

    /**
     * How far the largest value of a column in some runs is above the smallest, as their footers
     * say; {@link Long#MAX_VALUE} also if there is none.
     */
    long span(List<SegmentReader> readers, int column) {
        low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (SegmentReader reader : readers) {
            for (int block = 0; block < reader.blockCount(); block++) {
                low = Math.min(low, reader.blockMin(column, block));
                high = Math.max(high, reader.blockMax(column, block));
            }
        }
        return low > high || high - low < 0 ? Long.MAX_VALUE : high - low;
    }

    /**
     * All values of a column in runs without a dictionary of it, if they are near each other; else
     * null. There may be more than {@link Dictionary#MAX_ENTRIES}. Soon all values around the
     * middle have been seen, as dates have, and blocks that say to have no others are not read.
     */
    @Nullable LongDictionary near(List<SegmentReader> readers, int column) {
        long span = span(readers, column);
        if (span >= NEAR) {
            return null;
        }
        int size = (int) span + 8 & -8;
        Arrays.fill(marks, 0, size, (byte) 0);
        seenFrom = size >> 1;
        seenTo = seenFrom;
        for (SegmentReader reader : readers) {
            for (int block = 0; block < reader.blockCount(); block++) {
                if (isSeen(reader.blockMin(column, block), reader.blockMax(column, block))) {
                    continue;
                }
                cursor.open(reader, column, block);
                if (cursor.nullCount() < cursor.rows() && !mark(span)) {
                    return null;
                }
                extendSeen(size);
            }
        }
        return marked(size);
    }

    private boolean isSeen(long min, long max) {
        return min - low >= seenFrom && max - low < seenTo;
    }

    private void extendSeen(int size) {
        while (seenFrom > 0 && marks[seenFrom - 1] != 0) {
            seenFrom--;
        }
        while (seenTo < size && marks[seenTo] != 0) {
            seenTo++;
        }
    }

    /** Marks the open block's values; false if one is further above {@link #low} than promised. */
    private boolean mark(long span) {
        int rows = cursor.rows();
        long summand = cursor.hasDistances() ? cursor.base() - low : -1;
        long furthest = 0;
        if (summand >= 0 && summand < NEAR && cursor.distanceBits() <= 16) {
            // NULLs are the smallest value of the block.
            cursor.distances(0, rows, (int) summand, codes, 0);
            for (int i = 0; i < rows; i++) {
                furthest = Math.max(furthest, codes[i]);
                marks[codes[i] & NEAR - 1] = 1;
            }
        } else {
            load(cursor, 0, rows);
            for (int i = 0; i < rows; i++) {
                long distance = longs.values()[i] - low & Long.MAX_VALUE;
                furthest = Math.max(furthest, distance);
                marks[(int) distance & NEAR - 1] = 1;
            }
        }
        return furthest <= span;
    }

    /** The values whose distances from {@link #low}, below {@code size}, are marked. */
    private LongDictionary marked(int size) {
        int count = 0;
        for (int i = 0; i < size; i += 8) {
            count += Long.bitCount(ByteAccess.getLong(marks, i));
        }
        long[] values = new long[count];
        int next = 0;
        for (int i = 0; i < size; i += 8) {
            long left = ByteAccess.getLong(marks, i);
            while (left != 0) {
                values[next++] = low + i + (Long.numberOfTrailingZeros(left) >> 3);
                left &= left - 1;
            }
        }
        return new LongDictionary(values);
    }

    /** All values of a column in runs without a dictionary of it; null if too many. */
    @Nullable BytesDictionary strings(List<SegmentReader> readers, int column) {
        distinct.clear();
        for (SegmentReader reader : readers) {
            for (int block = 0; block < reader.blockCount(); block++) {
                cursor.open(reader, column, block);
                int rows = cursor.rows();
                load(cursor, 0, rows, strings);
                long[] words = Encode.words(strings.validity());
                if (!distinct.add(strings.offsets(), strings.data(), rows, words)) {
                    return null;
                }
            }
        }
        return distinct.dictionary();
    }

    /**
     * Codes of rows of the open block, which go to {@link #codes}; false if the dictionary lacks
     * one of the values.
     */
    boolean codesOf(BlockCursor source, int first, int count, BytesDictionary dictionary) {
        lookup.begin(dictionary);
        load(source, first, count, strings);
        long[] words = Encode.words(strings.validity());
        return lookup.find(strings.offsets(), strings.data(), count, words, codes);
    }

    private static void load(BlockCursor source, int first, int count, BytesColumn target) {
        target.validity().clear();
        source.append(first, count, target, 0);
    }

    /** The dictionary of the first {@link #loaded}, whose codes go to {@link #codes}. */
    @Nullable LongDictionary longs(int valued) {
        return longBuilder.run(longs.values(), 0, valued, Dictionary.MAX_ENTRIES, codes)
                ? longBuilder.dictionary()
                : null;
    }

    /**
     * Puts rows of the open block into {@link #loaded}, some value in the place of NULLs.
     *
     * @return {@code count}, or 0 if all rows are NULL; their codes are then set
     */
    int load(BlockCursor source, int first, int count) {
        longs.validity().clear();
        source.append(first, count, longs, 0);
        if (longs.validity().nullCount(count) == 0) {
            return count;
        }
        long[] words = longs.validity().words();
        int some = BitRange.nextSet(words, 0, count);
        if (some == count) {
            Arrays.fill(codes, 0, count, 0);
            return 0;
        }
        NullSlots.fill(longs.values(), 0, count, words, 0, longs.values()[some]);
        return count;
    }
}
