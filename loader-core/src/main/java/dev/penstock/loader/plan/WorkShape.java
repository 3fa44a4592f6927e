package dev.penstock.loader.plan;

import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.sampler.Sample;

/**
 * How the work is divided: threads, processes, memory, and the size of chunks.
 *
 * <p>Rows that come in the order of their keys are best taken in small chunks, which the caches
 * hold, but not in so few rows that each repeats the dictionaries of the one before, and that what
 * is done once for each chunk, by code that runs too seldom to be compiled soon, counts. Rows in
 * another order give fragments to all regions, which are too small if chunks are. A load that can
 * be resumed forces logs for each chunk, for which one more thread than processors waits.
 *
 * <p>A chunk in work holds its text, its typed columns, perhaps a sorted copy of them, and the
 * fragments on their way: about {@link #MEMORY_PER_CHUNK_BYTE} bytes for each byte of text. The
 * chunk size is cut down until that, times the threads, fits the budget, and until there are a few
 * chunks for each thread.
 *
 * @param threads in all
 * @param workers processes, 0 for none
 */
record WorkShape(int threads, int workers, long memoryBytes) {
    private static final int RESUMABLE_CHUNK_BYTES = 16 << 20;
    private static final int UNORDERED_CHUNK_BYTES = 16 << 20;
    private static final int ORDERED_CHUNK_ROWS = 48_000;
    private static final int MIN_ORDERED_CHUNK_BYTES = 6 << 20;
    private static final int MAX_ORDERED_CHUNK_BYTES = 8 << 20;
    static final int MEMORY_PER_CHUNK_BYTE = 7;

    private static final int MIN_CHUNK_BYTES = 256 << 10;
    private static final int CHUNKS_PER_THREAD = 4;

    /**
     * @throws PenstockException of category {@code USAGE} if what the spec asks for does not go
     *     together
     */
    static WorkShape of(LoadSpec spec, Inputs inputs) {
        int workers = spec.workers() <= 1 ? 0 : spec.workers();
        int processors = Runtime.getRuntime().availableProcessors();
        int busy = spec.resume() ? processors + 1 : processors;
        int threads = spec.threads() == 0 ? Math.max(busy, workers) : spec.threads();
        if (workers > threads) {
            throw PenstockException.usage(
                    "--workers "
                            + workers
                            + " needs at least as many --threads, not "
                            + threads
                            + ".");
        }
        checkInputs(inputs, workers);
        long memory = spec.memoryBytes();
        if (memory == 0) {
            memory = Runtime.getRuntime().maxMemory() / 2;
        }
        WorkShape shape = new WorkShape(threads, workers, memory);
        if (spec.memoryBytes() > 0) {
            shape.checkMemory(spec.chunkBytes());
        }
        return shape;
    }

    /**
     * @param wantedBytes of a chunk, 0 if any will do
     */
    private void checkMemory(long wantedBytes) {
        long bytes = wantedBytes > 0 ? wantedBytes : MIN_CHUNK_BYTES;
        if (bytes > fittingBytes()) {
            throw PenstockException.usage(
                    Counted.of(threads, "thread")
                            + " with chunks of "
                            + bytes
                            + " bytes "
                            + Counted.verb(threads, "needs", "need")
                            + " about "
                            + bytes * threads * MEMORY_PER_CHUNK_BYTE
                            + " bytes, more than --memory "
                            + memoryBytes
                            + (wantedBytes > 0
                                    ? "; lower --chunk-size or --threads."
                                    : ", and no chunk is smaller; lower --threads."));
        }
    }

    private long fittingBytes() {
        return memoryBytes / ((long) threads * MEMORY_PER_CHUNK_BYTE);
    }

    private static void checkInputs(Inputs inputs, int workers) {
        for (InputFile file : inputs.files()) {
            if (workers > 0 && !file.seekable()) {
                throw PenstockException.usage(
                        "Worker processes read files side by side, and "
                                + (file.name().equals("-") ? "standard input" : file.name())
                                + " can only be read from its start; load it without --workers.");
            }
        }
    }

    /**
     * Bytes of text of a chunk.
     *
     * @param textBytes in all, or -1 if nobody knows
     */
    int chunkBytes(LoadSpec spec, Sample sample, long textBytes) {
        if (spec.chunkBytes() > 0) {
            return (int) spec.chunkBytes();
        }
        return limited(usualBytes(spec, sample), textBytes);
    }

    /** Bytes of a chunk that is to have so many, of which there are a few for each thread. */
    int limited(long wantedBytes, long textBytes) {
        long chunk = Math.min(wantedBytes, fittingBytes());
        if (textBytes > 0) {
            chunk = Math.min(chunk, textBytes / ((long) threads * CHUNKS_PER_THREAD));
            chunk = Math.max(chunk, textBytes / (ChunkSupply.MAX_CHUNKS / 2));
        }
        return (int) Math.max(MIN_CHUNK_BYTES, chunk);
    }

    private static long usualBytes(LoadSpec spec, Sample sample) {
        if (spec.resume()) {
            return RESUMABLE_CHUNK_BYTES;
        }
        if (!sample.isInOrder()) {
            return UNORDERED_CHUNK_BYTES;
        }
        return Math.clamp(
                (long) (ORDERED_CHUNK_ROWS * sample.meanRecordBytes()),
                MIN_ORDERED_CHUNK_BYTES,
                MAX_ORDERED_CHUNK_BYTES);
    }
}
