package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.BytesDictionaryBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.DictionaryUnion;
import dev.penstock.dict.DistinctBound;
import dev.penstock.dict.LongDictionary;
import dev.penstock.dict.LongDictionaryBuilder;
import dev.penstock.dict.TokenColumn;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.NullSlots;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Decides which columns of a merge have a dictionary, and which: exactly those with at most {@link
 * Dictionary#MAX_ENTRIES} distinct values over all input rows, whether or not a run came with local
 * dictionaries. Local dictionaries are united; values of runs without one are counted, which ends
 * early for columns with many. Codes are translated by one table per run and column (Shared
 * Loading, section 4.1), made when first needed.
 */
final class MergeDictionaries {
    /** Says that a run's codes are the merged ones. */
    private static final char[] SAME = new char[0];

    private final TableSchema schema;
    private final List<Merge.Run> runs;
    private final @Nullable Dictionary[] dictionaries;
    private final char[][] @Nullable [] remaps;
    private final BlockCursor cursor = new BlockCursor();
    private final LongDictionaryBuilder longBuilder = new LongDictionaryBuilder();
    private final BytesDictionaryBuilder bytesBuilder = new BytesDictionaryBuilder();
    private final LongColumn longs = new LongColumn(SegmentFormat.BLOCK_ROWS);
    private final BytesColumn strings = new BytesColumn(SegmentFormat.BLOCK_ROWS, 1 << 16);
    private final TokenColumn tokens = new TokenColumn();
    private final int[] codes = new int[SegmentFormat.BLOCK_ROWS];
    private final DistinctBound bound = new DistinctBound();

    MergeDictionaries(TableSchema schema, List<Merge.Run> runs) {
        this.schema = schema;
        this.runs = runs;
        int columns = schema.columnCount();
        dictionaries = new Dictionary[columns];
        remaps = new char[columns][][];
        for (int column = 0; column < columns; column++) {
            Dictionary dictionary = unite(column);
            dictionaries[column] = dictionary;
            remaps[column] = new char[dictionary == null ? 0 : runs.size()][];
        }
        cursor.close();
    }

    /** The dictionary of an output column, or null if it has none. */
    @Nullable Dictionary dictionary(int column) {
        return dictionaries[column];
    }

    private @Nullable Dictionary unite(int column) {
        DictionaryUnion union = new DictionaryUnion();
        for (Merge.Run run : runs) {
            if (has(run.reader(), column) && run.reader().statistics(column).overflowed()) {
                return null;
            }
        }
        for (int i = 0; i < runs.size() && !union.overflowed(); i++) {
            SegmentReader reader = runs.get(i).reader();
            if (!has(reader, column)) {
                union.add(zero(column));
            } else {
                Dictionary local = reader.dictionary(column);
                if (local != null) {
                    union.add(local);
                }
            }
        }
        SegmentReader counted = firstWithout(column);
        if (counted != null && surelyOverflows(counted, column)) {
            return null;
        }
        for (int i = 0; i < runs.size() && !union.overflowed(); i++) {
            SegmentReader reader = runs.get(i).reader();
            if (has(reader, column) && reader.dictionaryEntries(column) < 0) {
                addValues(reader, column, union);
            }
        }
        if (union.overflowed()) {
            return null;
        }
        Dictionary united = union.dictionary();
        return united != null ? united : empty(column);
    }

    /** The first run that has the column, but no dictionary of it. */
    private @Nullable SegmentReader firstWithout(int column) {
        for (Merge.Run run : runs) {
            if (has(run.reader(), column) && run.reader().dictionaryEntries(column) < 0) {
                return run.reader();
            }
        }
        return null;
    }

    /** Whether a few blocks of a run show without effort that there are too many values. */
    private boolean surelyOverflows(SegmentReader reader, int column) {
        bound.clear();
        int rows = 0;
        int least = 0;
        for (int block = 0; block < reader.blockCount(); block++) {
            cursor.open(reader, column, block);
            rows += cursor.rows();
            addToBound(column);
            least = bound.least();
            if (least > Dictionary.MAX_ENTRIES) {
                return true;
            }
            if (least < rows / 2) {
                return false;
            }
        }
        return false;
    }

    private void addToBound(int column) {
        int rows = cursor.rows();
        if (isLong(column)) {
            bound.add(longs.values(), load(cursor, 0, rows));
        } else if (cursor.tokenTable() == null) {
            strings.validity().clear();
            cursor.append(0, rows, strings, 0);
            bound.add(strings.offsets(), strings.data(), rows);
        } else {
            // The same string may come as bytes in other blocks.
            bound.clear();
            cursor.tokens(0, rows, tokens, 0);
            bound.add(tokens, rows);
        }
    }

    private void addValues(SegmentReader reader, int column, DictionaryUnion union) {
        for (int block = 0; block < reader.blockCount() && !union.overflowed(); block++) {
            cursor.open(reader, column, block);
            if (isLong(column)) {
                int valued = load(cursor, 0, cursor.rows());
                if (union.isSeenToHold(longs.values(), valued)) {
                    continue;
                }
                add(buildLongs(valued), union);
            } else {
                add(buildStrings(cursor, 0, cursor.rows()), union);
            }
        }
    }

    private static void add(@Nullable Dictionary found, DictionaryUnion union) {
        if (found == null) {
            union.overflow();
        } else {
            union.add(found);
        }
    }

    /**
     * The dictionary of rows of the open block, whose codes go to {@link #codes}; null if too many.
     */
    private @Nullable Dictionary buildStrings(BlockCursor source, int first, int count) {
        strings.validity().clear();
        source.append(first, count, strings, 0);
        long[] words = strings.validity().hasNulls() ? strings.validity().words() : new long[0];
        return bytesBuilder.run(
                        strings.offsets(),
                        strings.data(),
                        0,
                        count,
                        words,
                        Dictionary.MAX_ENTRIES,
                        codes)
                ? bytesBuilder.dictionary()
                : null;
    }

    /** The dictionary of the first {@link #longs}, whose codes go to {@link #codes}. */
    private @Nullable Dictionary buildLongs(int valued) {
        return longBuilder.run(longs.values(), 0, valued, Dictionary.MAX_ENTRIES, codes)
                ? longBuilder.dictionary()
                : null;
    }

    /**
     * Puts rows of the open block into {@link #longs}, some value in the place of NULLs.
     *
     * @return {@code count}, or 0 if all rows are NULL; their codes are then set
     */
    private int load(BlockCursor source, int first, int count) {
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

    /**
     * Codes, in the merged dictionary, of rows of the block that {@code source} has open. NULLs get
     * any code.
     */
    void codes(
            BlockCursor source,
            int run,
            SegmentReader reader,
            int column,
            int first,
            int count,
            int[] out,
            int outAt) {
        if (source.hasCodes()) {
            source.codes(first, count, out, outAt);
            translate(remap(run, reader, column), out, outAt, count);
            return;
        }
        if (isLong(column)) {
            int valued = load(source, first, count);
            if (dictionaries[column] instanceof LongDictionary merged
                    && merged.codesOf(longs.values(), valued, out, outAt)) {
                Arrays.fill(out, outAt + valued, outAt + count, 0);
                return;
            }
            finish(buildLongs(valued), column, count, out, outAt);
        } else {
            finish(buildStrings(source, first, count), column, count, out, outAt);
        }
    }

    /** Hands over {@link #codes}, translated to the merged dictionary. */
    private void finish(@Nullable Dictionary local, int column, int count, int[] out, int outAt) {
        if (local == null) {
            throw new IllegalStateException("column " + column + " was found to fit a dictionary");
        }
        System.arraycopy(codes, 0, out, outAt, count);
        translate(tableFor(local, column), out, outAt, count);
    }

    private char[] remap(int run, SegmentReader reader, int column) {
        char[] @Nullable [] tables = remaps[column];
        char[] table = tables[run];
        if (table == null) {
            Dictionary local = reader.dictionary(column);
            table = local == null ? SAME : tableFor(local, column);
            tables[run] = table;
            reader.forgetDictionary(column);
        }
        return table;
    }

    private char[] tableFor(Dictionary local, int column) {
        Dictionary merged = dictionaries[column];
        if (merged == null || local == merged) {
            return SAME;
        }
        char[] table =
                switch (local) {
                    case LongDictionary from -> from.remapTo((LongDictionary) merged);
                    case BytesDictionary from -> from.remapTo((BytesDictionary) merged);
                };
        boolean same = true;
        for (int i = 0; i < table.length; i++) {
            same &= table[i] == i;
        }
        return same ? SAME : table;
    }

    private static void translate(char[] table, int[] out, int from, int count) {
        if (table.length > 0) {
            for (int i = from; i < from + count; i++) {
                out[i] = table[out[i]];
            }
        }
    }

    /** What a column that a run does not have holds there. */
    private Dictionary zero(int column) {
        return isLong(column)
                ? new LongDictionary(new long[1])
                : new BytesDictionary(1, new int[2], new byte[BytesDictionary.SLACK]);
    }

    private Dictionary empty(int column) {
        return isLong(column)
                ? new LongDictionary(new long[0])
                : new BytesDictionary(0, new int[1], new byte[BytesDictionary.SLACK]);
    }

    /** The code of {@link #zero} in the merged dictionary. */
    int zeroCode(int column) {
        return switch (dictionaries[column]) {
            case LongDictionary longDictionary -> longDictionary.lowerBound(0);
            case BytesDictionary bytesDictionary -> bytesDictionary.lowerBound(new byte[0]);
            case null -> throw new IllegalStateException("no dictionary");
        };
    }

    /** No row has more bytes in its byte strings, all columns together. */
    long longestRowBytes() {
        long sum = 0;
        for (int column = 0; column < schema.columnCount(); column++) {
            int longest = 0;
            for (Merge.Run run : runs) {
                if (has(run.reader(), column)) {
                    longest = Math.max(longest, run.reader().statistics(column).maxLength());
                }
            }
            sum += longest;
        }
        return sum;
    }

    private boolean isLong(int column) {
        return schema.column(column).type().kind() == PhysicalKind.LONG;
    }

    static boolean has(SegmentReader reader, int column) {
        return column < reader.schema().columnCount();
    }
}
