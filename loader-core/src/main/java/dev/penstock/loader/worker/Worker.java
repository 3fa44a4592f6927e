package dev.penstock.loader.worker;

import dev.penstock.bytes.ByteParser;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadTargets;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.pipeline.ChunkRunner;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.pipeline.ColumnForms;
import dev.penstock.loader.pipeline.LoadSetup;
import dev.penstock.loader.pipeline.PlainColumns;
import dev.penstock.loader.pipeline.RejectCollector;
import dev.penstock.loader.pipeline.TextChunks;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.CpuClock;
import dev.penstock.step.StepName;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The work of one loader process: attaches to the load, runs the leased chunks on its threads, and
 * flushes when the driver has no more. One thread reads the driver's messages; loader threads take
 * leases from a queue as long as the driver is allowed to run ahead.
 */
final class Worker implements AutoCloseable {
    /** Leases the driver may have given out beyond those in work, for each thread. */
    static final int AHEAD_PER_THREAD = 1;

    private final Message.Setup setup;
    private final Wire wire;
    private final Inputs inputs;
    private final LoadTarget target;
    private final LoadSession session;
    private final LoadSetup loadSetup;
    private final PlainColumns plainColumns;
    private final ColumnForms forms = new ColumnForms();
    private final ChunkSupply chunks;
    private final BlockingQueue<Optional<ChunkLease>> leases;
    private volatile @Nullable PlainColumns learning;

    // Guarded by this.
    private ChunkTotals totals;
    private @Nullable Throwable failure;

    Worker(Message.Setup setup, Wire wire) {
        this.setup = setup;
        this.wire = wire;
        List<String> paths = new ArrayList<>();
        long[] dataStarts = new long[setup.sources().size()];
        for (Message.Source source : setup.sources()) {
            checkIsFile(source.path());
            dataStarts[paths.size()] = source.dataStart();
            paths.add(source.path());
        }
        inputs = Inputs.open(paths, InputStream.nullInputStream());
        checkInputs();
        target = LoadTargets.open(setup.ticket());
        session = target.attach(setup.ticket(), this::acknowledged);
        TableSchema schema =
                target.table(setup.table())
                        .orElseThrow(() ->
                                PenstockException.internal("table " + setup.table() + " is gone"));
        loadSetup =
                new LoadSetup(
                        schema,
                        setup.dialect(),
                        setup.fieldColumns(),
                        setup.ticket().loadId(),
                        setup.ticket().loadOrdinal(),
                        setup.policy(),
                        setup.cut(),
                        setup.duplicates(),
                        setup.verification(),
                        TokenTables.read(new ByteParser(setup.tokens(), "the driver's tokens")),
                        session.regions());
        plainColumns = new PlainColumns(session.regions());
        learning = plainColumns;
        chunks = new ChunkSupply(inputs, setup.dialect(), dataStarts, setup.chunkBytes());
        leases = new ArrayBlockingQueue<>(setup.threads() * (2 + AHEAD_PER_THREAD));
        totals = ChunkTotals.none(schema.columnCount());
    }

    /**
     * {@code /dev/stdin} is another file here than where the load was planned: the driver's pipe.
     */
    private static void checkIsFile(String path) {
        if (!Files.isRegularFile(Path.of(path))) {
            throw PenstockException.usage(
                    path
                            + " is no file that a worker process can read; name the file itself, or"
                            + " load it without --workers.");
        }
    }

    /** The driver has looked at the files and cut them: they must be the same here. */
    private void checkInputs() {
        for (int i = 0; i < setup.sources().size(); i++) {
            Message.Source source = setup.sources().get(i);
            String difference = source.state().difference(inputs.state(i));
            if (!difference.isEmpty()) {
                throw PenstockException.data(
                        source.path()
                                + " has changed since the load was planned: it "
                                + difference
                                + ".");
            }
        }
    }

    private void acknowledged(FragmentAck ack) {
        PlainColumns columns = learning;
        if (columns != null) {
            columns.learn(ack);
        }
        if (!ack.rejects().isEmpty()) {
            wire.send(new Message.Rejects(ack.chunkId(), ack.rejects()));
        }
    }

    /** Runs until the driver says that there are no more chunks. */
    void run(BufferedReader in) throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < setup.threads(); i++) {
            threads.add(
                    Thread.ofPlatform().daemon().name("penstock-loader-" + i).start(this::work));
        }
        wire.send(new Message.Ready(ProcessHandle.current().pid()));
        boolean ended = false;
        while (!ended) {
            String line = in.readLine();
            if (line == null) {
                throw PenstockException.internal("the driver of the load is gone");
            }
            switch (Message.parse(line)) {
                case Message.Lease lease -> leases.put(Optional.of(lease.chunk()));
                case Message.End _ -> ended = true;
                case Message other ->
                        throw PenstockException.internal("unexpected message " + other.line());
            }
        }
        for (int i = 0; i < threads.size(); i++) {
            leases.put(Optional.empty());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        session.flush();
        ChunkTotals all = result().plusTimes(session.transferTimes());
        wire.send(new Message.Flushed(all));
    }

    private synchronized ChunkTotals result() {
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure != null) {
            throw PenstockException.internal("a loader thread failed: " + failure);
        }
        return totals;
    }

    // Whatever ends a loader thread must reach the driver, errors included.
    private void work() {
        try {
            CpuClock clock = new CpuClock();
            ChunkRunner runner =
                    new ChunkRunner(
                            loadSetup, plainColumns, forms, session::send, TextChunks.NONE, clock);
            clock.restart();
            runChunks(runner, clock);
            add(runner.totals());
        } catch (RuntimeException | Error | InterruptedException e) {
            fail(e);
        }
    }

    private void runChunks(ChunkRunner runner, CpuClock clock) throws InterruptedException {
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        RejectCollector collector =
                new RejectCollector(
                        (chunkId, bad) -> {
                            wire.send(new Message.Rejects(chunkId, bad));
                            return false;
                        },
                        false);
        ChunkTotals before = runner.totals();
        while (true) {
            Optional<ChunkLease> lease = leases.take();
            if (lease.isEmpty()) {
                return;
            }
            chunks.read(lease.get(), chunk, reader);
            clock.lap(StepName.READ);
            collector.begin(chunk.chunkId());
            runner.run(chunk, collector);
            collector.flush();
            ChunkTotals now = runner.totals();
            session.settle(chunk.chunkId());
            wire.send(new Message.Result(chunk.chunkId(), now.minus(before)));
            before = now;
        }
    }

    private synchronized void add(ChunkTotals more) {
        totals = totals.plus(more);
    }

    /** The driver waits for this thread's chunk, or for the end of this process. */
    private void fail(Throwable thrown) {
        try {
            report(thrown);
        } catch (RuntimeException | Error e) {
            Runtime.getRuntime().halt(1);
        }
    }

    private void report(Throwable thrown) {
        synchronized (this) {
            if (failure == null) {
                failure = thrown;
            }
        }
        PenstockException known = thrown instanceof PenstockException e ? e : null;
        if (known == null) {
            thrown.printStackTrace();
        }
        wire.send(
                new Message.Failed(
                        known == null
                                ? dev.penstock.error.ErrorCategory.INTERNAL
                                : known.category(),
                        known == null ? thrown.toString() : String.valueOf(known.getMessage())));
    }

    @Override
    public void close() {
        try (inputs;
                target) {
            session.close();
        }
    }
}
