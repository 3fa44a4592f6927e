package dev.penstock.cli;

import dev.penstock.cli.demo.TemporaryFolder;
import dev.penstock.cli.render.ProgressView;
import dev.penstock.error.Counted;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.ProgressListener;
import dev.penstock.loader.PumpedInput;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.RejectFiles;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs one load for a command: with progress, stopped by Ctrl-C, its report printed. */
record LoadCall(Console console, OutputOptions output) {
    private static final List<String> STOPPED =
            List.of("stopped; nothing of this load is visible.");
    private static final String LEFT =
            "only the store can tell whether the load has become visible; what is half done it"
                    + " gives up by itself.";
    private static final String RESUMABLE_LEFT =
            "what is recorded of the load stays, and the same command goes on with it.";

    /** Returns the exit code. */
    int run(LoadSpec spec, Supplier<Penstock> store) {
        return run(spec, store, STOPPED);
    }

    /**
     * A dry run for a store that does not exist yet. It has an empty one of its own, which is gone
     * before this returns or an interrupted process ends.
     */
    int dryRun(LoadSpec spec, Function<Path, Penstock> emptyStore) {
        try (Interruption interruption = new Interruption(console, TemporaryFolder.LEFT);
                TemporaryFolder folder = TemporaryFolder.create("penstock-dry-run-", false)) {
            return run(spec, () -> emptyStore.apply(folder.path()), STOPPED, interruption);
        }
    }

    /**
     * The same as {@link #run(LoadSpec, Supplier)}.
     *
     * @param stopped what to say when the user has interrupted a load that had begun
     */
    int run(LoadSpec spec, Supplier<Penstock> store, List<String> stopped) {
        String left = spec.resume() ? RESUMABLE_LEFT : LEFT;
        try (Interruption interruption = new Interruption(console, left)) {
            return run(spec, store, stopped, interruption);
        }
    }

    private int run(
            LoadSpec spec,
            Supplier<Penstock> store,
            List<String> stopped,
            Interruption interruption) {
        checkOutput(spec);
        ProgressView progress = new ProgressView(console.err(), console.interactive());
        ProgressListener listener = output.quiet() ? ProgressListener.none() : progress;
        PumpedInput input = new PumpedInput(console.in());
        @Nullable LoadReport report = null;
        boolean begun = false;
        boolean inDoubt = false;
        String rejectsNote = "";
        try (Penstock penstock = store.get();
                LoadTarget target = penstock.loadTarget()) {
            BulkLoad bulkLoad =
                    BulkLoad.into(target, spec.table())
                            .spec(spec)
                            .standardInput(input)
                            .listener(listener)
                            .disk(console.disk())
                            .build();
            interruption.cancels(() -> {
                input.giveUp();
                bulkLoad.cancel();
            });
            try {
                report = bulkLoad.run();
                if (!spec.dryRun()) {
                    interruption.isDone(report.exitStatus(), "the load has come to its end.");
                }
            } finally {
                begun = bulkLoad.begun();
                inDoubt = bulkLoad.inDoubt();
                rejectsNote = bulkLoad.rejectsNote();
            }
        } catch (RuntimeException e) {
            progress.clear();
            if (report != null) {
                throw notClosed(e, report, spec);
            }
            if (e instanceof PenstockException && interruption.requested() && !inDoubt) {
                if (!rejectsNote.isEmpty()) {
                    console.say("penstock: " + rejectsNote);
                }
                output.sayStopped(console, begun ? stopped : STOPPED);
                return ExitCode.INTERRUPTED;
            }
            throw e;
        }
        progress.clear();
        print(report, spec);
        if (!rejectsNote.isEmpty()) {
            console.say("penstock: " + rejectsNote);
        }
        if (interruption.requested()) {
            console.say("penstock: too late to stop; the load has come to its end.");
        }
        int code = report.exitStatus();
        interruption.hasComeToItsEnd(code);
        return code;
    }

    /** Rejected records are no part of the one JSON object that standard output is to have. */
    private void checkOutput(LoadSpec spec) {
        Path rejects = spec.rejectsFile();
        if (output.json() && rejects != null && RejectFiles.isStandardOutput(rejects)) {
            throw PenstockException.usage(
                    "--json and --rejects " + rejects + " would mix two kinds of output");
        }
    }

    /** The load has come to its end, and its store has not. */
    private static PenstockException notClosed(
            RuntimeException cause, LoadReport report, LoadSpec spec) {
        ErrorCategory category = ErrorCategory.INTERNAL;
        String why = cause.toString();
        if (cause instanceof PenstockException known) {
            category = known.category();
            why = known.getMessage();
        }
        String message = "The store could not be closed: " + why;
        return butPublished(new PenstockException(category, message, cause), report, spec);
    }

    /** Whoever cannot be told by the report is told by the failure. */
    private void print(LoadReport report, LoadSpec spec) {
        try {
            if (output.json()) {
                console.print(report.json());
            } else if (output.quiet()) {
                console.print(Long.toString(report.rowsLoaded()));
            } else {
                report.text().lines().forEach(console::print);
            }
            console.flush();
        } catch (Console.OutputClosed e) {
            // Whoever has not read on may still ask how it ended.
        } catch (PenstockException e) {
            throw butPublished(e, report, spec);
        }
    }

    /** A failure after the load, which says what has become of that. */
    private static PenstockException butPublished(
            PenstockException failure, LoadReport report, LoadSpec spec) {
        return spec.dryRun()
                ? failure
                : failure.and(
                        "The load is published nevertheless: "
                                + Quantities.count(report.rowsLoaded(), "row")
                                + Counted.verb(report.rowsLoaded(), " is", " are")
                                + " visible"
                                + (spec.label().isEmpty()
                                        ? "."
                                        : ", and the same command prints the report."));
    }
}
