package dev.penstock.cli.render;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.convert.ColumnText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Writes rows as text. Making text takes longer than reading rows: so where there is more than a
 * batch, some threads make it, each of one batch, while the caller's reads on and writes what is
 * ready, in the order of the rows. Owned by one thread.
 */
final class TextRows {
    private static final int MAX_THREADS = 8;

    /** With a smaller heap one batch at a time is enough. */
    private static final long MIN_HEAP_BYTES = 256L << 20;

    /** Batches with more bytes of strings are written piece by piece. */
    private static final int LARGE_BATCH_BYTES = 4 << 20;

    private final Function<ByteBuilder, BatchText> formats;
    private final OutputStream out;
    private final ByteBuilder buffer = new ByteBuilder(1 << 16);
    private final BatchText format;
    private long rowCount;

    /**
     * @param formats makes one that writes to a buffer
     */
    TextRows(Function<ByteBuilder, BatchText> formats, OutputStream out) {
        this.formats = formats;
        this.out = out;
        this.format = formats.apply(buffer);
    }

    /** Rows until now. */
    long rowCount() {
        return rowCount;
    }

    /** Writes a batch. */
    void rows(ColumnBatch batch) throws IOException {
        int rows = batch.rowCount();
        for (int from = 0; from < rows; from += ColumnText.WINDOW) {
            int to = Math.min(rows, from + ColumnText.WINDOW);
            format.write(batch, from, to, rowCount == 0);
            rowCount += to - from;
            write(buffer);
        }
    }

    private void write(ByteBuilder text) throws IOException {
        out.write(text.array(), 0, text.length());
        text.clear();
    }

    /**
     * Writes all rows of a source. If reading fails, the rows before are written.
     *
     * @throws IOException if writing fails
     */
    void all(BatchSource source) throws IOException {
        ColumnBatch batch = source.newBatch();
        if (!source.next(batch)) {
            return;
        }
        rows(batch);
        int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        if (threads == 1 || Runtime.getRuntime().maxMemory() < MIN_HEAP_BYTES) {
            while (source.next(batch)) {
                rows(batch);
            }
            return;
        }
        try (ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads,
                        Thread.ofPlatform().daemon().name("penstock-text-", 0).factory())) {
            inTurn(source, pool, threads + 1);
        }
    }

    private void inTurn(BatchSource source, ExecutorService pool, int count) throws IOException {
        Lane[] lanes = new Lane[count];
        for (int i = 0; i < count; i++) {
            lanes[i] = new Lane(source.newBatch(), formats);
        }
        int turn = 0;
        while (true) {
            Lane lane = lanes[turn];
            turn = (turn + 1) % count;
            finish(lane);
            if (!next(source, lanes, turn, lane.batch)) {
                break;
            }
            if (isLarge(lane.batch)) {
                finishFrom(lanes, turn);
                rows(lane.batch);
            } else {
                rowCount += lane.batch.rowCount();
                lane.start(pool);
            }
        }
        finishFrom(lanes, turn);
    }

    private boolean next(BatchSource source, Lane[] lanes, int turn, ColumnBatch batch)
            throws IOException {
        boolean failed = true;
        try {
            boolean any = source.next(batch);
            failed = false;
            return any;
        } finally {
            if (failed) {
                finishFrom(lanes, turn);
            }
        }
    }

    private void finishFrom(Lane[] lanes, int turn) throws IOException {
        for (int i = 0; i < lanes.length; i++) {
            finish(lanes[(turn + i) % lanes.length]);
        }
    }

    private void finish(Lane lane) throws IOException {
        if (lane.await()) {
            write(lane.text);
        }
    }

    private static boolean isLarge(ColumnBatch batch) {
        long bytes = 0;
        for (int i = 0; i < batch.columnCount(); i++) {
            if (batch.column(i) instanceof BytesColumn strings) {
                bytes += strings.offsets()[batch.rowCount()] - strings.offsets()[0];
            }
        }
        return bytes > LARGE_BATCH_BYTES;
    }

    /** A batch and its text, which is being made if {@link #task} is not null. */
    private static final class Lane {
        private final ColumnBatch batch;
        private final ByteBuilder text = new ByteBuilder(1 << 16);
        private final BatchText format;
        private @Nullable Future<?> task;

        Lane(ColumnBatch batch, Function<ByteBuilder, BatchText> formats) {
            this.batch = batch;
            this.format = formats.apply(text);
        }

        void start(ExecutorService pool) {
            task = pool.submit(() -> format.write(batch, 0, batch.rowCount(), false));
        }

        /** Waits for the text; false if none was asked for. */
        boolean await() throws IOException {
            Future<?> started = task;
            task = null;
            if (started == null) {
                return false;
            }
            try {
                started.get();
                return true;
            } catch (ExecutionException e) {
                throw new IllegalStateException("rows could not be made text", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while rows were made text");
            }
        }
    }
}
