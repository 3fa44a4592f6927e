package dev.penstock.loader;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.pipeline.ChunkListener;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.plan.SavedPlan;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.loader.resume.ChunkHistory;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.AckListener;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.UnfinishedLoad;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * What a load has to do with earlier and later loaders of it: finds what an earlier one has left,
 * goes on there, and keeps what this one does for the next. For loads without {@link
 * LoadSpec#resume} it does nothing.
 */
final class Continuation {
    private static final String KEPT =
            "What has been loaded is kept: the same command goes on with it.";

    /** Of a load that cannot be resumed. */
    static final Continuation NONE = new Continuation(null, null, "", null, null);

    private final @Nullable LoadTarget target;
    private final @Nullable Inputs inputs;
    private final String inputDigest;
    private final @Nullable UnfinishedLoad unfinished;
    private final @Nullable ResolvedLoad planned;
    private @Nullable ChunkHistory history;
    private boolean hopeless;

    private Continuation(
            @Nullable LoadTarget target,
            @Nullable Inputs inputs,
            String inputDigest,
            @Nullable UnfinishedLoad unfinished,
            @Nullable ResolvedLoad planned) {
        this.target = target;
        this.inputs = inputs;
        this.inputDigest = inputDigest;
        this.unfinished = unfinished;
        this.planned = planned;
    }

    /**
     * Looks for an unfinished load of the label.
     *
     * @param inputDigest {@link dev.penstock.loader.file.InputDigest#of} the inputs
     * @throws PenstockException of category {@code USAGE} if the load cannot be resumed, {@code
     *     CONFLICT} if it is not the one that is unfinished
     */
    static Continuation find(LoadSpec spec, LoadTarget target, Inputs inputs, String inputDigest) {
        if (!target.resumes()) {
            throw PenstockException.usage("This target keeps no unfinished loads for --resume.");
        }
        for (InputFile file : inputs.files()) {
            if (!file.reopenable()) {
                throw PenstockException.usage(
                        (file.name().equals("-") ? "Standard input" : file.name())
                                + " cannot be read a second time, so a load of it cannot be"
                                + " resumed; load from files, or leave out --resume.");
            }
        }
        UnfinishedLoad unfinished = target.unfinished(spec.table(), spec.label()).orElse(null);
        TableSchema schema = target.table(spec.table()).orElse(null);
        if (unfinished == null || schema == null) {
            return new Continuation(target, inputs, inputDigest, null, null);
        }
        ResolvedLoad planned =
                SavedPlan.parse(unfinished.request().plan())
                        .resolve(spec, schema, inputs, inputDigest, unfinished.request().tokens());
        return new Continuation(target, inputs, inputDigest, unfinished, planned);
    }

    /** Whether the load is kept when its loader stops. */
    boolean keeps() {
        return target != null;
    }

    /** What was decided when the load began, if it has begun. */
    Optional<ResolvedLoad> planned() {
        return Optional.ofNullable(planned);
    }

    /** Begins a load, with a plan for later loaders if it is to be kept. */
    LoadSession begin(
            ResolvedLoad load,
            LoadRequest request,
            AckListener acks,
            RejectLog rejects,
            LoadTarget into) {
        if (inputs == null) {
            return into.begin(request, acks);
        }
        history = new ChunkHistory(rejects, load.schema().columnCount());
        return into.begin(request.withPlan(SavedPlan.of(load, inputs, inputDigest).json()), acks);
    }

    /**
     * To be called when the load has begun.
     *
     * @throws PenstockException of category CONFLICT if the table is not the one that was planned
     *     for; then nobody is to go on with the load
     */
    void checkTable(ResolvedLoad load, LoadTarget into) {
        if (!load.fits(into)) {
            giveUp();
            throw PenstockException.conflict(
                    "table "
                            + load.schema().name()
                            + " was dropped and made anew while this load into it was being"
                            + " planned; run the load again");
        }
    }

    /** Goes on with the unfinished load. */
    LoadSession resume(ResolvedLoad load, AckListener acks, RejectLog rejects) {
        if (target == null || unfinished == null) {
            throw new IllegalStateException("there is no unfinished load");
        }
        ChunkHistory restored = new ChunkHistory(rejects, load.schema().columnCount());
        history = restored;
        try {
            return target.resume(unfinished, acks, restored::restore);
        } catch (PenstockException e) {
            // The disk had no room for what was rejected before, say.
            throw e.category() == ErrorCategory.IO ? e.and(KEPT) : e;
        }
    }

    /** Has the supply leave out what earlier loaders have done. */
    void leaveOut(ChunkSupply chunks, ProgressMeter meter, RejectLog rejects) {
        ChunkHistory known = history;
        if (known != null) {
            known.begin();
            chunks.leaveOut(known.done());
            meter.add(known.totals().rowsSent(), known.totals().bytesSent());
            meter.addRejects(rejects.count());
        }
    }

    /** Records the chunks that the session has sent. */
    ChunkListener listener(LoadSession session) {
        ChunkHistory known = history;
        return known == null
                ? ChunkListener.NONE
                : (lease, totals) -> known.record(session, lease, totals);
    }

    ChunkTotals plusEarlier(ChunkTotals totals) {
        ChunkHistory known = history;
        return known == null ? totals : known.totals().plus(totals);
    }

    double earlierSeconds() {
        ChunkHistory known = history;
        return known == null ? 0 : known.seconds();
    }

    /** The load can never come to a good end. */
    void giveUp() {
        hopeless = true;
    }

    /**
     * Whether the load waits for the next loader after a failure. Bad data will be the same then,
     * and so will wrong usage and limits, unless this loader or an earlier one has come further:
     * then it is usage of a server that has taken the place of another, or a limit of this process,
     * and the next one may have more memory.
     */
    boolean survives(RuntimeException failure, boolean cancelled) {
        if (!keeps() || hopeless) {
            return false;
        }
        return cancelled
                || !(failure instanceof PenstockException known)
                || switch (known.category()) {
                    case DATA -> false;
                    case USAGE, LIMIT -> unfinished != null || hasRecorded();
                    case DENIED, IO, RETRY, REROUTE, CONFLICT, CORRUPT, INTERNAL -> true;
                };
    }

    private boolean hasRecorded() {
        ChunkHistory known = history;
        return known != null && known.hasRecorded();
    }

    /** Leaves the load to the next loader; the failure, saying so. */
    RuntimeException suspended(LoadSession session, RuntimeException failure) {
        RuntimeException told = failure;
        if (failure instanceof PenstockException known) {
            told = known.and(KEPT);
        }
        try {
            session.suspend();
        } catch (RuntimeException e) {
            told.addSuppressed(e);
        }
        return told;
    }
}
