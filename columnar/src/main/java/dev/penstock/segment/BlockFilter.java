package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.dict.Dictionary;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.ValueTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A predicate prepared for one segment: conditions on a column with a dictionary are evaluated once
 * per entry, and then codes are tested; ranges are tested on packed values; blocks whose statistics
 * decide are not read. Owned by one thread.
 */
abstract sealed class BlockFilter permits BlockFilter.Node, CodeFilter, LongFilter {
    static final int WORDS = SegmentFormat.BLOCK_ROWS / 64;

    /** Which rows of a block match. */
    enum Match {
        NONE,
        ALL,
        /** As the bits say, maybe none or all. */
        BITS
    }

    /**
     * Says which rows of the block match; if {@code BITS}, bit i of {@code bits} is set to whether
     * row i does, and bits beyond the rows are 0. Else the bits are undefined.
     */
    abstract Match select(int block, int rows, long[] bits);

    static BlockFilter of(SegmentReader reader, BlockCursor cursor, Predicate predicate) {
        return switch (predicate) {
            case Predicate.And and -> all(reader, cursor, and);
            case Predicate.Or or -> {
                List<BlockFilter> terms = new ArrayList<>();
                or.terms().forEach(term -> terms.add(of(reader, cursor, term)));
                yield terms.size() == 1 ? terms.getFirst() : new Any(terms);
            }
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

    /** Conditions on the same column, like the two ends of a range, become one if they can. */
    private static BlockFilter all(
            SegmentReader reader, BlockCursor cursor, Predicate.And predicate) {
        List<BlockFilter> terms = new ArrayList<>();
        for (Predicate term : predicate.terms()) {
            if (Predicate.isAlways(term)) {
                continue;
            }
            BlockFilter filter = of(reader, cursor, term);
            boolean taken = false;
            for (int i = 0; i < terms.size() && !taken; i++) {
                BlockFilter both = combined(terms.get(i), filter);
                taken = both != filter;
                if (taken) {
                    terms.set(i, both);
                }
            }
            if (!taken) {
                terms.add(filter);
            }
        }
        return terms.size() == 1 ? terms.getFirst() : new All(terms);
    }

    /** One filter for both, or {@code second} if there is none. */
    private static BlockFilter combined(BlockFilter first, BlockFilter second) {
        if (first instanceof CodeFilter one && second instanceof CodeFilter two) {
            return one.column() == two.column() ? one.and(two) : second;
        }
        if (first instanceof LongFilter one && second instanceof LongFilter two) {
            return one.and(two);
        }
        return second;
    }

    private static BlockFilter leaf(
            SegmentReader reader, BlockCursor cursor, int column, ValueTest test) {
        Dictionary dictionary = reader.dictionary(column);
        if (dictionary != null) {
            return CodeFilter.of(reader, cursor, column, dictionary, test);
        }
        return switch (test) {
            case ValueTest.Longs longs -> new LongFilter(reader, cursor, column, longs);
            case ValueTest.Bytes strings -> new Strings(reader, cursor, column, strings);
        };
    }

    static void fill(long[] bits, int rows, boolean value) {
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

    static void andValid(BlockCursor cursor, int rows, long[] bits) {
        if (cursor.nullCount() > 0) {
            for (int i = 0; i < (rows + 63) >> 6; i++) {
                bits[i] &= cursor.validityWords()[i];
            }
        }
    }

    /** Filters that are short enough to stand here. */
    abstract static sealed class Node extends BlockFilter {}

    /** All terms; the ones after the first that leaves nothing are not evaluated. */
    private static final class All extends Node {
        private final List<BlockFilter> terms;
        private final long[] scratch = new long[WORDS];

        All(List<BlockFilter> terms) {
            this.terms = terms;
        }

        @Override
        Match select(int block, int rows, long[] bits) {
            Match match = Match.ALL;
            for (BlockFilter term : terms) {
                Match next = term.select(block, rows, match == Match.ALL ? bits : scratch);
                if (next == Match.NONE) {
                    return Match.NONE;
                }
                if (next == Match.BITS && match == Match.BITS) {
                    for (int word = 0; word < (rows + 63) >> 6; word++) {
                        bits[word] &= scratch[word];
                    }
                }
                match = next == Match.BITS ? Match.BITS : match;
                if (match == Match.BITS && isEmpty(bits, rows)) {
                    return Match.NONE;
                }
            }
            return match;
        }
    }

    private static final class Any extends Node {
        private final List<BlockFilter> terms;
        private final long[] scratch = new long[WORDS];

        Any(List<BlockFilter> terms) {
            this.terms = terms;
        }

        @Override
        Match select(int block, int rows, long[] bits) {
            Match match = Match.NONE;
            for (BlockFilter term : terms) {
                Match next = term.select(block, rows, match == Match.NONE ? bits : scratch);
                if (next == Match.ALL) {
                    return Match.ALL;
                }
                if (next == Match.BITS && match == Match.BITS) {
                    for (int word = 0; word < (rows + 63) >> 6; word++) {
                        bits[word] |= scratch[word];
                    }
                }
                match = next == Match.BITS ? Match.BITS : match;
            }
            return match;
        }
    }

    private static final class Null extends Node {
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
        Match select(int block, int rows, long[] bits) {
            int nulls = reader.blockNullCount(column, block);
            if (nulls == 0 || nulls == rows) {
                return (nulls == 0) == negated ? Match.ALL : Match.NONE;
            }
            cursor.open(reader, column, block);
            fill(bits, rows, true);
            for (int i = 0; i < (rows + 63) >> 6; i++) {
                long valid = cursor.validityWords()[i];
                bits[i] &= negated ? valid : ~valid;
            }
            return Match.BITS;
        }
    }

    private static final class Strings extends Node {
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
        Match select(int block, int rows, long[] bits) {
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
            return Match.BITS;
        }
    }
}
