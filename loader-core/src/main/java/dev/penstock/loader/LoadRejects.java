package dev.penstock.loader;

import dev.penstock.error.Counted;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.pipeline.DuplicateFinder;
import dev.penstock.loader.pipeline.KeyPlaces;
import dev.penstock.loader.pipeline.LoadSetup;
import dev.penstock.loader.pipeline.RefusedKeys;
import dev.penstock.loader.pipeline.RejectCollector;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.loader.report.RejectFiles;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.loader.report.RejectMessage;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectClass;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * What becomes of the rejects of one load: records of refused keys are found, files are written,
 * and a failure that they are the reason of is put into words.
 */
final class LoadRejects {
    private final LoadSpec spec;
    private final Inputs inputs;
    private final ResolvedLoad load;
    private final RejectLog log;
    private final LineFinder lines;
    private final LocalDisk disk;
    private final LoadTarget target;

    LoadRejects(
            LoadSpec spec,
            Inputs inputs,
            ResolvedLoad load,
            RejectLog log,
            LineFinder lines,
            LocalDisk disk,
            LoadTarget target) {
        this.spec = spec;
        this.inputs = inputs;
        this.load = load;
        this.log = log;
        this.lines = lines;
        this.disk = disk;
        this.target = target;
    }

    /** Refuses what would only turn out when everything is read. */
    static void check(LoadSpec spec, Inputs inputs) {
        Path file = spec.rejectsFile();
        if (file != null) {
            RejectFiles.check(file, inputs);
            if (spec.dryRun()) {
                RejectedLoad.worthKeeping(file, "")
                        .ifPresent(before -> {
                            throw PenstockException.usage(
                                    "--rejects "
                                            + file
                                            + " has "
                                            + rejectsOf(before)
                                            + "; name another file for a dry run");
                        });
            }
        }
        for (InputFile input :
                spec.duplicates().rejects() ? inputs.files() : List.<InputFile>of()) {
            if (!input.reopenable()) {
                throw PenstockException.usage(
                        "--on-duplicate "
                                + spec.duplicates().word()
                                + " reads the records of equal keys again, and "
                                + (input.name().equals("-") ? "standard input" : input.name())
                                + " can be read only once; load from a file, or choose keep-first"
                                + " or keep-last.");
            }
        }
    }

    /**
     * Rejects the records of the keys that regions have refused.
     *
     * @param keys that the regions have refused
     * @param duplicates rows that the regions left out
     * @param chunks the inputs from their beginning, asked for if they are needed
     * @return records rejected
     */
    long rejectDuplicates(
            LoadSetup setup, RefusedKeys keys, long duplicates, Supplier<ChunkSupply> chunks) {
        DuplicatePolicy policy = spec.duplicates();
        if (!policy.rejects() || duplicates == 0) {
            return 0;
        }
        LongPredicate wouldEnd = more -> log.wouldEnd(RejectClass.DUPLICATE, more);
        if (!keys.isComplete() && !wouldEnd.test(keys.keys().size())) {
            throw keys.tooMany(policy);
        }
        RejectCollector collector = new RejectCollector(log::add, log.endsAtFirst());
        long found;
        try (LineFinder others =
                new LineFinder(inputs, load.dialect().dialect(), load.linesBeforeData())) {
            found =
                    new DuplicateFinder(setup, inputs, others, collector, keys, wouldEnd)
                            .find(chunks.get());
        }
        inputs.checkUnchanged(); // It was read once more.
        if (!keys.isComplete()) {
            throw keys.tooMany(policy);
        }
        boolean both =
                policy.within() == DuplicatePolicy.Within.REJECT
                        && policy.stored() == DuplicatePolicy.Stored.REJECT;
        if (found > duplicates || both && found < duplicates) {
            throw PenstockException.data(
                    "The input changed while it was loaded: it has "
                            + Counted.of(found, "record")
                            + " of equal keys where "
                            + duplicates
                            + Counted.verb(duplicates, " was", " were")
                            + " read before; nothing was loaded.");
        }
        return found;
    }

