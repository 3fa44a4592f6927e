package dev.penstock.loader.worker;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.RejectLog;

import java.util.function.Consumer;

/** The driver's side of the talk with one worker. Owned by the thread that runs it. */
final class WorkerDialog {
    private final WorkerProcess worker;
    private final ChunkSupply supply;
    private final RejectLog rejects;
    private final ProgressMeter meter;
    private final Consumer<Boolean> limitListener;
    private final Chunk scratch = new Chunk();
    private int outstanding;
    private boolean ended;

    /**
     * @param limitListener told after rejects whether there are more than allowed
     */
    WorkerDialog(
            WorkerProcess worker,
            ChunkSupply supply,
            RejectLog rejects,
            ProgressMeter meter,
            Consumer<Boolean> limitListener) {
        this.worker = worker;
        this.supply = supply;
        this.rejects = rejects;
        this.meter = meter;
        this.limitListener = limitListener;
    }

    /** Talks until the worker has flushed. */
    Message.Flushed run(Message.Setup setup, int threads) throws InterruptedException {
        worker.send(setup);
        while (true) {
            switch (worker.receive()) {
                case Message.Ready _ -> {
                    for (int i = 0; i < threads * (1 + Worker.AHEAD_PER_THREAD); i++) {
                        lease();
                    }
                    endIfDone();
                }
                case Message.Rejects bad -> {
                    meter.addRejects(bad.rejects().size());
                    limitListener.accept(rejects.add(bad.chunkId(), bad.rejects()));
                }
                case Message.Result result -> {
                    outstanding--;
                    rejects.addRecords(result.records());
                    meter.add(result.rowsSent(), result.bytesSent());
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

    private void lease() {
        ChunkLease lease = supply.lease(scratch);
        if (lease != null) {
            outstanding++;
            worker.send(new Message.Lease(lease));
        }
    }

    private void endIfDone() {
        if (outstanding == 0 && !ended) {
            ended = true;
            worker.send(new Message.End());
        }
    }
}
