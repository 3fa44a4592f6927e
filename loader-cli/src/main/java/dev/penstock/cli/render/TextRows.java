package dev.penstock.cli.render;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Writes rows as text. Making text takes longer than reading rows: so where there is more than a
 * batch, some threads make it, each of some rows, while the caller's reads on and writes what is
 * ready, in the order of the rows. Owned by one thread.
 */
final class TextRows {
    private static final int MAX_THREADS = 8;

    /** With a smaller heap one batch at a time is enough. */
    private static final long MIN_HEAP_BYTES = 512L << 20;

    /** Batches that are being read or made text. */
    private static final int MAX_BATCHES = 4;

    /** About so much text is made at once. */
    private static final int PIECE_BYTES = 2 << 20;

    /** What the text of a value takes that is no string, about. */
    private static final int NUMBER_BYTES = 16;

    private final Function<ByteBuilder, BatchText> formats;
    private final OutputStream out;
    private final ByteBuilder buffer = new ByteBuilder(1 << 16);
    private final BatchText format;

    /** About what a row has besides its values. */
    private final int nameBytes;

    private long rowCount;

    /**
     * @param formats makes one that writes to a buffer
     * @param nameBytes what the text of a row has besides its values, about
     */
    TextRows(Function<ByteBuilder, BatchText> formats, int nameBytes, OutputStream out) {
        this.formats = formats;
        this.nameBytes = nameBytes;
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
        int piece = pieceRows(batch);
        for (int from = 0; from < rows; from += piece) {
            int to = Math.min(rows, from + piece);
            format.write(batch, from, to, rowCount == 0);
            rowCount += to - from;
            write(buffer);
        }
    }

    /** Rows whose text is about {@link #PIECE_BYTES}. */
    private int pieceRows(ColumnBatch batch) {
        long bytes = textBytes(batch);
        long rows = batch.rowCount() * (long) PIECE_BYTES / Math.max(1, bytes);
        return Math.clamp(rows, 1, batch.rowCount());
    }

    private long textBytes(ColumnBatch batch) {
        long rowBytes = nameBytes;
        long bytes = 0;
        for (int i = 0; i < batch.columnCount(); i++) {
            switch (batch.column(i)) {
                case LongColumn _ -> rowBytes += NUMBER_BYTES;
                case BytesColumn strings ->
                        bytes += strings.offsets()[batch.rowCount()] - strings.offsets()[0];
            }
        }
        return bytes + rowBytes * batch.rowCount();
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
        if (!source.next(batch)) {
            return;
        }
        int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        if (threads == 1 || Runtime.getRuntime().maxMemory() < MIN_HEAP_BYTES) {
            do {
                rows(batch);
            } while (source.next(batch));
            return;
        }
        try (ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads,
                        Thread.ofPlatform().daemon().name("penstock-text-", 0).factory())) {
            new InTurn(source, pool, threads + 1).run(batch);
        }
    }

    /** The pieces of batches, each on a lane; what was begun first is finished first. */
    private final class InTurn {
        private final BatchSource source;
        private final ExecutorService pool;
        private final int laneCount;
        private final Deque<ColumnBatch> batches = new ArrayDeque<>();
        private final Deque<Lane> busy = new ArrayDeque<>();
        private final Deque<Lane> idle = new ArrayDeque<>();

        InTurn(BatchSource source, ExecutorService pool, int laneCount) {
            this.source = source;
            this.pool = pool;
            this.laneCount = laneCount;
        }

        /** From a batch on that has been read. */
        void run(ColumnBatch first) throws IOException {
            ColumnBatch batch = first;
            boolean more = true;
            while (more) {
                start(batch);
                batches.add(batch);
                batch = batches.size() < MAX_BATCHES ? source.newBatch() : freed();
                more = next(batch);
            }
            finishAll();
        }

        private void start(ColumnBatch batch) throws IOException {
            int piece = pieceRows(batch);
            for (int from = 0; from < batch.rowCount(); from += piece) {
                Lane lane = idleLane();
                lane.start(pool, batch, from, Math.min(batch.rowCount(), from + piece));
                busy.add(lane);
            }
            rowCount += batch.rowCount();
        }

        private Lane idleLane() throws IOException {
            if (busy.size() == laneCount) {
                finishFirst();
            }
            Lane known = idle.poll();
            return known == null ? new Lane(formats) : known;
        }

        /** The oldest batch, when no lane needs it any more; a new one if it has grown large. */
        private ColumnBatch freed() throws IOException {
            ColumnBatch oldest = batches.remove();
            while (!busy.isEmpty() && busy.element().batch == oldest) {
                finishFirst();
            }
            return textBytes(oldest) > PIECE_BYTES ? source.newBatch() : oldest;
        }

        private boolean next(ColumnBatch batch) throws IOException {
            try {
                return source.next(batch);
            } catch (RuntimeException | Error e) {
                try {
                    finishAll();
                } catch (IOException failed) {
                    e.addSuppressed(failed);
                }
                throw e;
            }
        }

        private void finishAll() throws IOException {
            while (!busy.isEmpty()) {
                finishFirst();
            }
        }

        private void finishFirst() throws IOException {
            Lane lane = busy.remove();
            lane.await();
            write(lane.text);
            idle.add(lane);
        }
    }

    /** The text of some rows, which is made between {@link #start} and {@link #await}. */
    private static final class Lane {
        private final ByteBuilder text = new ByteBuilder(1 << 16);
        private final BatchText format;
        private ColumnBatch batch = new ColumnBatch(List.of());
        private Future<?> task = CompletableFuture.completedFuture(null);

        Lane(Function<ByteBuilder, BatchText> formats) {
            this.format = formats.apply(text);
        }

        void start(ExecutorService pool, ColumnBatch rows, int from, int to) {
            batch = rows;
            task = pool.submit(() -> format.write(rows, from, to, false));
        }

        void await() throws IOException {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw cause(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while rows were made text");
            }
        }

        private static RuntimeException cause(ExecutionException e) {
            return switch (e.getCause()) {
                case RuntimeException failure -> failure;
                case Error error -> throw error;
                case null, default -> new IllegalStateException("rows could not be made text", e);
            };
        }
    }
}
