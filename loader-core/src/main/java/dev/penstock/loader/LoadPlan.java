package dev.penstock.loader;

import dev.penstock.loader.plan.PlanText;

import java.util.List;

/**
 * What a load will do, decided before it starts: printable and storable.
 *
 * @param table the table to load into
 * @param inputs what will be read, in input order
 * @param dialect how records are written, and why that was believed
 * @param fields for each field of a record the column that it fills, or empty if it is skipped
 * @param columns name, type and profile of each column of the table
 * @param bytesTotal bytes of all inputs as stored, or -1 if one of them is a stream
 * @param chunkBytes bytes of a chunk
 * @param chunkCount chunks in all, or -1 if only reading will tell
 * @param servers servers that host the regions
 * @param regions regions after splitting
 * @param splitPoints keys between the regions, readable, ascending
 * @param balance how even the regions will be
 * @param threads loader threads in all
 * @param workers worker processes, 0 for none
 * @param offload policy word
 * @param cut form in which fragments travel, lower case
 * @param memoryBytes most bytes of chunks and fragments in flight
 * @param storedBytesEstimate rough bytes of the stored segments, or -1
 * @param kernel name of the vector kernels in use
 * @param notes what the user should know, one sentence each
 */
public record LoadPlan(
        String table,
        List<Input> inputs,
        DialectChoice dialect,
        List<String> fields,
        List<PlannedColumn> columns,
        long bytesTotal,
        long chunkBytes,
        long chunkCount,
        int servers,
        int regions,
        List<String> splitPoints,
        Balance balance,
        int threads,
        int workers,
        String offload,
        String cut,
        long memoryBytes,
        long storedBytesEstimate,
        String kernel,
        List<String> notes) {

    /**
     * One input.
     *
     * @param name as opened
     * @param compression {@code none}, {@code gzip}, {@code zstd} or {@code stream}
     * @param bytes size as stored, or -1 for a stream
     * @param modifiedMillis time of last change, milliseconds since 1970, or -1 for a stream
     * @param edgeHash hash of the first and the last 64 KiB, hexadecimal, or empty for a stream
     */
    public record Input(
            String name, String compression, long bytes, long modifiedMillis, String edgeHash) {}

    /** The dialect; {@code because} says how it was chosen. Absent characters are empty. */
    public record DialectChoice(
            String delimiter,
            String quote,
            String escape,
            String comment,
            String newline,
            boolean header,
            boolean trailingDelimiter,
            String nullText,
            String because) {}

    /**
     * A column and what the sample says about it; -1 where there was no sample.
     *
     * @param nullShare share of NULLs, 0..1
     * @param meanWidth mean bytes of a value's text
     * @param distinctEstimate distinct values in the sample
     */
    public record PlannedColumn(
            String name,
            String type,
            boolean nullable,
            boolean key,
            double nullShare,
            double meanWidth,
            long distinctEstimate) {}

    /**
     * Predicted balance.
     *
     * @param sampledRows good rows in the sample
     * @param sampleRejects records of the sample that would be rejected
     * @param rowEstimate rows of the whole input, estimated, or -1
     * @param predictedImbalance rows of the largest region / mean rows, expected; -1 if unknown
     * @param imbalanceBound the same with the error of sample and sketch added, 99 % confidence; -1
     *     if unknown
     * @param collapsedSplitPoints split points left out because one key is so frequent that it
     *     would fill more than one region, or because the sample has fewer keys than regions
     */
    public record Balance(
            long sampledRows,
            long sampleRejects,
            long rowEstimate,
            double predictedImbalance,
            double imbalanceBound,
            int collapsedSplitPoints) {}

    public LoadPlan {
        inputs = List.copyOf(inputs);
        fields = List.copyOf(fields);
        columns = List.copyOf(columns);
        splitPoints = List.copyOf(splitPoints);
        notes = List.copyOf(notes);
    }

    /** The plan for a reader. */
    public String text() {
        return PlanText.of(this);
    }

    /** The plan as one JSON object. */
    public String json() {
        return Json.write(this);
    }

    /** Reads back what {@link #json} wrote. */
    public static LoadPlan fromJson(String text) {
        return Json.read(text, LoadPlan.class);
    }
}
