package dev.penstock.segment;

import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.predicate.ValueTest;

import java.util.Arrays;

/**
 * A condition on a column with a dictionary: evaluated once per entry, then codes are tested. Codes
 * order as values do, so that a range of values, the usual case, is a range of codes, and that is
 * tested without unpacking them to memory.
 */
final class CodeFilter extends BlockFilter {
    /** Most runs of codes that are tested one after the other; more are looked up in a table. */
    private static final int MAX_RUNS = 4;

    private final SegmentReader reader;
    private final BlockCursor cursor;
    private final int column;
    private final boolean[] matching;

    /** Matching entries below a code. */
    private final int[] matchingBelow;

    /** First and last codes of the runs of matching codes; empty if they are many. */
    private final int[] runs;

    private final long[] scratch = new long[WORDS];
    private final PackedBlock packed = new PackedBlock();
    private final int[] codes = new int[SegmentFormat.BLOCK_ROWS];

    private CodeFilter(
            SegmentReader reader, BlockCursor cursor, int column, int size, boolean[] matching) {
        this.reader = reader;
        this.cursor = cursor;
        this.column = column;
        this.matching = Arrays.copyOf(matching, Math.max(1, size));
        this.matchingBelow = new int[size + 1];
        for (int code = 0; code < size; code++) {
            matchingBelow[code + 1] = matchingBelow[code] + (matching[code] ? 1 : 0);
        }
        this.runs = runs(matching, size);
    }

    private static int[] runs(boolean[] matching, int size) {
        int[] runs = new int[2 * MAX_RUNS];
        int count = 0;
        for (int code = 0; code < size; code++) {
            boolean starts = matching[code] && (code == 0 || !matching[code - 1]);
            if (starts && count == MAX_RUNS) {
                return new int[0];
            }
            if (starts) {
                runs[2 * count++] = code;
            }
            if (matching[code]) {
                runs[2 * count - 1] = code;
            }
        }
        return Arrays.copyOf(runs, 2 * count);
    }

    static CodeFilter of(
            SegmentReader reader,
            BlockCursor cursor,
            int column,
            Dictionary dictionary,
            ValueTest test) {
        return new CodeFilter(
                reader, cursor, column, dictionary.size(), matching(dictionary, test));
    }

    private static boolean[] matching(Dictionary dictionary, ValueTest test) {
        boolean[] matching = new boolean[dictionary.size()];
        switch (dictionary) {
            case LongDictionary longs -> {
                for (int code = 0; code < matching.length; code++) {
                    matching[code] =
                            test instanceof ValueTest.Longs onLongs
                                    && onLongs.matches(longs.value(code));
                }
            }
            case BytesDictionary strings -> {
                int[] offsets = strings.offsets();
                for (int code = 0; code < matching.length; code++) {
                    matching[code] =
                            test instanceof ValueTest.Bytes onBytes
                                    && onBytes.matches(
                                            strings.data(), offsets[code], offsets[code + 1]);
                }
            }
        }
        return matching;
    }

    int column() {
        return column;
    }

    /** Both conditions; of the same column and segment. */
    CodeFilter and(CodeFilter other) {
        boolean[] both = new boolean[matching.length];
        for (int code = 0; code < both.length; code++) {
            both[code] = matching[code] && other.matching[code];
        }
        return new CodeFilter(reader, cursor, column, matchingBelow.length - 1, both);
    }

    @Override
    Match select(int block, int rows, long[] bits) {
        long min = reader.blockMin(column, block);
        long max = reader.blockMax(column, block);
        if (min > max) {
            return Match.NONE;
        }
        if (min < 0 || max >= matchingBelow.length - 1) {
            throw reader.corrupt(column, block, "has codes that its dictionary does not have");
        }
        int possible = matchingBelow[(int) max + 1] - matchingBelow[(int) min];
        if (possible == 0) {
            return Match.NONE;
        }
        if (possible == max - min + 1 && reader.blockNullCount(column, block) == 0) {
            return Match.ALL;
        }
        cursor.open(reader, column, block);
        if (runs.length > 0) {
            selectRuns(rows, bits);
        } else {
            cursor.codes(0, rows, codes, 0);
            look(codes, rows, matching, bits);
        }
        andValid(cursor, rows, bits);
        return Match.BITS;
    }

    private void selectRuns(int rows, long[] bits) {
        cursor.packed(packed);
        packed.select(runs[0], runs[1], bits);
        for (int run = 2; run < runs.length; run += 2) {
            packed.select(runs[run], runs[run + 1], scratch);
            for (int word = 0; word < (rows + 63) >> 6; word++) {
                bits[word] |= scratch[word];
            }
        }
    }

    private static void look(int[] codes, int rows, boolean[] table, long[] bits) {
        for (int start = 0; start < rows; start += 64) {
            long word = 0;
            int end = Math.min(64, rows - start);
            for (int i = 0; i < end; i++) {
                word |= (table[codes[start + i]] ? 1L : 0) << i;
            }
            bits[start >> 6] = word;
        }
    }
}
