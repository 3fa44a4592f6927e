package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.ValueTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A predicate prepared for one segment: conditions on a column with a dictionary are evaluated once
 * per entry, and then codes are tested; blocks whose statistics rule a condition out are not read.
 * Owned by one thread.
 */
abstract sealed class BlockFilter {
    static final int WORDS = SegmentFormat.BLOCK_ROWS / 64;

    /** Sets bit i to whether row i of the block matches; bits beyond the rows are 0. */
    abstract void select(int block, int rows, long[] bits);

    static BlockFilter of(SegmentReader reader, BlockCursor cursor, Predicate predicate) {
        return switch (predicate) {
            case Predicate.And and -> new All(all(reader, cursor, and.terms()));
            case Predicate.Or or -> new Any(all(reader, cursor, or.terms()));
            case Predicate.IsNull(int column, boolean negated) ->
                    new Null(reader, cursor, column, negated);
            case Predicate.Compare compare ->
                    leaf(reader, cursor, compare.columnIndex(), ValueTest.of(compare));
            case Predicate.In in ->
                    leaf(
                            reader,
                            cursor,
                            in.columnIndex(),
                            ValueTest.of(in, reader.isLong(in.columnIndex())));
            case Predicate.StartsWith startsWith ->
                    leaf(reader, cursor, startsWith.columnIndex(), ValueTest.of(startsWith));
        };
    }

    private static List<BlockFilter> all(
            SegmentReader reader, BlockCursor cursor, List<Predicate> terms) {
        List<BlockFilter> filters = new ArrayList<>();
        for (Predicate term : terms) {
            filters.add(of(reader, cursor, term));
        }
        return filters;
    }

