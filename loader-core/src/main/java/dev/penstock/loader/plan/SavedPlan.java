package dev.penstock.loader.plan;

import com.fasterxml.jackson.core.JsonProcessingException;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.file.Fingerprint;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.json.JsonNames;
import dev.penstock.loader.json.RecordJson;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a load that can be resumed has decided, and by what it tells that it is asked to go on with
 * the same inputs and options. Kept by the target as text.
 *
 * @param begunMillis when the load began, since 1970; 0 in plans that do not say so
 * @param inputDigest {@link dev.penstock.loader.file.InputDigest#of}; empty in plans without it
 * @param table the columns and the key that were planned for; empty in plans without them
 * @param inOrder whether rows come in the order of their keys; false in plans that do not say so
 * @param options those that decide about chunks and rows, by name, as the user gave them
 */
public record SavedPlan(
        long begunMillis,
        String inputDigest,
        List<String> table,
        Map<String, String> options,
        List<Source> sources,
        Dialect dialect,
        String because,
        List<Integer> fieldColumns,
        long[] dataStarts,
        byte[] header,
        double recordBytes,
        int chunkBytes,
        long chunkCount,
        FragmentForm cut,
        boolean inOrder,
        long[] linesBeforeData,
        int regions,
        LoadPlan.Balance balance) {
    // Null where a plan of an earlier version says nothing.
    public SavedPlan {
        inputDigest = inputDigest == null ? "" : inputDigest;
        table = table == null ? List.of() : List.copyOf(table);
    }

    /**
     * One input.
     *
     * @param name without folders
     * @param edges checksums of the beginning and the end
     */
    public record Source(String name, long bytes, long modifiedMillis, String edges) {}

    /** Waits for the estimate of the balance. */
    public static SavedPlan of(ResolvedLoad load, Inputs inputs, String inputDigest) {
        ChosenDialect dialect = load.dialect();
        return new SavedPlan(
                System.currentTimeMillis(),
                inputDigest,
                PlanChanges.table(load.schema()),
                PlanChanges.options(load.spec()),
                sources(inputs),
                dialect.dialect(),
                dialect.because(),
                dialect.fieldColumns(),
                dialect.dataStarts(),
                dialect.header(),
                dialect.recordBytes(),
                load.chunkBytes(),
                load.chunkCount(),
                load.cut(),
                load.inOrder(),
                load.linesBeforeData(),
                load.regionsAfterSplit(),
                load.balance().join());
    }

    private static List<Source> sources(Inputs inputs) {
        Fingerprint fingerprint = new Fingerprint(inputs);
        List<Source> sources = new ArrayList<>();
        for (InputFile file : inputs.files()) {
            sources.add(
                    new Source(
                            String.valueOf(file.path() == null ? null : file.path().getFileName()),
                            file.bytes(),
                            file.modifiedMillis(),
                            fingerprint.ofEdges(file)));
        }
        return sources;
    }

    public String json() {
        return RecordJson.write(this, JsonNames.DECLARED);
    }

    /** Reads back what {@link #json} wrote. */
    public static SavedPlan parse(String json) {
        try {
            return RecordJson.read(json, SavedPlan.class, JsonNames.DECLARED);
        } catch (JsonProcessingException e) {
            throw PenstockException.corrupt(
                    "the plan of the unfinished load cannot be read; begin it anew, without"
                            + " --resume: "
                            + e.getOriginalMessage());
        }
    }

    /** When the load of a plan began; empty if that does not say so. */
    public static Optional<Instant> begun(String json) {
        try {
            return Optional.of(parse(json).begunMillis())
                    .filter(millis -> millis > 0)
                    .map(Instant::ofEpochMilli);
        } catch (PenstockException e) {
            // Whoever resumes the load is told; here it is one of a list.
            return Optional.empty();
        }
    }

    /**
     * The load as it was planned, with the threads and workers of now.
     *
     * @param schema of the existing table
     * @param inputDigest of the inputs now
     * @throws PenstockException of category {@code CONFLICT} if inputs, schema or options have
     *     changed, saying what was and what is
     */
    public ResolvedLoad resolve(
            LoadSpec spec,
            TableSchema schema,
            Inputs inputs,
            String inputDigest,
            TokenTables tokens) {
        new PlanChanges(this, spec, schema).check(sources(inputs), inputDigest);
        WorkShape shape = WorkShape.of(spec, inputs);
        return new ResolvedLoad(
                spec,
                schema,
                false,
                new ChosenDialect(dialect, because, fieldColumns, dataStarts, header, recordBytes),
                List.of(),
                0,
                chunkBytes,
                chunkCount,
                shape.threads(),
                shape.workers(),
                shape.memoryBytes(),
                cut,
                inOrder,
                CompletableFuture.completedFuture(tokens),
                linesBeforeData,
                regions,
                CompletableFuture.completedFuture(balance));
    }
}
