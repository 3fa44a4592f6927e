package dev.penstock.loader;

import dev.penstock.error.PenstockException;
import dev.penstock.reject.RejectClass;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/**
 * A load in the user's words. Zero means "choose for me" wherever a number is asked for.
 *
 * @param inputs files, folders, globs, or {@code -} for standard input, in input order
 * @param table the table to load into
 * @param schema creates the table if it does not exist, or null
 * @param dialect what is said about the dialect
 * @param columns the table columns that the fields of a record fill, in field order; empty for the
 *     header's names, or else all columns in table order. The word {@code -} skips a field.
 * @param regions regions wanted, 0 to choose by input size
 * @param samples rows to sample, 0 for the default
 * @param threads loader threads in all, 0 for one per processor, with resume one more
 * @param workers worker processes; 0 or 1 loads within this process
 * @param chunkBytes bytes of a chunk, 0 for the default
 * @param memoryBytes bytes that chunks and fragments in flight may take, 0 for the default
 * @param offload who encodes
 * @param cut the form in which fragments travel, overriding what {@code offload} implies, or null
 * @param duplicates what to do with keys that exist already
 * @param verification how the load proves that everything arrived
 * @param maxRejects how many records may be rejected
 * @param rejectsFile where rejected records go, or null
 * @param label the user's name for the load, or empty; a table takes one load of each label, and
 *     the next does nothing
 * @param resume whether the load outlives an interruption: it goes on with what an unfinished load
 *     of its label has done, or begins as one that can be gone on with
 * @param dryRun do everything but send
 * @param seed of the sample
 */
public record LoadSpec(
        List<String> inputs,
        String table,
        @Nullable TableSchema schema,
        DialectOptions dialect,
        List<String> columns,
        int regions,
        int samples,
        int threads,
        int workers,
        long chunkBytes,
        long memoryBytes,
        OffloadPolicy offload,
        @Nullable FragmentForm cut,
        DuplicatePolicy duplicates,
        Verification verification,
        RejectLimits maxRejects,
        @Nullable Path rejectsFile,
        String label,
        boolean resume,
        boolean dryRun,
        long seed) {
    /** The word for standard input. */
    public static final String STANDARD_INPUT = "-";

    /** Most regions a load creates. */
    public static final int MAX_REGIONS = 4096;

    /** Most characters of a label. */
    public static final int MAX_LABEL_CHARACTERS = 200;

    public LoadSpec {
        if (label.length() > MAX_LABEL_CHARACTERS) {
            throw PenstockException.usage(
                    "--label has "
                            + label.length()
                            + " characters; "
                            + MAX_LABEL_CHARACTERS
                            + " are possible.");
        }
        if (resume && label.isEmpty()) {
            throw PenstockException.usage(
                    "--resume needs a --label, by which the load is found again.");
        }
        if (rejectsFile != null && rejectsFile.toString().equals("-")) {
            throw PenstockException.usage(
                    "--rejects - is no file; name one, or /dev/stdout for standard output.");
        }
        RejectLimit ofDuplicates = maxRejects.classes().get(RejectClass.DUPLICATE);
        if (ofDuplicates != null && !ofDuplicates.none() && !duplicates.rejects()) {
            throw PenstockException.usage(
                    "--max-rejects duplicate="
                            + ofDuplicates
                            + " needs --on-duplicate reject; with "
                            + duplicates.word()
                            + " no record is rejected for its key.");
        }
        inputs = List.copyOf(inputs);
        columns = List.copyOf(columns);
        check("--regions", regions, MAX_REGIONS);
        check("--samples", samples, 100_000_000);
        check("--threads", threads, 1024);
        check("--workers", workers, 256);
        check("--chunk-size", chunkBytes, 1 << 30);
        check("--memory", memoryBytes, Long.MAX_VALUE);
        if (chunkBytes != 0 && chunkBytes < 1024) {
            throw PenstockException.usage("--chunk-size " + chunkBytes + " is below 1024 bytes.");
        }
    }

    /** A builder with everything at its default. */
    public static LoadSpecBuilder builder(String table) {
        return new LoadSpecBuilder(table);
    }

    private static void check(String option, long value, long most) {
        if (value < 0 || value > most) {
            throw PenstockException.usage(option + " " + value + " is not in 1.." + most + ".");
        }
    }
}