    private static BlockFilter leaf(
            SegmentReader reader, BlockCursor cursor, int column, ValueTest test) {
        Dictionary dictionary = reader.dictionary(column);
        if (dictionary != null) {
            return new Codes(reader, cursor, column, matching(dictionary, test));
        }
        return switch (test) {
            case ValueTest.Longs longs -> new Longs(reader, cursor, column, longs);
            case ValueTest.Bytes strings -> new Strings(reader, cursor, column, strings);
        };
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

    private static void fill(long[] bits, int rows, boolean value) {
        int words = (rows + 63) >> 6;
        Arrays.fill(bits, 0, words, value ? -1L : 0);
        if (value && (rows & 63) != 0) {
            bits[words - 1] = (1L << rows) - 1;
        }
    }

    private static boolean isEmpty(long[] bits, int rows) {
        long any = 0;
        for (int i = 0; i < (rows + 63) >> 6; i++) {
            any |= bits[i];
        }
        return any == 0;
    }

    private static void andValid(BlockCursor cursor, int rows, long[] bits) {
        if (cursor.nullCount() > 0) {
            for (int i = 0; i < (rows + 63) >> 6; i++) {
                bits[i] &= cursor.validityWords()[i];
            }
        }
    }

    /** All terms; the ones after the first that leaves nothing are not evaluated. */
    private static final class All extends BlockFilter {
        private final List<BlockFilter> terms;
        private final long[] scratch = new long[WORDS];

        All(List<BlockFilter> terms) {
            this.terms = terms;
        }

        @Override
        void select(int block, int rows, long[] bits) {
            fill(bits, rows, true);
            for (int i = 0; i < terms.size() && (i == 0 || !isEmpty(bits, rows)); i++) {
                terms.get(i).select(block, rows, scratch);
                for (int word = 0; word < (rows + 63) >> 6; word++) {
                    bits[word] &= scratch[word];
                }
            }
        }
    }

    private static final class Any extends BlockFilter {
        private final List<BlockFilter> terms;
        private final long[] scratch = new long[WORDS];

        Any(List<BlockFilter> terms) {
            this.terms = terms;
        }

        @Override
        void select(int block, int rows, long[] bits) {
            fill(bits, rows, false);
            for (BlockFilter term : terms) {
                term.select(block, rows, scratch);
                for (int word = 0; word < (rows + 63) >> 6; word++) {
                    bits[word] |= scratch[word];
                }
            }
        }
    }

    private static final class Null extends BlockFilter {
        private final SegmentReader reader;
        private final BlockCursor cursor;
        private final int column;
        private final boolean negated;

        Null(SegmentReader reader, BlockCursor cursor, int column, boolean negated) {
            this.reader = reader;
            this.cursor = cursor;
            this.column = column;
            this.negated = negated;
        }

        @Override
        void select(int block, int rows, long[] bits) {
            int nulls = reader.blockNullCount(column, block);
            fill(bits, rows, (nulls == 0) == negated);
            if (nulls > 0 && nulls < rows) {
                cursor.open(reader, column, block);
                fill(bits, rows, true);
                for (int i = 0; i < (rows + 63) >> 6; i++) {
                    long valid = cursor.validityWords()[i];
                    bits[i] &= negated ? valid : ~valid;
                }
            }
        }
    }

    /** A condition on a column with a dictionary. */
    private static final class Codes extends BlockFilter {
        private final SegmentReader reader;
        private final BlockCursor cursor;
        private final int column;
        private final boolean[] matching;

        /** Matching entries below a code. */
        private final int[] matchingBelow;

        private final int[] codes = new int[SegmentFormat.BLOCK_ROWS];

        Codes(SegmentReader reader, BlockCursor cursor, int column, boolean[] matching) {
            this.reader = reader;
            this.cursor = cursor;
            this.column = column;
            this.matching = Arrays.copyOf(matching, Math.max(1, matching.length));
            this.matchingBelow = new int[matching.length + 1];
            for (int code = 0; code < matching.length; code++) {
                matchingBelow[code + 1] = matchingBelow[code] + (matching[code] ? 1 : 0);
            }
        }

        @Override
        void select(int block, int rows, long[] bits) {
            long min = reader.blockMin(column, block);
            long max = reader.blockMax(column, block);
            int possible =
                    min > max || max >= matchingBelow.length - 1
                            ? 0
                            : matchingBelow[(int) max + 1] - matchingBelow[(int) min];
            if (possible == 0) {
                fill(bits, rows, false);
                return;
            }
            if (possible == max - min + 1 && reader.blockNullCount(column, block) == 0) {
                fill(bits, rows, true);
                return;
            }
            cursor.open(reader, column, block);
            cursor.codes(0, rows, codes, 0);
            boolean[] table = matching;
            for (int start = 0; start < rows; start += 64) {
                long word = 0;
                int end = Math.min(64, rows - start);
                for (int i = 0; i < end; i++) {
                    word |= (table[codes[start + i]] ? 1L : 0) << i;
                }
                bits[start >> 6] = word;
            }
            andValid(cursor, rows, bits);
        }
    }

    private static final class Longs extends BlockFilter {
        private final SegmentReader reader;
        private final BlockCursor cursor;
        private final int column;
        private final ValueTest.Longs test;
        private final long[] values = new long[SegmentFormat.BLOCK_ROWS];

        Longs(SegmentReader reader, BlockCursor cursor, int column, ValueTest.Longs test) {
            this.reader = reader;
            this.cursor = cursor;
            this.column = column;
            this.test = test;
        }

        @Override
        void select(int block, int rows, long[] bits) {
            long min = reader.blockMin(column, block);
            long max = reader.blockMax(column, block);
            if (min > max || !test.mayMatch(min, max)) {
                fill(bits, rows, false);
                return;
            }
            cursor.open(reader, column, block);
            cursor.longs(0, rows, values, 0);
            test.select(values, rows, bits);
            andValid(cursor, rows, bits);
        }
    }

    private static final class Strings extends BlockFilter {
        private final SegmentReader reader;
        private final BlockCursor cursor;
        private final int column;
        private final ValueTest.Bytes test;
        private final BytesColumn values = new BytesColumn(SegmentFormat.BLOCK_ROWS, 1 << 16);

        Strings(SegmentReader reader, BlockCursor cursor, int column, ValueTest.Bytes test) {
            this.reader = reader;
            this.cursor = cursor;
            this.column = column;
            this.test = test;
        }

        @Override
        void select(int block, int rows, long[] bits) {
            cursor.open(reader, column, block);
            cursor.strings(0, rows, values, 0);
            int[] offsets = values.offsets();
            byte[] data = values.data();
            fill(bits, rows, false);
            for (int row = 0; row < rows; row++) {
                if (test.matches(data, offsets[row], offsets[row + 1])) {
                    bits[row >> 6] |= 1L << row;
                }
            }
            andValid(cursor, rows, bits);
        }
    }
}
