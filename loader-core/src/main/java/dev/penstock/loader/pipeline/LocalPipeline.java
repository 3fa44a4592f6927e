package dev.penstock.loader.pipeline;

import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.reject.Reject;
import dev.penstock.step.CpuClock;
import dev.penstock.step.StepName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The loader threads of this process. Each takes a chunk, runs it to completion, and takes the
 * next; there is no hand-over between threads.
 *
 * <p>When a thread fails, no further chunks are handed out, and the others finish the chunks they
 * have: every chunk before the failing one has then been read, so the first reject in input order
 * is known whatever the timing.
 */
public final class LocalPipeline {
    private final LoadSetup setup;
    private final PlainColumns plainColumns;
    private final ColumnForms forms = new ColumnForms();
    private final FragmentSink sink;
    private final TextChunks texts;
    private final ChunkSupply supply;
    private final RejectLog rejects;
    private final LineFinder lines;
    private final ProgressMeter meter;
    private final int threadCount;
    private final ChunkListener sent;
    private final WarmUp warmUp = new WarmUp(Runtime.getRuntime().availableProcessors());

    // Guarded by this.
    private ChunkTotals totals;
    private @Nullable Throwable failure;

    public LocalPipeline(
            LoadSetup setup,
            PlainColumns plainColumns,
            FragmentSink sink,
            TextChunks texts,
            ChunkSupply supply,
            RejectLog rejects,
            LineFinder lines,
            ProgressMeter meter,
            int threadCount,
            ChunkListener sent) {
        this.setup = setup;
        this.plainColumns = plainColumns;
        this.sink = sink;
        this.texts = texts;
        this.supply = supply;
        this.rejects = rejects;
        this.lines = lines;
        this.meter = meter;
        this.threadCount = threadCount;
        this.sent = sent;
        this.totals = ChunkTotals.none(setup.schema().columnCount());
    }

    /** A thread that runs chunks, and nothing else. */
    private static final class LoaderThread extends Thread {
        LoaderThread(Runnable work, int number) {
            super(work, "penstock-loader-" + number);
            setDaemon(true);
        }
    }

    /** Whether the caller is a loader thread: then the target works on the sender's CPU time. */
    public static boolean onLoaderThread() {
        return Thread.currentThread() instanceof LoaderThread;
    }

    /**
     * Runs until all chunks are done.
     *
     * @throws InterruptedException if the calling thread was interrupted; the loader threads have
     *     ended by then
     */
    public ChunkTotals run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < threadCount; i++) {
            int number = i;
            Thread thread = new LoaderThread(() -> work(number), number);
            threads.add(thread);
            thread.start();
        }
        InterruptedException interrupt = null;
        for (Thread thread : threads) {
            boolean ended = false;
            while (!ended) {
                try {
                    thread.join();
                    ended = true;
                } catch (InterruptedException e) {
                    interrupt = e;
                    supply.stop();
                }
            }
        }
        if (interrupt != null) {
            throw interrupt;
        }
        return result();
    }

    private synchronized ChunkTotals result() {
        Throwable thrown = failure;
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        return totals;
    }

    // Whatever ends a loader thread must reach the driver, errors included.
    @SuppressWarnings("CatchingUnchecked")
    private void work(int number) {
        try {
            warmUp.awaitTurn(number);
            CpuClock clock = new CpuClock();
            ChunkRunner runner = new ChunkRunner(setup, plainColumns, forms, sink, texts, clock);
            clock.restart();
            runChunks(runner, clock);
            add(runner.totals());
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            warmUp.release();
        }
    }

    private void runChunks(ChunkRunner runner, CpuClock clock) {
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        LineTracker tracker = new LineTracker(lines);
        RejectCollector collector =
                new RejectCollector(
                        (chunkId, bad) -> reject(tracker, chunkId, bad), rejects.endsAtFirst());
        ChunkTotals before = runner.totals();
        while (supply.take(chunk)) {
            ChunkLease rest = runner.sendAsText(chunk, supply);
            if (rest != null && chunk.isGuessed()) {
                texts.defer(rest);
                rest = null;
            }
            if (rest == null) {
                sentAsText(chunk.lease());
                continue;
            }
            supply.readTaken(rest, chunk, reader);
            tracker.begin(chunk);
            clock.lap(StepName.READ);
            collector.begin(chunk.chunkId());
            runner.run(chunk, collector);
            collector.flush();
            ChunkTotals now = runner.totals();
            ChunkTotals ofChunk = now.minus(before);
            rejects.addRecords(ofChunk.records(), ofChunk.textBytes());
            sent.sent(chunk.lease(), () -> Optional.of(ofChunk));
            meter.add(ofChunk.rowsSent(), ofChunk.bytesSent());
            meter.tick();
            warmUp.add(ofChunk.textBytes());
            before = now;
        }
    }

    private void sentAsText(ChunkLease lease) {
        int columnCount = setup.schema().columnCount();
        sent.sent(lease, () -> texts.takenOf(lease.chunkId(), columnCount));
        meter.tick();
    }

    private boolean reject(LineTracker tracker, int chunkId, List<Reject> bad) {
        meter.addRejects(bad.size());
        return rejects.add(chunkId, tracker.withLines(bad));
    }

    private synchronized void add(ChunkTotals more) {
        totals = totals.plus(more);
    }

    private synchronized void fail(Throwable thrown) {
        supply.stop();
        if (failure == null) {
            failure = thrown;
        }
    }
}
