package dev.penstock.loader.worker;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.pipeline.ChunkListener;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.pipeline.LoadSetup;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.target.LoadTicket;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The loader as several processes: starts the workers, gives each as many leases as it has threads
 * and a few ahead, and adds up what they report. One thread per worker reads its messages and
 * answers them. If one worker fails, dies or gives no sign of life, all are ended, and whoever
 * still waits for one that cannot be killed is left behind.
 */
public final class WorkerPipeline {
    private final ResolvedLoad load;
    private final LoadSetup setup;
    private final Inputs inputs;
    private final ChunkSupply supply;
    private final LoadTicket ticket;
    private final RejectLog rejects;
    private final ProgressMeter meter;
    private final ChunkListener sent;
    private final boolean ahead;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final DriverThreads threads = new DriverThreads();

    // Guarded by this.
    private ChunkTotals totals;
    private @Nullable PenstockException failure;

    /**
     * @param sent told of each chunk before the worker that has done it gets another
     * @param ahead whether workers are given chunks before they ask for them
     */
    public WorkerPipeline(
            ResolvedLoad load,
            LoadSetup setup,
            Inputs inputs,
            ChunkSupply supply,
            LoadTicket ticket,
            RejectLog rejects,
            ProgressMeter meter,
            ChunkListener sent,
            boolean ahead) {
        this.load = load;
        this.setup = setup;
        this.inputs = inputs;
        this.supply = supply;
        this.ticket = ticket;
        this.rejects = rejects;
        this.meter = meter;
        this.sent = sent;
        this.ahead = ahead;
        this.totals = ChunkTotals.none(setup.schema().columnCount());
    }

    /** Runs until all chunks are done and every worker has flushed and ended. */
    public ChunkTotals run() throws InterruptedException {
        long heap = 2 * load.memoryBytes() / load.workers();
        try {
            for (int i = 0; i < load.workers(); i++) {
                workers.add(WorkerProcess.start(i + 1, WorkerCommand.of(heap)));
            }
            try (WorkerWatch _ = WorkerWatch.start(workers, this::fail)) {
                driveAll();
            }
            return result();
        } finally {
            supply.stop();
            workers.forEach(WorkerProcess::close);
        }
    }

    private void driveAll() throws InterruptedException {
        for (int i = 0; i < workers.size(); i++) {
            WorkerProcess worker = workers.get(i);
            int workerThreads = share(i);
            threads.start("penstock-driver-" + (i + 1), () -> drive(worker, workerThreads));
        }
        threads.await(DriverThreads.PATIENCE_AFTER_FAILURE);
    }

    /** Threads of the worker at this index. */
    private int share(int index) {
        int more = index < load.threads() % load.workers() ? 1 : 0;
        return Math.max(1, load.threads() / load.workers() + more);
    }

    private synchronized ChunkTotals result() {
        if (failure != null) {
            throw failure;
        }
        return totals;
    }

    private void drive(WorkerProcess worker, int threads) {
        try {
            WorkerDialog dialog =
                    new WorkerDialog(
                            worker, supply, rejects, meter, this::checkRejects, sent, ahead);
            Message.Flushed flushed = dialog.run(setupMessage(threads), threads);
            synchronized (this) {
                totals = totals.plus(flushed.totals());
            }
        } catch (PenstockException e) {
            fail(e);
        } catch (InterruptedException e) {
            fail(PenstockException.conflict("The load was interrupted."));
        } catch (RuntimeException | Error e) {
            fail(PenstockException.internal("A driver thread failed: " + e));
        }
    }

    private void checkRejects(boolean exceeded) {
        if (exceeded) {
            supply.stop();
        }
    }

    private Message.Setup setupMessage(int threads) {
        List<Message.Source> sources = new ArrayList<>();
        for (InputFile file : inputs.files()) {
            sources.add(
                    new Message.Source(
                            file.name(),
                            inputs.state(file.index()),
                            load.dialect().dataStarts()[file.index()]));
        }
        ByteBuilder tokens = new ByteBuilder(16);
        setup.tokens().write(tokens);
        return new Message.Setup(
                ticket,
                setup.schema().name(),
                sources,
                setup.dialect(),
                setup.fieldColumns(),
                setup.policy(),
                setup.cut(),
                setup.duplicates(),
                setup.verification(),
                tokens.toByteArray(),
                load.chunkBytes(),
                threads);
    }

    private void fail(PenstockException e) {
        synchronized (this) {
            if (failure == null) {
                failure = e;
            }
        }
        supply.stop();
        workers.forEach(WorkerProcess::close);
        threads.fail();
    }
}
