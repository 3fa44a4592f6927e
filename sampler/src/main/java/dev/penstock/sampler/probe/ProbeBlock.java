package dev.penstock.sampler.probe;

/** A byte range of one source to sample: {@code source} is an index into the list of sources. */
public record ProbeBlock(int source, long from, int length) {
    /** Whether the block begins where another one ends. */
    boolean follows(ProbeBlock other) {
        return source == other.source && from == other.from + other.length;
    }
}
