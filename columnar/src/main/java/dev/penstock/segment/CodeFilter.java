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
    private final SegmentReader reader;
    private final BlockCursor cursor;
    private final int column;
    private final boolean[] matching;

    /** Matching entries below a code. */
    private final int[] matchingBelow;

    /** The first and last matching code. */
    private final int low;

    private final int high;
    private final PackedBlock packed = new PackedBlock();
    private final int[] codes = new int[SegmentFormat.BLOCK_ROWS];

    private CodeFilter(
            SegmentReader reader, BlockCursor cursor, int column, int size, boolean[] matching) {
        this.reader = reader;
        this.cursor = cursor;
        this.column = column;
        this.matching = Arrays.copyOf(matching, Math.max(1, size));
        this.matchingBelow = new int[size + 1];
        int first = size;
        int last = -1;
        for (int code = 0; code < size; code++) {
            matchingBelow[code + 1] = matchingBelow[code] + (matching[code] ? 1 : 0);
            if (matching[code]) {
                first = Math.min(first, code);
                last = code;
            }
        }
        this.low = first;
        this.high = last;
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
        int from = (int) Math.max(min, low);
        int to = (int) Math.min(max, high);
        if (possible == to - from + 1) {
            cursor.packed(packed);
            packed.select(from, to, bits);
        } else {
            cursor.codes(0, rows, codes, 0);
            look(codes, rows, matching, bits);
        }
        andValid(cursor, rows, bits);
        return Match.BITS;
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
