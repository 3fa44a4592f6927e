package dev.penstock.loader.pipeline;

import dev.penstock.loader.file.ChunkLease;

import java.util.Optional;
import java.util.function.Supplier;

/** Told of each chunk that has been sent, by the thread that did it, before it takes the next. */
@FunctionalInterface
public interface ChunkListener {
    ChunkListener NONE = (lease, totals) -> {};

    /**
     * @param totals of this chunk, once all of it has been acknowledged; empty if it was declined,
     *     and will be run again
     */
    void sent(ChunkLease lease, Supplier<Optional<ChunkTotals>> totals);
}