    private static String rejectsOf(RejectedLoad before) {
        return "the rejects of load "
                + before.loadId()
                + " into table "
                + before.table()
                + (before.outcome() == RejectedLoad.Outcome.LOADED
                        ? ", whose other records are loaded"
                        : ", whose other records may be loaded");
    }

    /**
     * Writes the files, if they are wanted. Those of an earlier load that are needed get another
     * name.
     *
     * @param goOn throws if they are not wanted any more; then all stay what they were
     * @return what to say about that, or empty
     */
    String write(String loadId, RejectedLoad.Outcome outcome, Runnable goOn) {
        Path file = spec.rejectsFile();
        if (file == null) {
            return "";
        }
        RejectedLoad before =
                RejectedLoad.worthKeeping(file, loadId)
                        .filter(load -> !isReplayed(load))
                        .orElse(null);
        Path aside = before == null ? null : RejectFiles.asideFile(file);
        write(file, loadId, outcome, lines, aside, goOn);
        return before == null
                ? ""
                : file
                        + " had "
                        + rejectsOf(before)
                        + ", and was not replayed; it is "
                        + aside
                        + " now.";
    }

    /** As far as the store of this load knows. */
    private boolean isReplayed(RejectedLoad before) {
        try {
            return before.store().equals(target.address())
                    && target.labelled(before.table(), before.replayLabel()).isPresent();
        } catch (PenstockException e) {
            return false;
        }
    }

    private void write(
            Path file,
            String loadId,
            RejectedLoad.Outcome outcome,
            @Nullable LineFinder counted,
            @Nullable Path aside,
            Runnable goOn) {
        log.freeze();
        new RejectFiles(log, counted, inputs, disk)
                .write(file, load.dialect().header(), how(loadId, outcome), aside, goOn);
    }

    /** Text of the file that says how to load the records. */
    private String how(String loadId, RejectedLoad.Outcome outcome) {
        return RejectedLoad.of(load, target.address(), loadId, outcome, log.count()).json();
    }

    /**
     * Says in the files that the load is published. Without that, as after a crash, whoever replays
     * them asks the store, so a failure here is none of the load.
     */
    void published(String loadId) {
        Path file = spec.rejectsFile();
        if (file == null) {
            return;
        }
        try {
            RejectFiles.rewriteLoad(file, how(loadId, RejectedLoad.Outcome.LOADED), disk);
        } catch (PenstockException e) {
            // The rows are visible; the file says that this has to be asked for.
        }
    }

    /**
     * Writes the files of a load that has failed, unless they are written and it may be visible all
     * the same; not in place of rejects that are needed.
     *
     * @return what to say about that, or empty
     */
    private String writeFailed(
            Path file, String loadId, @Nullable LineFinder counted, Runnable goOn) {
        RejectedLoad.Outcome outcome = RejectedLoad.Outcome.FAILED;
        if (RejectedLoad.isPublishing(file, loadId)) {
            return "";
        }
        RejectedLoad before = RejectedLoad.worthKeeping(file, loadId).orElse(null);
        if (before == null) {
            write(file, loadId, outcome, counted, null, goOn);
            return "";
        }
        Path beside = RejectFiles.failedFile(file);
        write(beside, loadId, outcome, counted, null, goOn);
        return log.count() == 0
                ? ""
                : "Its rejects are in "
                        + beside
                        + ", for "
                        + file
                        + " has "
                        + rejectsOf(before)
                        + ".";
    }

    /**
     * The failure as a user should read it: if there were too many rejects, the first of them. The
     * files are written whatever the failure is.
     *
     * @param loadId empty if there is none
     * @param setup of the load
     * @param chunks the inputs from their beginning, asked for if they are needed
     * @param cancelled whether nobody waits for inputs to be read again any more, to find lines
     */
    RuntimeException explained(
            Throwable thrown,
            String loadId,
            LoadSetup setup,
            Supplier<ChunkSupply> chunks,
            BooleanSupplier cancelled) {
        RuntimeException said = inWords(thrown, unless(cancelled));
        RuntimeException placed =
                said instanceof PenstockException known ? withPlaces(known, setup, chunks) : said;
        return saying(placed, writeAfter(loadId, lines, cancelled));
    }

