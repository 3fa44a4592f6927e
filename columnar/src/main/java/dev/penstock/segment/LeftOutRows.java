package dev.penstock.segment;

/** Rows of a segment that are passed over, whatever a predicate says. Asked by one thread. */
public interface LeftOutRows {
    /**
     * Leaves out rows of a block.
     *
     * @param bits bit i is set if row i of the block is selected; cleared if it is left out
     * @param count how many are selected, at least one
     */
    void clear(int block, long[] bits, int count);
}
