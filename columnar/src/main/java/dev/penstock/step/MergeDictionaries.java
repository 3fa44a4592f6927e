package dev.penstock.step;

import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.DictionaryUnion;
import dev.penstock.dict.LongDictionary;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.EncodedDictionary;
import dev.penstock.segment.RegionDictionaries;
import dev.penstock.segment.SegmentReader;
import dev.penstock.sort.CodeLane;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decides which columns of a merge have a dictionary, and which: exactly those with at most {@link
 * Dictionary#MAX_ENTRIES} distinct values, of {@link Dictionary#MAX_BYTES}, over all input rows,
 * whether or not a run came with local dictionaries. Local dictionaries are united; values of runs
 * without one are counted, which ends early for columns with many. Codes are translated by one
 * table per run and column (Shared Loading, section 4.1), made when first needed. Each column may
 * be asked about by another thread.
 */
final class MergeDictionaries {
    /** Says that a run's codes are the merged ones. */
    private static final char[] SAME = new char[0];

    /** Distances of so many bits are ints. */
    private static final int MAX_DISTANCE_BITS = 29;

    private final TableSchema schema;
    private final List<Merge.Run> runs;
    private final @Nullable Dictionary[] dictionaries;
    private final char[][] @Nullable [] remaps;

    /** The local dictionary that was translated last, by column, and its table. */
    private final EncodedDictionary[] lastLocals;

    private final char[][] lastTables;

    /**
     * Decides for all columns.
     *
     * @param known the unions of the runs' dictionaries, if they have been made already
     */
    MergeDictionaries(
            TableSchema schema,
            List<Merge.Run> runs,
            @Nullable RegionDictionaries known,
            ColumnJobs jobs) {
        this.schema = schema;
        this.runs = runs;
        int columns = schema.columnCount();
        dictionaries = new Dictionary[columns];
        remaps = new char[columns][][];
        lastLocals = new EncodedDictionary[columns];
        Arrays.fill(lastLocals, EncodedDictionary.NONE);
        lastTables = new char[columns][];
        Arrays.fill(lastTables, SAME);
        jobs.run((column, scratch, clock) -> {
            decide(column, known, scratch.values());
            clock.lap(StepName.MERGE);
        });
    }

    private void decide(int column, @Nullable RegionDictionaries known, MergeValues values) {
        DictionaryUnion union =
                known == null ? uniteLocal(column) : new DictionaryUnion(known.union(column));
        Dictionary dictionary = complete(column, union, values);
        dictionaries[column] = dictionary;
        remaps[column] = new char[dictionary == null ? 0 : runs.size()][];
    }

    /** The dictionary of an output column, or null if it has none. */
    @Nullable Dictionary dictionary(int column) {
        return dictionaries[column];
    }

    /** The union of the runs' dictionaries. */
    private DictionaryUnion uniteLocal(int column) {
        DictionaryUnion union = new DictionaryUnion();
        for (Merge.Run run : runs) {
            if (has(run.reader(), column) && run.reader().statistics(column).overflowed()) {
                union.overflow();
            }
        }
        for (int i = 0; i < runs.size() && !union.overflowed(); i++) {
            SegmentReader reader = runs.get(i).reader();
            Dictionary local = has(reader, column) ? reader.dictionary(column) : zero(column);
            if (local != null) {
                union.add(local);
            }
        }
        return union;
    }

    /** Adds the values of runs without dictionary; null if there are too many values. */
    private @Nullable Dictionary complete(int column, DictionaryUnion union, MergeValues values) {
        if (union.overflowed()) {
            return null;
        }
        List<SegmentReader> counted = new ArrayList<>();
        for (Merge.Run run : runs) {
            if (has(run.reader(), column) && run.reader().dictionaryEntries(column) < 0) {
                counted.add(run.reader());
            }
        }
        if (!counted.isEmpty()) {
            addValues(counted, column, union, values);
        }
        if (union.overflowed()) {
            return null;
        }
        Dictionary united = union.dictionary();
        return united != null ? united : empty(column);
    }

    private void addValues(
            List<SegmentReader> readers, int column, DictionaryUnion union, MergeValues values) {
        boolean few = isLong(column) && values.span(readers, column) < Dictionary.MAX_ENTRIES;
        if (!few && values.surelyTooMany(readers, column, isLong(column))) {
            union.overflow();
            return;
        }
        LongDictionary near = isLong(column) ? values.near(readers, column) : null;
        if (near != null) {
            union.add(near);
            return;
        }
        if (!isLong(column)) {
            add(values.strings(readers, column), union);
            return;
        }
        for (SegmentReader reader : readers) {
            addLongs(reader, column, union, values);
        }
    }

    private static void addLongs(
            SegmentReader reader, int column, DictionaryUnion union, MergeValues values) {
        BlockCursor cursor = values.cursor();
        for (int block = 0; block < reader.blockCount() && !union.overflowed(); block++) {
            cursor.open(reader, column, block);
            int valued = values.load(cursor, 0, cursor.rows());
            if (!union.isSeenToHold(values.loaded(), valued)) {
                add(values.longs(valued), union);
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
     * Codes, in the merged dictionary, of rows of the block that {@code source} has open. NULLs get
     * any code.
     *
     * @param values scratch memory
     */
    void codes(
            BlockCursor source,
            MergeValues values,
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
        if (!isLong(column)) {
            if (!values.codesOf(source, first, count, (BytesDictionary) present(column))) {
                throw lacksValues(reader, column);
            }
            System.arraycopy(values.codes(), 0, out, outAt, count);
            return;
        }
        LongDictionary merged = (LongDictionary) present(column);
        if (source.hasDistances() && source.distanceBits() <= MAX_DISTANCE_BITS) {
            source.distances(first, count, 0, out, outAt);
            if (merged.codesOfDistances(source.base(), out, outAt, count)) {
                return;
            }
        }
        int valued = values.load(source, first, count);
        if (merged.codesOf(values.loaded(), valued, out, outAt)) {
            Arrays.fill(out, outAt + valued, outAt + count, 0);
        } else {
            LongDictionary local = values.longs(valued);
            if (local == null || !merged.holds(local)) {
                throw lacksValues(reader, column);
            }
            System.arraycopy(values.codes(), 0, out, outAt, count);
            translate(tableFor(local, column), out, outAt, count);
        }
    }

    private PenstockException lacksValues(SegmentReader reader, int column) {
        return PenstockException.corrupt(
                reader.name()
                        + ": column "
                        + schema.column(column).name()
                        + " has values that the segment says it has not");
    }

    /**
     * The same, to a lane.
     *
     * @return false if that takes more than moving what the block has; then the rows have no codes
     */
    boolean codes(
            BlockCursor source,
            int run,
            SegmentReader reader,
            int column,
            int first,
            int count,
            CodeLane out,
            int outRow) {
        if (source.hasCodes()) {
            char[] table = remap(run, reader, column);
            source.codes(first, count, out, outRow);
            return table.length == 0 || out.translate(table, 0, outRow, count);
        }
        return isLong(column)
                && source.hasDistances()
                && codesOfDistances(
                        source, (LongDictionary) present(column), first, count, out, outRow);
    }

    private static boolean codesOfDistances(
            BlockCursor source,
            LongDictionary merged,
            int first,
            int count,
            CodeLane out,
            int outRow) {
        char[] places = merged.places();
        if (places == null || source.base() < merged.value(0)) {
            return false;
        }
        long summand = source.base() - merged.value(0);
        int span = (int) merged.span();
        if (summand < 0
                || summand > span
                || !source.distances(first, count, (int) summand, span, out, outRow)) {
            return false;
        }
        boolean each = span == merged.size() - 1;
        return each || out.translate(places, 1, outRow, count);
    }

    /** Whether the codes of a run, which has a dictionary, are those of the merged one. */
    boolean sameCodes(int run, SegmentReader reader, int column) {
        return remap(run, reader, column).length == 0;
    }

    private Dictionary present(int column) {
        Dictionary merged = dictionaries[column];
        if (merged == null) {
            throw new IllegalStateException("no dictionary");
        }
        return merged;
    }

    private char[] remap(int run, SegmentReader reader, int column) {
        char[] @Nullable [] tables = remaps[column];
        char[] table = tables[run];
        if (table == null) {
            if (reader.hasDictionary(column, lastLocals[column])) {
                table = lastTables[column];
            } else {
                Dictionary local = reader.dictionary(column);
                table = local == null ? SAME : tableFor(local, column);
                lastLocals[column] = reader.encodedDictionary(column);
                lastTables[column] = table;
            }
            reader.forgetDictionary(column);
            tables[run] = table;
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
        return switch (present(column)) {
            case LongDictionary longDictionary -> longDictionary.lowerBound(0);
            case BytesDictionary bytesDictionary -> bytesDictionary.lowerBound(new byte[0]);
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
