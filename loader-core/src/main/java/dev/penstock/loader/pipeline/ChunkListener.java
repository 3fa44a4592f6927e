package dev.penstock.loader.pipeline;

import dev.penstock.loader.file.ChunkLease;

/** Told of each chunk that has been sent, by the thread that did it, before it takes the next. */
@FunctionalInterface
public interface ChunkListener {
    ChunkListener NONE = (lease, totals) -> {};

    /**
     * @param totals of this chunk
     */
    void sent(ChunkLease lease, ChunkTotals totals);
}
