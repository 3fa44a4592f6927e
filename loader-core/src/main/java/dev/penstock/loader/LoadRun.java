package dev.penstock.loader;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputDigest;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.WrongGuess;
import dev.penstock.loader.pipeline.ChunkListener;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.pipeline.LoadSetup;
import dev.penstock.loader.pipeline.LocalPipeline;
import dev.penstock.loader.pipeline.PlainColumns;
import dev.penstock.loader.pipeline.RefusedKeys;
import dev.penstock.loader.pipeline.TextChunks;
import dev.penstock.loader.plan.Planner;
import dev.penstock.loader.plan.RegionSplit;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.loader.report.ReportBuilder;
import dev.penstock.loader.worker.WorkerPipeline;
import dev.penstock.step.CpuClock;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.PublishDoubt;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * One load from plan to report. Runs on the calling thread; loader threads exist only during the
 * phase {@link LoadPhase#LOAD}. Whatever goes wrong before publishing aborts the session, so
 * nothing stays.
 */
final class LoadRun {
    private final LoadSpec spec;
    private final LoadTarget target;
    private final Inputs inputs;
    private final ProgressMeter meter;
    private final LocalDisk disk;
    private final AtomicBoolean cancelled;
    private final boolean mayGuess;
    private final long driverStart = CpuClock.now();
    private final long processStart = CpuClock.processNanos();

    /** The epoch of what is not visible. */
    private static final long NOT_YET = -1;

    /** Of a load with a label, else empty. */
    private String inputDigest = "";

    private volatile Continuation continuation = Continuation.NONE;

    /** Whether the leader has been asked to publish, so that what follows may be visible. */
    private boolean publishing;

    private volatile boolean begun;
    private volatile boolean inDoubt;
    private volatile String rejectsNote = "";

    /** A chunk's length that suits the servers, if they read the text; else 0. */
    private int fileTextBytes;

    /** Whether a chunk may be sent as two, so that all have two numbers. */
    private boolean chunksAreSplit;

    private volatile @Nullable ChunkSupply supply;
    private volatile @Nullable LoadSession session;

    /** The first supply, if it may guess where chunks end. */
    private @Nullable ChunkSupply guessing;

    private long driverNanos;

    LoadRun(
            LoadSpec spec,
            LoadTarget target,
            Inputs inputs,
            ProgressMeter meter,
            LocalDisk disk,
            AtomicBoolean cancelled,
            boolean mayGuess) {
        this.spec = spec;
        this.target = target;
        this.inputs = inputs;
        this.meter = meter;
        this.disk = disk;
        this.cancelled = cancelled;
        this.mayGuess = mayGuess;
    }

    /** Hands out no more chunks. By any thread. */
    private void stop() {
        ChunkSupply current = supply;
        if (current != null) {
            current.stop();
        }
    }

    /**
     * Hands out no more chunks, and does not wait for what is on its way unless that is to be gone
     * on with. By any thread.
     */
    void cancel() {
        stop();
        LoadSession open = session;
        if (open != null && !continuation.keeps()) {
            open.giveUp();
        }
    }

    /** Whether the load has failed and may be visible nevertheless. By any thread. */
    boolean inDoubt() {
        return inDoubt;
    }

    /** See {@link BulkLoad#begun}. By any thread. */
    boolean begun() {
        return begun;
    }

    /** See {@link BulkLoad#rejectsNote}. By any thread. */
    String rejectsNote() {
        return rejectsNote;
    }

    /**
     * Runs the load.
     *
     * @throws WrongGuess if a chunk was cut within a record, or may have been; nothing of it is
     *     left
     */
    LoadReport run() {
        if (!spec.label().isEmpty() && !spec.dryRun()) {
            inputDigest = InputDigest.of(inputs);
            LabelledLoad before = target.labelled(spec.table(), spec.label()).orElse(null);
            if (before != null) {
                return loadedBefore(before);
            }
        }
        ResolvedLoad load = plan();
        checkCancelled();
        LoadRejects.check(spec, inputs);
        try (RejectLog rejects =
                        new RejectLog(
                                spec.maxRejects(), spec.rejectsFile(), disk, inputs.textBytes());
                LineFinder lines =
                        new LineFinder(inputs, load.dialect().dialect(), load.linesBeforeData())) {
            return spec.dryRun()
                    ? dryRun(load.forDryRun(), rejects, lines)
                    : load(load, rejects, lines);
        }
    }

    private ResolvedLoad plan() {
        if (spec.resume() && !spec.dryRun()) {
            continuation = Continuation.find(spec, target, inputs, inputDigest);
            begun = continuation.planned().isPresent();
        }
        return continuation
                .planned()
                .orElseGet(() ->
                        Planner.plan(spec, target, inputs, () -> meter.enter(LoadPhase.SAMPLE)));
    }

    /** The report of the load that had this label first, if that was of the same inputs. */
    private LoadReport loadedBefore(LabelledLoad before) {
        LoadReport report = LoadReport.ofBefore(before.report(), before.epoch());
        boolean comparable = !inputDigest.isEmpty() && !report.inputDigest().isEmpty();
        if (comparable && !inputDigest.equals(report.inputDigest())) {
            throw PenstockException.conflict(
                    "The label '"
                            + spec.label()
                            + "' was used before, for a load of other input into table "
                            + report.table()
                            + " ("
                            + Quantities.bytes(report.bytesInput())
                            + ", "
                            + Quantities.count(report.rowsLoaded(), "row")
                            + "). Give this load another label.");
        }
        meter.end();
        return comparable ? report.compared() : report;
    }

    private LoadReport load(ResolvedLoad load, RejectLog rejects, LineFinder lines) {
        meter.enter(LoadPhase.SPLIT);
        LoadAcks acks = new LoadAcks(rejects, meter, this::stop);
        try (LoadSession session =
                new LoadBeginning(spec, target, inputs, continuation)
                        .run(load, acks::acknowledged, rejects)) {
            begun = true;
            driverNanos = CpuClock.now() - driverStart;
            try {
                return load(load, session, acks, rejects, lines);
            } catch (RuntimeException | Error e) {
                Throwable cause = e instanceof WrongGuess guess ? unlessChanged(guess) : e;
                if (cause instanceof WrongGuess guess && !isCancelled()) {
                    acks.end();
                    session.abort();
                    throw guess;
                }
                throw ended(
                        session,
                        explained(
                                cause, load, session.loadId(), session.regions(), rejects, lines));
            }
        }
    }

    /** What guesses seem to be wrong about may be a file that is not what it was. */
    private RuntimeException unlessChanged(WrongGuess guess) {
        try {
            inputs.checkUnchanged();
            return guess;
        } catch (PenstockException changed) {
            return changed;
        }
    }

    private LoadReport load(
            ResolvedLoad load,
            LoadSession session,
            LoadAcks acks,
            RejectLog rejects,
            LineFinder lines) {
        continuation.checkTable(load, target);
        this.session = session;
        RegionMap regions = session.regions();
        PlainColumns plainColumns = new PlainColumns(regions);
        TextChunks texts = texts(load, session);
        acks.begin(plainColumns, texts);
        // What a later loader is to find again must not follow from what servers can do now.
        boolean anyChunks = texts.isOpen() && !continuation.keeps();
        fileTextBytes = anyChunks ? session.fileTextBytes() : 0;
        chunksAreSplit = anyChunks && !load.schema().hiddenRowId();
        LoadSetup setup = setup(load, session.loadId(), session.loadOrdinal(), regions);
        ChunkSupply chunks = openSupply(load, texts);
        if (mayGuess && anyChunks && inputs.textBytes() >= 0) {
            chunks.guess(load.dialect().fieldColumns().size());
            guessing = chunks;
        }
        continuation.leaveOut(chunks, meter, rejects);
        ChunkTotals totals =
                continuation.plusEarlier(
                        load.workers() > 0
                                ? runWorkers(load, setup, chunks, session, rejects)
                                : runThreads(
                                        load,
                                        setup,
                                        plainColumns,
                                        session,
                                        chunks,
                                        rejects,
                                        lines,
                                        acks));
        session.flush();
        checkCancelled();
        checkRejects(totals, rejects);
        inputs.checkUnchanged();
        meter.enter(LoadPhase.MERGE);
        RefusedKeys keys = RefusedKeys.inHeap();
        List<RegionReceipt> receipts = finish(session, regions, rejects, keys);
        checkCancelled();
        checkRejects(totals, rejects);
        StoredRows regionsHold =
                StoredRows.verify(load, totals, receipts, rejects, regions, continuation);
        LoadRejects kept = new LoadRejects(spec, inputs, load, rejects, lines, disk, target);
        long refused =
                kept.rejectDuplicates(setup, keys, regionsHold.duplicates(), () -> newSupply(load));
        meter.addRejects(refused);
        checkCancelled();
        checkRejects(totals, rejects);
        StoredRows stored = regionsHold.withRejected(refused);
        String note =
                kept.write(session.loadId(), RejectedLoad.Outcome.PUBLISHING, this::checkCancelled);
        meter.enter(LoadPhase.PUBLISH);
        ReportBuilder report =
                new ReportBuilder(
                        load,
                        totals.plusTimes(session.transferTimes()),
                        acks.texts().taken(),
                        rejects,
                        acks.inline());
        LongFunction<LoadReport> at =
                epoch -> report.build(outcome(session.loadId(), epoch, stored, chunks));
        publishing = true;
        long epoch = session.publish(spec.label().isEmpty() ? "" : at.apply(NOT_YET).json());
        kept.published(session.loadId());
        rejectsNote = note;
        meter.end();
        return at.apply(epoch);
    }

    private ReportBuilder.Outcome outcome(
            String loadId, long epoch, StoredRows stored, ChunkSupply chunks) {
        return new ReportBuilder.Outcome(
                inputDigest,
                loadId,
                epoch,
                stored.rows(),
                stored.duplicates(),
                stored.regionRows(),
                stored.receipts(),
                chunks.storedBytes(),
                driverNanos,
                CpuClock.processNanos() - processStart,
                meter.seconds() + continuation.earlierSeconds(),
                meter.phaseNanos());
    }

    private LoadReport dryRun(ResolvedLoad load, RejectLog rejects, LineFinder lines) {
        RegionMap regions = RegionSplit.planned(target, load);
        LoadSetup setup =
                setup(
                        load,
                        "00000000-0000-0000-0000-000000000000",
                        RegionSplit.DRY_RUN_ORDINAL,
                        regions);
        driverNanos = CpuClock.now() - driverStart;
        ChunkSupply chunks = openSupply(load, TextChunks.NONE);
        RegionCounts counts = new RegionCounts(regions);
        try {
            ChunkTotals totals =
                    runPipeline(
                            new LocalPipeline(
                                    setup,
                                    new PlainColumns(regions),
                                    (header, payload, length) -> counts.add(header),
                                    TextChunks.NONE,
                                    chunks,
                                    rejects,
                                    lines,
                                    meter,
                                    load.threads(),
                                    ChunkListener.NONE));
            checkCancelled();
            checkRejects(totals, rejects);
            inputs.checkUnchanged();
            new LoadRejects(spec, inputs, load, rejects, lines, disk, target)
                    .write("", RejectedLoad.Outcome.DRY_RUN, this::checkCancelled);
            meter.end();
            StoredRows stored =
                    new StoredRows(
                            totals.rowsSent(),
                            totals.duplicatesDropped(),
                            counts.rows(),
                            List.of());
            return new ReportBuilder(load, totals, 0, rejects, false)
                    .build(outcome("", NOT_YET, stored, chunks));
        } catch (RuntimeException e) {
            throw explained(e, load, "", regions, rejects, lines);
        }
    }

    private LoadSetup setup(ResolvedLoad load, String loadId, long ordinal, RegionMap regions) {
        return new LoadSetup(
                load.schema(),
                load.dialect().dialect(),
                load.dialect().fieldColumns(),
                loadId,
                ordinal,
                spec.offload(),
                load.cut(),
                spec.duplicates(),
                spec.dryRun() ? Verification.OFF : spec.verification(),
                load.tokens().join(),
                regions);
    }

    private ChunkSupply openSupply(ResolvedLoad load, TextChunks texts) {
        ChunkSupply opened = newSupply(load);
        meter.input(() -> opened.storedBytes() - texts.bytesOnTheirWay(), inputs.totalBytes());
        meter.enter(LoadPhase.LOAD);
        checkCancelled();
        return opened;
    }

    /** All chunks of the inputs; {@link #stop} ends the last that was asked for. */
    private ChunkSupply newSupply(ResolvedLoad load) {
        ChunkSupply opened =
                new ChunkSupply(
                        inputs,
                        load.dialect().dialect(),
                        load.dialect().dataStarts(),
                        fileTextBytes > 0
                                ? load.chunkBytes(fileTextBytes, inputs.textBytes())
                                : load.chunkBytes());
        if (chunksAreSplit) {
            opened.leaveNumbersFree();
        }
        ChunkSupply before = guessing;
        if (before != null) {
            opened.repeat(before);
        }
        return opened(opened);
    }

    private ChunkSupply opened(ChunkSupply opened) {
        supply = opened;
        if (cancelled.get()) {
            opened.stop();
        }
        return opened;
    }

    private TextChunks texts(ResolvedLoad load, LoadSession session) {
        if (!load.mayTravelAsText()) {
            return TextChunks.NONE;
        }
        boolean always = spec.offload() == OffloadPolicy.TEXT;
        long bytes = inputs.totalBytes();
        return always || bytes >= 0
                ? TextChunks.of(session, bytes, load.inOrder(), always, continuation.keeps())
                : TextChunks.NONE;
    }

    private ChunkTotals runThreads(
            ResolvedLoad load,
            LoadSetup setup,
            PlainColumns plainColumns,
            LoadSession session,
            ChunkSupply chunks,
            RejectLog rejects,
            LineFinder lines,
            LoadAcks acks) {
        Function<ChunkSupply, ChunkTotals> run =
                supply ->
                        runPipeline(
                                new LocalPipeline(
                                        setup,
                                        plainColumns,
                                        session::send,
                                        acks.texts(),
                                        supply,
                                        rejects,
                                        lines,
                                        meter,
                                        load.threads(),
                                        continuation.listener(session)));
        return acks.texts().runAll(chunks, run, session::flush, this::opened);
    }

    private static ChunkTotals runPipeline(LocalPipeline pipeline) {
        try {
            return pipeline.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw wasCancelled();
        }
    }

    private ChunkTotals runWorkers(
            ResolvedLoad load,
            LoadSetup setup,
            ChunkSupply chunks,
            LoadSession session,
            RejectLog rejects) {
        try {
            return new WorkerPipeline(
                            load,
                            setup,
                            inputs,
                            chunks,
                            session.invite(),
                            rejects,
                            meter,
                            continuation.listener(session),
                            !continuation.keeps())
                    .run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw wasCancelled();
        }
    }

    private List<RegionReceipt> finish(
            LoadSession session, RegionMap regions, RejectLog rejects, RefusedKeys keys) {
        AtomicLong done = new AtomicLong();
        meter.regions(0, regions.size());
        List<RegionReceipt> receipts =
                session.finish(receipt -> {
                    rejects.defer(receipt.rejectedRecords());
                    keys.add(receipt.rejects());
                    meter.regions((int) done.incrementAndGet(), regions.size());
                    meter.tick();
                });
        meter.addRejects(rejects.addDeferred());
        return receipts;
    }

    private static void checkRejects(ChunkTotals totals, RejectLog rejects) {
        if (rejects.exceededAtEnd(totals.records())) {
            throw new PenstockException(ErrorCategory.DATA, "more records are bad than allowed");
        }
    }

    /** The failure as a user should read it. */
    private RuntimeException explained(
            Throwable thrown,
            ResolvedLoad load,
            String loadId,
            RegionMap regions,
            RejectLog rejects,
            LineFinder lines) {
        LoadRejects kept = new LoadRejects(spec, inputs, load, rejects, lines, disk, target);
        if (isCancelled()) {
            rejectsNote = kept.writeInterrupted(loadId);
            return LoadRejects.saying(wasCancelled(), rejectsNote);
        }
        return kept.explained(
                thrown,
                loadId,
                setup(load, loadId, 0, regions),
                () -> newSupply(load),
                this::isCancelled);
    }

    private RuntimeException ended(LoadSession session, RuntimeException failure) {
        if (continuation.survives(failure, isCancelled())) {
            inDoubt = publishing;
            return continuation.suspended(session, failure);
        }
        try {
            session.abort();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return publishing ? perhapsPublished(failure, e) : failure;
        }
        return publishing && failure instanceof PenstockException lost
                ? PublishDoubt.settled(lost)
                : failure;
    }

    /** The answer to publishing was lost, and the load could not be aborted. */
    private RuntimeException perhapsPublished(RuntimeException failure, RuntimeException refusal) {
        inDoubt = true;
        return failure instanceof PenstockException lost
                ? PublishDoubt.explained(lost, refusal)
                : failure;
    }

    /** Nothing has been published yet, and nothing will be. */
    private boolean isCancelled() {
        return cancelled.get() && !publishing;
    }

    private void checkCancelled() {
        if (cancelled.get()) {
            throw wasCancelled();
        }
    }

    private static PenstockException wasCancelled() {
        return PenstockException.conflict("The load was cancelled; nothing of it is visible.");
    }
}
