package dev.penstock.loader.plan;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;

/**
 * How the work is divided: threads, processes, chunk size, memory.
 *
 * <p>A chunk in work holds its text, its typed columns, perhaps a sorted copy of them, and the
 * fragments on their way: about {@link #MEMORY_PER_CHUNK_BYTE} bytes for each byte of text. The
 * chunk size is cut down until that, times the threads, fits the budget, and until there are a few
 * chunks for each thread.
 *
 * @param threads in all
 * @param workers processes, 0 for none
 */
record WorkShape(int threads, int workers, int chunkBytes, long memoryBytes) {
    static final int DEFAULT_CHUNK_BYTES = 8 << 20;
    static final int MEMORY_PER_CHUNK_BYTE = 7;

    private static final int MIN_CHUNK_BYTES = 256 << 10;
    private static final int CHUNKS_PER_THREAD = 4;

    static WorkShape of(LoadSpec spec, Inputs inputs, long textBytes) {
        int workers = spec.workers() <= 1 ? 0 : spec.workers();
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = spec.threads() == 0 ? Math.max(processors, workers) : spec.threads();
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
        return new WorkShape(
                threads, workers, chunkBytes(spec, threads, memory, textBytes), memory);
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

    private static int chunkBytes(LoadSpec spec, int threads, long memory, long textBytes) {
        long fitting = memory / ((long) threads * MEMORY_PER_CHUNK_BYTE);
        if (spec.chunkBytes() > 0) {
            if (spec.chunkBytes() > fitting && spec.memoryBytes() > 0) {
                throw PenstockException.usage(
                        threads
                                + " threads with chunks of "
                                + spec.chunkBytes()
                                + " bytes need about "
                                + spec.chunkBytes() * threads * MEMORY_PER_CHUNK_BYTE
                                + " bytes, more than --memory "
                                + memory
                                + "; lower --chunk-size or --threads.");
            }
            return (int) spec.chunkBytes();
        }
        long chunk = Math.min(DEFAULT_CHUNK_BYTES, fitting);
        if (textBytes > 0) {
            chunk = Math.min(chunk, textBytes / ((long) threads * CHUNKS_PER_THREAD));
            chunk = Math.max(chunk, textBytes / (ChunkSupply.MAX_CHUNKS / 2));
        }
        return (int) Math.max(MIN_CHUNK_BYTES, chunk);
    }
}
