package dev.penstock.loader.worker;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.pipeline.ChunkListener;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.RejectLog;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The driver's side of the talk with one worker. Owned by the thread that runs it. */
final class WorkerDialog {
    private final WorkerProcess worker;
    private final ChunkSupply supply;
    private final RejectLog rejects;
    private final ProgressMeter meter;
    private final Consumer<Boolean> limitListener;
    private final ChunkListener sent;
    private final boolean ahead;
    private final Chunk scratch = new Chunk();
    private final Map<Integer, ChunkLease> outstanding = new HashMap<>();
    private boolean ended;

    /**
     * @param limitListener told after rejects whether there are more than allowed
     * @param sent told of each chunk before another is given
     * @param ahead whether the worker is given chunks before it asks for them
     */
    WorkerDialog(
            WorkerProcess worker,
            ChunkSupply supply,
            RejectLog rejects,
            ProgressMeter meter,
            Consumer<Boolean> limitListener,
            ChunkListener sent,
            boolean ahead) {
        this.worker = worker;
        this.supply = supply;
        this.rejects = rejects;
        this.meter = meter;
        this.limitListener = limitListener;
        this.sent = sent;
        this.ahead = ahead;
    }

    /** Talks until the worker has flushed. */
    Message.Flushed run(Message.Setup setup, int threads) throws InterruptedException {
        worker.send(setup);
        while (true) {
            switch (worker.receive()) {
                case Message.Ready _ -> {
                    int each = ahead ? 1 + Worker.AHEAD_PER_THREAD : 1;
                    for (int i = 0; i < threads * each; i++) {
                        lease();
                    }
                    endIfDone();
                }
                case Message.Alive _ -> {}
                case Message.Rejects bad -> {
                    meter.addRejects(bad.rejects().size());
                    limitListener.accept(rejects.add(bad.chunkId(), bad.rejects()));
                }
                case Message.Result result -> {
                    ChunkTotals totals = result.totals();
                    rejects.addRecords(totals.records(), totals.textBytes());
                    sent.sent(done(result.chunkId()), () -> Optional.of(totals));
                    meter.add(totals.rowsSent(), totals.bytesSent());
                    meter.tick();
                    lease();
                    endIfDone();
                }
                case Message.Flushed flushed -> {
                    worker.awaitExit();
                    return flushed;
                }
                case Message.Failed failed ->
                        throw new PenstockException(
                                failed.category(), worker.name() + " failed: " + failed.message());
                case Message.Setup _, Message.Lease _, Message.End _ ->
                        throw PenstockException.internal(
                                worker.name() + " sent what only the driver says");
            }
        }
    }

    private ChunkLease done(int chunkId) {
        ChunkLease lease = outstanding.remove(chunkId);
        if (lease == null) {
            throw PenstockException.internal(
                    worker.name() + " has done chunk " + chunkId + ", which it was not given");
        }
        return lease;
    }

    private void lease() {
        ChunkLease lease = supply.lease(scratch);
        if (lease != null) {
            outstanding.put(lease.chunkId(), lease);
            worker.send(new Message.Lease(lease));
        }
    }

    private void endIfDone() {
        if (outstanding.isEmpty() && !ended) {
            ended = true;
            worker.send(new Message.End());
        }
    }
}
