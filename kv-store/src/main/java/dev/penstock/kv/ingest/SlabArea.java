package dev.penstock.kv.ingest;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;

/**
 * A stretch of memory that slabs of any size are cut from, in cells, each where it fits first; next
 * to each other, those that come back are one stretch again. Not thread-safe: its {@link SlabPool}
 * guards it.
 */
final class SlabArea {
    /** Of a multiple of a block, so that each slab begins at one. */
    static final int CELL_BYTES = 1 << 14;

    private final MemorySegment memory;
    private final int cells;
    private final BitSet taken;
    private int takenCells;

    /**
     * @param memory whole cells, at the start of a block; stays the caller's
     */
    SlabArea(MemorySegment memory) {
        this.memory = memory;
        this.cells = Math.toIntExact(memory.byteSize() / CELL_BYTES);
        this.taken = new BitSet(cells);
    }

    /**
     * @param bytes whole cells
     * @return empty if there is no stretch of so many bytes that nobody has
     */
    Optional<MemorySegment> take(int bytes) {
        int wanted = bytes / CELL_BYTES;
        if (wanted > cells - takenCells) {
            return Optional.empty();
        }
        int first = taken.nextClearBit(0);
        while (first + wanted <= cells) {
            int next = taken.nextSetBit(first);
            int end = next < 0 ? cells : next;
            if (end - first >= wanted) {
                taken.set(first, first + wanted);
                takenCells += wanted;
                return Optional.of(memory.asSlice((long) first * CELL_BYTES, bytes));
            }
            first = taken.nextClearBit(end);
        }
        return Optional.empty();
    }

    /**
     * @param slab what {@link #take} has given
     */
    void giveBack(MemorySegment slab) {
        int first = Math.toIntExact((slab.address() - memory.address()) / CELL_BYTES);
        int count = Math.toIntExact(slab.byteSize() / CELL_BYTES);
        if (taken.get(first, first + count).cardinality() != count) {
            throw new IllegalStateException("a slab came back that nobody had");
        }
        taken.clear(first, first + count);
        takenCells -= count;
    }
}
