package dev.penstock.segment;

import dev.penstock.predicate.ValueTest;

/** A condition on a column of longs without a dictionary. */
final class LongFilter extends BlockFilter {
    private final SegmentReader reader;
    private final BlockCursor cursor;
    private final int column;
    private final ValueTest.Longs test;
    private final PackedBlock packed = new PackedBlock();
    private final long[] values = new long[SegmentFormat.BLOCK_ROWS];

    LongFilter(SegmentReader reader, BlockCursor cursor, int column, ValueTest.Longs test) {
        this.reader = reader;
        this.cursor = cursor;
        this.column = column;
        this.test = test;
    }

    /** Both conditions as one, if both are ranges of the same column; else the other one. */
    LongFilter and(LongFilter other) {
        boolean ranges =
                column == other.column
                        && test instanceof ValueTest.LongRange one
                        && other.test instanceof ValueTest.LongRange two
                        && !one.negated()
                        && !two.negated();
        if (!ranges) {
            return other;
        }
        ValueTest.LongRange one = (ValueTest.LongRange) test;
        ValueTest.LongRange two = (ValueTest.LongRange) other.test;
        long low = Math.max(one.low(), two.low());
        long high = Math.min(one.high(), two.high());
        return new LongFilter(reader, cursor, column, new ValueTest.LongRange(low, high, false));
    }

    @Override
    Match select(int block, int rows, long[] bits) {
        long min = reader.blockMin(column, block);
        long max = reader.blockMax(column, block);
        if (min > max || !test.mayMatch(min, max)) {
            return Match.NONE;
        }
        ValueTest.LongRange range =
                test instanceof ValueTest.LongRange tested && !tested.negated() ? tested : null;
        if (range != null
                && range.low() <= min
                && max <= range.high()
                && reader.blockNullCount(column, block) == 0) {
            return Match.ALL;
        }
        cursor.open(reader, column, block);
        if (range == null
                || !selectPacked(Math.max(range.low(), min), Math.min(range.high(), max), bits)) {
            cursor.longs(0, rows, values, 0);
            test.select(values, rows, bits);
        }
        andValid(cursor, rows, bits);
        return Match.BITS;
    }

    /** On distances from the base; false if the block or its values are not fit for that. */
    private boolean selectPacked(long low, long high, long[] bits) {
        if (!cursor.isPacked()) {
            return false;
        }
        cursor.packed(packed);
        // The block's values span less than 2^57 if they are not scaled, so that no difference
        // below overflows, unless its statistics are not true; then the values decide. They do too
        // where the range lies between two values.
        long from = packed.firstAtLeast(low);
        long to = high == Long.MAX_VALUE ? -1 : packed.firstAtLeast(high + 1) - 1;
        if (!packed.selectable() || from < 0 || to < from || low < packed.base()) {
            return false;
        }
        packed.select(from, to, bits);
        return true;
    }
}
