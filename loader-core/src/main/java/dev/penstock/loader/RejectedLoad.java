package dev.penstock.loader;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.json.RecordShape;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.report.RejectFiles;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTarget;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a load leaves beside its rejects file, so that the mended records can be loaded as the
 * others were: one JSON object whose names are these in snake case.
 *
 * @param format number of this format
 * @param outcome what became of the load
 * @param store where it went, as {@link LoadTarget#address} says; empty if that is not known, as in
 *     files of versions before
 * @param table the table
 * @param ddl its CREATE TABLE statement
 * @param loadId names the load; part of the label under which its rejects are loaded
 * @param label the load's own label, or empty
 * @param records records in the rejects file
 * @param delimiter between fields
 * @param quote around fields, or empty for none
 * @param escape within quoted fields, or empty for none
 * @param comment first character of records to skip, or empty for none
 * @param header whether the rejects file begins with a header
 * @param trailingDelimiter whether each record ends with one more delimiter
 * @param nullText the text of NULL
 * @param columns the column of each field; {@code -} skips a field
 * @param onDuplicate the duplicate policy
 */
public record RejectedLoad(
        int format,
        Outcome outcome,
        String store,
        String table,
        String ddl,
        String loadId,
        String label,
        long records,
        String delimiter,
        String quote,
        String escape,
        String comment,
        boolean header,
        boolean trailingDelimiter,
        String nullText,
        List<String> columns,
        String onDuplicate) {
    private static final int FORMAT = 1;

    // Null where a file of a version before says nothing.
    public RejectedLoad {
        store = store == null ? "" : store;
    }

    /** What became of a load. */
    public enum Outcome {
        /** Its other records are visible. */
        LOADED,
        /** They were about to be: whether they are, only the store knows. */
        PUBLISHING,
        /** It failed, was interrupted, or had more rejects than allowed: nothing is visible. */
        FAILED,
        /** It stored nothing because it was not meant to. */
        DRY_RUN
    }

    static RejectedLoad of(
            ResolvedLoad load, String store, String loadId, Outcome outcome, long records) {
        Dialect dialect = load.dialect().dialect();
        return new RejectedLoad(
                FORMAT,
                outcome,
                store,
                load.schema().name(),
                load.schema().sql(),
                loadId,
                load.spec().label(),
                records,
                character(dialect.delimiter()),
                character(dialect.quote()),
                character(dialect.escape()),
                character(dialect.comment()),
                dialect.header(),
                dialect.trailingDelimiter(),
                dialect.nullText(),
                load.dialect().fieldColumns().stream()
                        .map(column -> column < 0 ? "-" : load.schema().column(column).name())
                        .toList(),
                load.spec().duplicates().word());
    }

    private static String character(int value) {
        return value == Dialect.NONE ? "" : Character.toString(value);
    }

    private static int value(String character) {
        return character.isEmpty() ? Dialect.NONE : character.charAt(0);
    }

    /**
     * Reads what lies beside a rejects file.
     *
     * @throws PenstockException of category USAGE if there is nothing, or nothing to replay
     */
    public static RejectedLoad beside(Path rejectsFile) {
        Path file = RejectFiles.loadFile(rejectsFile);
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw PenstockException.usage(
                    "there is no "
                            + file
                            + ", which a load with --rejects writes; without it, give the records"
                            + " to 'penstock load' with the options of the first load");
        } catch (IOException e) {
            throw PenstockException.io(file + " cannot be read: " + e, e);
        }
        RejectedLoad load = Json.read(text, RejectedLoad.class);
        if (load.format != FORMAT) {
            throw PenstockException.usage(
                    file + " has format " + load.format + "; this Penstock knows " + FORMAT);
        }
        return load;
    }

    /** What {@link #beside} reads, if there is a rejects file and that can be read. */
    private static Optional<RejectedLoad> find(Path rejectsFile) {
        try {
            return Files.exists(rejectsFile) ? Optional.of(beside(rejectsFile)) : Optional.empty();
        } catch (PenstockException e) {
            return Optional.empty();
        }
    }

    /**
     * The load whose rejects are in the file, if they are all that its input still has for the
     * table: they must not be lost to a load that loads nothing.
     *
     * @param loadId names a load that may write over its own rejects
     */
    static Optional<RejectedLoad> worthKeeping(Path rejectsFile, String loadId) {
        return find(rejectsFile)
                .filter(load ->
                        load.outcome == Outcome.LOADED || load.outcome == Outcome.PUBLISHING)
                .filter(load -> load.records > 0 && !load.loadId.equals(loadId));
    }

    /** Whether the file has the rejects of a load that was about to be published. */
    static boolean isPublishing(Path rejectsFile, String loadId) {
        return find(rejectsFile)
                .filter(load -> load.outcome == Outcome.PUBLISHING && load.loadId.equals(loadId))
                .isPresent();
    }

    /**
     * The same with what became of the load, as the store knows by its label.
     *
     * @throws PenstockException of category USAGE if it had none
     */
    public RejectedLoad settled(Path rejectsFile, LoadTarget target) {
        if (outcome != Outcome.PUBLISHING) {
            return this;
        }
        if (label.isEmpty()) {
            throw PenstockException.usage(
                    "the load that wrote "
                            + rejectsFile
                            + " ended while it was published, and has no label to ask for. If its"
                            + " rows are in table "
                            + table
                            + ", write LOADED for PUBLISHING in "
                            + RejectFiles.loadFile(rejectsFile)
                            + "; if not, load all of the input again");
        }
        boolean loaded =
                target.labelled(table, label)
                        .filter(known ->
                                LoadReport.ofBefore(known.report(), known.epoch())
                                        .loadId()
                                        .equals(loadId))
                        .isPresent();
        return RecordShape.with(this, Map.of("outcome", loaded ? Outcome.LOADED : Outcome.FAILED));
    }

    public String json() {
        return Json.writePretty(this);
    }

    /** Of the load that {@link #replay} makes. */
    String replayLabel() {
        return "rejects of load " + loadId;
    }

    /**
     * A load of the rejects file as it is now, with everything as the first load had it but the
     * places of the records, under a label that only one such load can have. Its rows are later
     * than what is stored, of the first load too.
     *
     * @throws PenstockException of category USAGE if the first load loaded nothing
     */
    public LoadSpecBuilder replay(Path rejectsFile) {
        if (outcome != Outcome.LOADED) {
            throw PenstockException.usage(
                    "the load that wrote "
                            + rejectsFile
                            + (outcome == Outcome.DRY_RUN ? " was a dry run" : " failed")
                            + ", so its good records are not in the table either; mend the input"
                            + " and load all of it again");
        }
        DialectOptions dialect =
                new DialectOptions(
                        delimiter.charAt(0),
                        value(quote),
                        value(escape),
                        value(comment),
                        header,
                        trailingDelimiter,
                        nullText);
        return LoadSpec.builder(table)
                .from(rejectsFile.toString())
                .dialect(dialect)
                .columns(columns)
                .duplicates(DuplicatePolicy.parse("on_duplicate", onDuplicate))
                .label(replayLabel());
    }
}
