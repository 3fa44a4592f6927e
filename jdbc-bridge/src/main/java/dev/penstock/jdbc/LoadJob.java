package dev.penstock.jdbc;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadProgress;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.ProgressListener;
import dev.penstock.sql.LoadLine;
import dev.penstock.sql.SqlErrors;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * One load of a connection: the same job as the command {@code load} does. Whoever calls {@link
 * #run} does the work; {@link #cancel} and {@link #line} may be called by any thread.
 */
final class LoadJob {
    /** What became of it. */
    enum State {
        RUNNING,
        PUBLISHED,
        FAILED,
        CANCELLED
    }

    private static final double MEGABYTE = 1e6;

    /** What the standard calls "statement completion unknown": look before it is run again. */
    private static final String IN_DOUBT = "40003";

    private final LoadSpec spec;
    private final Runnable giveUpInput;
    private final LoadTarget target;
    private final BulkLoad load;
    private final Instant started = Instant.now();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private volatile State state = State.RUNNING;
    private volatile boolean cancelled;
    private volatile @Nullable String loadId;
    private volatile @Nullable LoadProgress progress;
    private volatile @Nullable LoadReport report;
    private volatile double seconds;

    /**
     * Into a table of a target, which {@link #run} closes.
     *
     * @param input what the input {@code -} of the spec reads; left open
     * @param giveUpInput makes reads of it fail
     */
    LoadJob(LoadTarget into, LoadSpec spec, InputStream input, Runnable giveUpInput) {
        this.spec = spec;
        this.giveUpInput = giveUpInput;
        this.target = new ObservedTarget(into, id -> loadId = id);
        this.load =
                BulkLoad.into(target, spec.table())
                        .spec(spec)
                        .standardInput(input)
                        .listener(listener())
                        .build();
    }

    private ProgressListener listener() {
        return new ProgressListener() {
            @Override
            public void progressed(LoadProgress now) {
                progress = now;
            }

            @Override
            public void noted(String sentence) {
                notes.add(sentence);
            }
        };
    }

    /** What the user should know of the inputs, one sentence each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Runs the load to its end.
     *
     * @throws SQLException if it failed or was cancelled (57014); then nothing of it is visible,
     *     but for SQLSTATE 40003: publishing failed in such a way that all of it may be
     */
    LoadReport run() throws SQLException {
        try (target) {
            LoadReport done = load.run();
            report = done;
            state = State.PUBLISHED;
            return done;
        } catch (PenstockException e) {
            // A cancellation that comes while the load is published does not undo that.
            boolean stopped = cancelled && !load.inDoubt();
            state = stopped ? State.CANCELLED : State.FAILED;
            throw stopped ? stopped(e) : load.inDoubt() ? inDoubt(e) : failed(e);
        } finally {
            if (state == State.RUNNING) {
                state = State.FAILED;
            }
            seconds = secondsSoFar();
            giveUpInput.run();
            ended.countDown();
        }
    }

    /** Whether the load is not lost when it ends early. */
    private boolean keeps() {
        return spec.resume() && !spec.dryRun();
    }

    private SQLException stopped(PenstockException e) {
        return new SQLException(
                "The statement was cancelled; nothing of its load is visible."
                        + (keeps() ? " The same statement goes on with it." : ""),
                "57014",
                e);
    }

    /** Says itself what is known; whoever cancelled, or what timed out, does not know better. */
    private static SQLException inDoubt(PenstockException e) {
        SQLException told = SqlErrors.of(e);
        return new SQLException(told.getMessage(), IN_DOUBT, e);
    }

    /** In one sentence; what the command says of its options is not for statements. */
    private static SQLException failed(PenstockException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return SqlErrors.of(
                e.category() != ErrorCategory.DATA || end < 0
                        ? e
                        : new PenstockException(
                                e.category(),
                                message.substring(0, end)
                                        + " Nothing was loaded; the option MAX_REJECTS allows"
                                        + " rejects, REJECTS keeps them.",
                                e));
    }

    /** Makes {@link #run} end soon; without effect once publishing has begun. */
    void cancel() {
        cancelled = true;
        load.cancel();
        giveUpInput.run();
    }

    /** Waits for the end of {@link #run}, even when interrupted. */
    void awaitEnd() {
        await(ended);
    }

    /** Waits for a latch, even when interrupted. */
    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    private double secondsSoFar() {
        return Duration.between(started, Instant.now()).toNanos() / 1e9;
    }

    /** The load as the view of loads shows it. */
    LoadLine line() {
        LoadProgress now = progress;
        LoadReport done = report;
        double time = hasEnded() ? seconds : secondsSoFar();
        Long bytes = done != null ? (Long) done.bytesInput() : now != null ? now.bytesDone() : null;
        return new LoadLine(
                loadId,
                spec.table(),
                spec.label(),
                state.name(),
                now == null ? null : now.phase().name(),
                bytes,
                done != null ? (Long) done.rowsLoaded() : now != null ? now.rows() : null,
                done != null ? (Long) done.rowsRejected() : now != null ? now.rejects() : null,
                done != null
                        ? (Double) done.mbPerSecond()
                        : bytes == null || time <= 0 ? null : (Double) (bytes / MEGABYTE / time),
                started.toEpochMilli(),
                time,
                done == null ? null : (Long) done.epoch());
    }
}
