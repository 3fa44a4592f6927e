package dev.penstock.loader;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.WrongGuess;
import dev.penstock.loader.plan.Planner;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadDestination;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Loads files into one table of a target: plan, pre-split, load, merge, verify, publish, report.
 * All of it becomes visible at once, or nothing does.
 *
 * <p>One object is one load; {@link #cancel} may be called by any thread.
 */
public final class BulkLoad {
    private final @Nullable LoadTarget target;
    private final LoadSpec spec;
    private final ProgressListener listener;
    private final InputStream standardInput;
    private final LocalDisk disk;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final Set<PumpedInput> pipes = ConcurrentHashMap.newKeySet();
    private volatile @Nullable LoadRun running;
    private volatile boolean begun;
    private volatile boolean inDoubt;
    private volatile String rejectsNote = "";

    private BulkLoad(Builder builder) {
        this.target = builder.target;
        this.spec = builder.fixedSpec != null ? builder.fixedSpec : builder.spec.build();
        this.listener = builder.listener;
        this.standardInput = builder.standardInput;
        this.disk = builder.disk;
    }

    /** A load into a table of a target; the target stays the caller's to close. */
    public static Builder into(LoadTarget target, String table) {
        return new Builder(target, table);
    }

    public static Builder into(LoadDestination destination) {
        return new Builder(destination.loadTarget(), destination.tableName());
    }

    /** For {@link #plan} only: no target is asked, the table is the given one. */
    public static Builder planFor(TableSchema schema) {
        Builder builder = new Builder(null, schema.name());
        builder.spec.schema(schema);
        return builder;
    }

    /** Reads a sample of the inputs and decides everything; changes nothing. */
    public LoadPlan plan() {
        ProgressMeter meter = new ProgressMeter(listener, System::nanoTime);
        try (Inputs inputs = Inputs.open(spec.inputs(), standardInput)) {
            return Planner.describe(spec, target, inputs, () -> meter.enter(LoadPhase.SAMPLE));
        }
    }

    /**
     * Runs the load to its end.
     *
     * @throws PenstockException if it failed; then nothing of it is visible, unless {@link
     *     #inDoubt}
     */
    public LoadReport run() {
        LoadTarget into = target;
        if (into == null) {
            throw PenstockException.usage("This load was set up for planning only.");
        }
        ProgressMeter meter = new ProgressMeter(listener, System::nanoTime);
        meter.enter(LoadPhase.PLAN);
        try (Inputs inputs = Inputs.open(spec.inputs(), standardInput, this::openPipe)) {
            inputs.notes().forEach(listener::noted);
            try {
                return run(into, inputs, meter, true);
            } catch (WrongGuess e) {
                listener.noted(
                        "Quoted text is cut by guesses, and "
                                + e.getMessage()
                                + "; the load begins again and reads all quotes first.");
                meter.beginAgain();
                return run(into, inputs, meter, false);
            }
        } finally {
            meter.close();
            running = null;
            pipes.clear();
        }
    }

    private LoadReport run(LoadTarget into, Inputs inputs, ProgressMeter meter, boolean mayGuess) {
        LoadRun run = new LoadRun(spec, into, inputs, meter, disk, cancelled, mayGuess);
        running = run;
        try {
            return run.run();
        } finally {
            begun |= run.begun();
            inDoubt = run.inDoubt();
            rejectsNote = run.rejectsNote();
        }
    }

    /**
     * Whether {@link #run} has failed in such a way that the load may be visible: what it threw was
     * thrown while publishing, and the load could not be aborted.
     */
    public boolean inDoubt() {
        return inDoubt;
    }

    /** Whether there was something of the load in the store, by this {@link #run} or one before. */
    public boolean begun() {
        return begun;
    }

    /**
     * What {@link #run} says of rejects besides: that those of an earlier load have another name
     * now; of a load that was cancelled that its own could not be written, or in which other file
     * they are. Empty if there is nothing to say.
     */
    public String rejectsNote() {
        return rejectsNote;
    }

    /** Nobody knows whether the other end of a named pipe will ever come. */
    private InputStream openPipe(Path path) {
        PumpedInput pipe = PumpedInput.of(path);
        pipes.add(pipe);
        if (cancelled.get()) {
            pipe.giveUp();
        }
        return pipe;
    }

    /**
     * Makes {@link #run} end soon with an exception, all traces of the load removed, unless it can
     * be resumed. Returns at once; without effect once publishing has begun.
     */
    public void cancel() {
        cancelled.set(true);
        pipes.forEach(PumpedInput::giveUp);
        LoadRun current = running;
        if (current != null) {
            current.cancel();
        }
    }

    /** Settings of a load; those of {@link LoadSpecBuilder} that programs use most. */
    public static final class Builder {
        private final @Nullable LoadTarget target;
        private final LoadSpecBuilder spec;
        private @Nullable LoadSpec fixedSpec;
        private ProgressListener listener = ProgressListener.none();
        private InputStream standardInput = System.in;
        private LocalDisk disk = LocalDisk.SYSTEM;

        private Builder(@Nullable LoadTarget target, String table) {
            this.target = target;
            this.spec = LoadSpec.builder(table);
        }

        /** Takes every setting from {@code value}; other settings of this builder are ignored. */
        public Builder spec(LoadSpec value) {
            fixedSpec = value;
            return this;
        }

        public Builder from(Path... inputs) {
            for (Path input : inputs) {
                spec.from(input.toString());
            }
            return this;
        }

        public Builder from(List<String> inputs) {
            spec.from(inputs);
            return this;
        }

        /** What {@code -} reads, besides files; not closed. */
        public Builder fromStream(InputStream stream) {
            standardInput = stream;
            spec.from(LoadSpec.STANDARD_INPUT);
            return this;
        }

        /** What the input {@code -} of a {@link #spec} reads; {@code System.in} by default. */
        public Builder standardInput(InputStream stream) {
            standardInput = stream;
            return this;
        }

        public Builder delimiter(char value) {
            spec.dialect(spec.dialect().withDelimiter(value));
            return this;
        }

        public Builder quote(int value) {
            spec.dialect(spec.dialect().withQuote(value));
            return this;
        }

        public Builder escape(int value) {
            spec.dialect(spec.dialect().withEscape(value));
            return this;
        }

        public Builder header(boolean value) {
            spec.dialect(spec.dialect().withHeader(value));
            return this;
        }

        public Builder nullText(String value) {
            spec.dialect(spec.dialect().withNullText(value));
            return this;
        }

        public Builder dialect(DialectOptions value) {
            spec.dialect(value);
            return this;
        }

        public Builder columns(List<String> value) {
            spec.columns(value);
            return this;
        }

        public Builder schema(TableSchema value) {
            spec.schema(value);
            return this;
        }

        public Builder regions(int value) {
            spec.regions(value);
            return this;
        }

        public Builder threads(int value) {
            spec.threads(value);
            return this;
        }

        public Builder workers(int value) {
            spec.workers(value);
            return this;
        }

        public Builder offload(OffloadPolicy value) {
            spec.offload(value);
            return this;
        }

        public Builder cut(FragmentForm value) {
            spec.cut(value);
            return this;
        }

        public Builder duplicates(DuplicatePolicy value) {
            spec.duplicates(value);
            return this;
        }

        public Builder verification(Verification value) {
            spec.verification(value);
            return this;
        }

        public Builder maxRejects(RejectLimit value) {
            spec.maxRejects(value);
            return this;
        }

        public Builder maxRejects(RejectLimits value) {
            spec.maxRejects(value);
            return this;
        }

        public Builder rejectsFile(Path value) {
            spec.rejectsFile(value);
            return this;
        }

        public Builder label(String value) {
            spec.label(value);
            return this;
        }

        public Builder resume(boolean value) {
            spec.resume(value);
            return this;
        }

        public Builder dryRun(boolean value) {
            spec.dryRun(value);
            return this;
        }

        public Builder listener(ProgressListener value) {
            listener = value;
            return this;
        }

        /** Room for rejects files and what goes before them; this computer's by default. */
        public Builder disk(LocalDisk value) {
            disk = value;
            return this;
        }

        public BulkLoad build() {
            return new BulkLoad(this);
        }

        public LoadPlan plan() {
            return build().plan();
        }

        public LoadReport run() {
            return build().run();
        }
    }
}