    private static Runnable unless(BooleanSupplier cancelled) {
        return () -> {
            if (cancelled.getAsBoolean()) {
                throw PenstockException.conflict("cancelled");
            }
        };
    }

    /** Of a failure for equal keys: where records with the key are. */
    private PenstockException withPlaces(
            PenstockException failure, LoadSetup setup, Supplier<ChunkSupply> chunks) {
        byte[] key = failure.key();
        if (key.length == 0 || !inputs.files().stream().allMatch(InputFile::reopenable)) {
            return failure;
        }
        try (LineFinder others =
                new LineFinder(inputs, load.dialect().dialect(), load.linesBeforeData())) {
            List<String> places = KeyPlaces.find(setup, key, chunks.get(), inputs, others);
            String message = String.valueOf(failure.getMessage());
            String sentence =
                    message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
            return places.isEmpty()
                    ? failure
                    : new PenstockException(
                            failure.category(),
                            sentence
                                    + "; it is in "
                                    + String.join(" and ", places)
                                    + ". Nothing was loaded.",
                            failure);
        } catch (PenstockException unreadable) {
            failure.addSuppressed(unreadable);
            return failure;
        }
    }

    /**
     * Writes the files for one who waits for the command to end: without the lines, which take a
     * while.
     *
     * @return what to say about that besides that nothing is visible, or empty
     */
    String writeInterrupted(String loadId) {
        return writeAfter(loadId, null, () -> false).replace(RejectLog.NOTHING_VISIBLE, "");
    }

    /** Returns what to say about that, or empty. */
    private String writeAfter(
            String loadId, @Nullable LineFinder counted, BooleanSupplier cancelled) {
        Path file = spec.rejectsFile();
        try {
            return file == null ? "" : writeFailed(file, loadId, counted, unless(cancelled));
        } catch (PenstockException e) {
            return cancelled.getAsBoolean()
                    ? writeInterrupted(loadId)
                    : String.valueOf(e.getMessage());
        }
    }

    /** The failure, saying more on a line of its own. */
    static RuntimeException saying(RuntimeException failure, String more) {
        String first = String.valueOf(failure.getMessage());
        return !(failure instanceof PenstockException known) || more.isEmpty() || first.equals(more)
                ? failure
                : new PenstockException(known.category(), first + "\n" + more, failure);
    }

    private RuntimeException inWords(Throwable thrown, Runnable goOn) {
        if (thrown instanceof PenstockException damage
                && damage.category() == ErrorCategory.CORRUPT) {
            // However many records are bad, nothing is worse than rows that did not arrive whole.
            return damage;
        }
        Optional<RejectLimits.Passed> passed = log.passed();
        RejectLog.First first = passed.flatMap(limit -> log.first(limit.kind())).orElse(null);
        if (passed.isPresent() && first != null) {
            Reject reject = first.reject();
            String name = inputs.file(reject.sourceIndex()).name();
            return PenstockException.data(
                    RejectMessage.of(
                            passed.get(),
                            reject,
                            name.equals("-") ? "standard input" : name,
                            line(reject, first.chunkId(), goOn)));
        }
        if (thrown instanceof RuntimeException e) {
            return e;
        }
        String why =
                thrown instanceof OutOfMemoryError memory
                        ? MemoryUsedUp.says(memory)
                                + " Fewer --threads and a smaller --chunk-size take less."
                        : "The load failed: " + thrown;
        return new PenstockException(ErrorCategory.INTERNAL, why, thrown);
    }

    /** Unknown if the input cannot be read again, which is no reason to say nothing else. */
    private long line(Reject reject, int chunkId, Runnable goOn) {
        try {
            return lines.lineOf(reject, chunkId, goOn);
        } catch (PenstockException e) {
            return Reject.LINE_UNKNOWN;
        }
    }
}
