package dev.penstock.segment;

import dev.penstock.kernel.BitRange;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The rows of one segment that lie in a key range and match a predicate, block by block: the key
 * index bounds the rows, the predicate selects among them. Blocks without a selected row are passed
 * over. Owned by one thread.
 */
public final class RowSelection {
    private final SegmentReader reader;
    private final BlockFilter filter;
    private final boolean selectsAll;
    private final long[] bits = new long[BlockFilter.WORDS];
    private long nextRow;
    private long endRow;

    private @Nullable LeftOutRows leftOut;

    private int block;
    private int first;
    private int end;
    private int count;

    /**
     * Starts before the first block.
     *
     * @param cursor to read with; may be used for other columns between two calls
     * @param range any but the unbounded range needs a segment in key order
     */
    public RowSelection(
            SegmentReader reader, BlockCursor cursor, KeyRange range, Predicate predicate) {
        this.reader = reader;
        this.selectsAll = Predicate.isAlways(predicate);
        this.filter = BlockFilter.of(reader, cursor, predicate);
        this.nextRow = range.start().length == 0 ? 0 : reader.lowerBound(range.start());
        this.endRow = range.end().length == 0 ? reader.rowCount() : reader.lowerBound(range.end());
    }

    /** Leaves out the rows outside of the blocks [from, to). */
    public void limitBlocks(int from, int to) {
        nextRow = Math.max(nextRow, reader.blockStartRow(from));
        endRow = Math.min(endRow, reader.blockStartRow(to));
    }

    /** Leaves rows out; before the first block. */
    public void leaveOut(LeftOutRows rows) {
        leftOut = rows;
    }

    /** Goes to the next block with a selected row; false at the end. */
    public boolean next() {
        while (nextRow < endRow) {
            block = reader.blockOf(nextRow);

            long start = reader.blockStartRow(block);
            first = (int) (nextRow - start);
            end = (int) Math.min(reader.blockRows(block), endRow - start);
            nextRow = start + end;
            count = select();
            if (count > 0) {
                return true;
            }
        }
        return false;
    }

    private int select() {
        BlockFilter.Match match =
                selectsAll
                        ? BlockFilter.Match.ALL
                        : filter.select(block, reader.blockRows(block), bits);
        LeftOutRows leaving = leftOut;
        if (leaving != null && match != BlockFilter.Match.NONE) {
            return selectBut(leaving, match == BlockFilter.Match.ALL);
        }
        return switch (match) {
            case NONE -> 0;
            case ALL -> end - first;
            case BITS -> BitRange.count(bits, first, end - first);
        };
    }

    private int selectBut(LeftOutRows leaving, boolean all) {
        if (all) {
            Arrays.fill(bits, 0);
            BitRange.set(bits, first, end - first);
        } else {
            clear(bits, 0, first);
            clear(bits, end, bits.length << 6);
        }
        int matching = BitRange.count(bits, first, end - first);
        if (matching > 0) {
            leaving.clear(block, bits, matching);
        }
        return BitRange.count(bits, first, end - first);
    }

    /** Selected rows of all blocks that remain; the end is then reached. */
    public long count() {
        if (selectsAll && leftOut == null) {
            long rows = Math.max(0, endRow - nextRow);
            nextRow = endRow;
            return rows;
        }
        long rows = 0;
        while (next()) {
            rows += count;
        }
        return rows;
    }

    public int block() {
        return block;
    }

    /** Selected rows of the block, at least one. */
    public int selectedCount() {
        return count;
    }

    /** Whether all rows of the block are selected. */
    public boolean wholeBlock() {
        return count == reader.blockRows(block);
    }

    /**
     * Sets bit i to whether row i of the block is selected; bits beyond the rows become 0.
     *
     * @param out has a bit for each row of a block
     */
    public void bits(long[] out) {
        int words = (reader.blockRows(block) + 63) >> 6;
        if (count == end - first) {
            Arrays.fill(out, 0, words, 0);
            BitRange.set(out, first, count);
            return;
        }
        System.arraycopy(bits, 0, out, 0, words);
        clear(out, 0, first);
        clear(out, end, words << 6);
    }

    private static void clear(long[] words, int from, int to) {
        for (int bit = from; bit < to; bit = (bit | 63) + 1) {
            long upTo = to - (bit & ~63) >= 64 ? -1L : (1L << to) - 1;
            words[bit >> 6] &= ~(-1L << bit & upTo);
        }
    }

    /** Puts the numbers within the block of the selected rows into {@code out}, in order. */
    public int rows(int[] out) {
        int at = 0;
        if (count == end - first) {
            for (int row = first; row < end; row++) {
                out[at++] = row;
            }
            return at;
        }
        for (int word = first >> 6; word << 6 < end; word++) {
            long left = bits[word];
            while (left != 0) {
                int row = (word << 6) + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                if (row >= first && row < end) {
                    out[at++] = row;
                }
            }
        }
        return at;
    }
}
