package dev.penstock.cli.generate;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * Text made in parts of a few megabytes: threads make parts side by side, the caller's thread
 * writes them in order. At most two parts per thread wait in memory.
 *
 * @param count parts, numbered from 0
 */
record TextParts(int count, Source source) {
    /** Makes one part; called by several threads at a time. */
    interface Source {
        Part part(int index);
    }

    /** The text of some rows, each with its line end. */
    record Part(ByteBuilder text, long rows) {}

    /**
     * Makes and writes all parts.
     *
     * @param progress told of the bytes written so far
     */
    TableWriter.Written writeTo(OutputStream out, int threads, LongConsumer progress)
            throws IOException {
        ArrayDeque<Future<Part>> pending = new ArrayDeque<>();
        long rows = 0;
        long bytes = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            try {
                int next = 0;
                for (int part = 0; part < count; part++) {
                    while (next < count && pending.size() < 2 * threads) {
                        int index = next++;
                        pending.add(pool.submit(() -> source.part(index)));
                    }
                    Part done = take(pending.remove());
                    out.write(done.text().array(), 0, done.text().length());
                    rows += done.rows();
                    bytes += done.text().length();
                    progress.accept(bytes);
                }
            } finally {
                pool.shutdownNow();
            }
        }
        return new TableWriter.Written(rows, bytes);
    }

    private static Part take(Future<Part> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException(ErrorCategory.IO, "generating was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("generating failed", e.getCause());
        }
    }
}
