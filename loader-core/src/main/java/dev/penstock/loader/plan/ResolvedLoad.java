package dev.penstock.loader.plan;

import dev.penstock.dict.TokenTables;
import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.LoadSpec;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.LoadTarget;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A load with everything decided: no names to look up, no settings left open.
 *
 * @param createTable whether the table has to be created first
 * @param splitPoints encoded keys at which empty regions are to be split, ascending; empty if none
 * @param splitChunks for a table without key, into how many regions its chunks are to be spread, or
 *     0: the hidden row ids begin with the load's number, known only when it has begun
 * @param chunkCount chunks, or -1 if only reading will tell
 * @param inOrder whether the rows of most chunks come in the order of their keys
 * @param tokens what codes in columns of tokens mean; needed when the load begins
 * @param linesBeforeData for each input the physical lines of its header
 * @param regionsAfterSplit regions as the plan expects them
 * @param balance how even the regions will be; worked out beside the load, which does not need it
 */
public record ResolvedLoad(
        LoadSpec spec,
        TableSchema schema,
        boolean createTable,
        ChosenDialect dialect,
        List<byte[]> splitPoints,
        int splitChunks,
        int chunkBytes,
        long chunkCount,
        int threads,
        int workers,
        long memoryBytes,
        FragmentForm cut,
        boolean inOrder,
        CompletableFuture<TokenTables> tokens,
        long[] linesBeforeData,
        int regionsAfterSplit,
        CompletableFuture<LoadPlan.Balance> balance) {
    public ResolvedLoad {
        splitPoints = List.copyOf(splitPoints);
    }

    /**
     * The same for a dry run, which has neither servers, that text could be parsed by, nor worker
     * processes: this one parses all records.
     */
    public ResolvedLoad forDryRun() {
        return with(cut == FragmentForm.RAW ? FragmentForm.TYPED : cut, 0);
    }

    /** Whether chunks may travel as text, by what was asked for. */
    public boolean mayTravelAsText() {
        return spec.offload().sendsChunks() && spec.cut() == null && workers == 0;
    }

    /**
     * Bytes of a chunk where servers read the text.
     *
     * @param suitingBytes what suits the servers
     * @param textBytes of all inputs, or -1 if nobody knows
     */
    public int chunkBytes(int suitingBytes, long textBytes) {
        // The rows of a table without a key are sorted out by the numbers of their chunks.
        return spec.chunkBytes() > 0 || schema.hiddenRowId()
                ? chunkBytes
                : new WorkShape(threads, workers, memoryBytes).limited(suitingBytes, textBytes);
    }

    /**
     * Whether the table is the one that was planned for; of any other, parsed rows would be taken
     * for others. To be asked when the load has begun, from when on the table stays.
     */
    public boolean fits(LoadTarget target) {
        return target.table(schema.name()).equals(Optional.of(schema));
    }

    private ResolvedLoad with(FragmentForm otherCut, int otherWorkers) {
        return new ResolvedLoad(
                spec,
                schema,
                createTable,
                dialect,
                splitPoints,
                splitChunks,
                chunkBytes,
                chunkCount,
                threads,
                otherWorkers,
                memoryBytes,
                otherCut,
                inOrder,
                tokens,
                linesBeforeData,
                regionsAfterSplit,
                balance);
    }
}
