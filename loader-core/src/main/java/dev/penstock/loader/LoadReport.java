package dev.penstock.loader;

import dev.penstock.loader.json.RecordShape;
import dev.penstock.loader.report.ReportText;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * What a load did. The names in JSON are these in snake case.
 *
 * @param table the table
 * @param label the user's name for the load, or empty
 * @param loadedBefore whether nothing was done because a load of this label had been published
 *     before; all else is that load's own report
 * @param comparedWithFirst whether the inputs were compared with those of the load that had the
 *     label first, and are the same; false unless {@code loadedBefore}, and where one of the two
 *     loads has read standard input or a pipe
 * @param inputDigest digest of the inputs' names, sizes and bytes (of large inputs a part of them),
 *     or empty if they cannot be read twice
 * @param loadId name of the load in the target, empty for a dry run
 * @param epoch the epoch at which the load became visible, -1 for a dry run
 * @param dryRun whether nothing was sent
 * @param rowsLoaded rows that the load added (or would have)
 * @param rowsRejected records that did not become rows
 * @param rowsDuplicate rows of the input left out because of their key, those that were rejected
 *     for it not included
 * @param rowsReplaced rows that the table had and that rows of the load replaced
 * @param rejectsByReason rejects per reason, lower-case names
 * @param rejectsFile where they were written, or null
 * @param bytesRead text bytes, decompressed
 * @param bytesInput bytes of the inputs as stored
 * @param bytesSent fragment bytes handed over to regions
 * @param bytesStored bytes of the segment files
 * @param seconds from start to publish
 * @param mbPerSecond text read, in 10^6 bytes per second of {@code seconds}
 * @param cpuSecondsLoader CPU time of loader steps and transfer
 * @param cpuSecondsServer CPU time of the region servers on this load
 * @param regions regions of the table
 * @param imbalance rows of the largest region / mean rows per region
 * @param predictedImbalance as planned, -1 if unknown
 * @param imbalanceBound bound of the prediction, -1 if unknown
 * @param policy offload policy word
 * @param cut form in which fragments travelled
 * @param threads loader threads in all
 * @param workers worker processes, 0 for none
 * @param chunks chunks read
 * @param textChunks those of them that servers took as text
 * @param kernel name of the vector kernels in use
 * @param phaseSeconds wall time of each phase, lower-case names
 * @param columns decision and outcome per column
 * @param steps CPU time per site and step
 * @param bottleneck what the load spent most of its time on
 * @param servers share of each server
 * @param verified what was proved before the load was published; null for a dry run
 */
public record LoadReport(
        String table,
        String label,
        boolean loadedBefore,
        boolean comparedWithFirst,
        String inputDigest,
        String loadId,
        long epoch,
        boolean dryRun,
        long rowsLoaded,
        long rowsRejected,
        long rowsDuplicate,
        long rowsReplaced,
        Map<String, Long> rejectsByReason,
        @Nullable String rejectsFile,
        long bytesRead,
        long bytesInput,
        long bytesSent,
        long bytesStored,
        double seconds,
        double mbPerSecond,
        double cpuSecondsLoader,
        double cpuSecondsServer,
        int regions,
        double imbalance,
        double predictedImbalance,
        double imbalanceBound,
        String policy,
        String cut,
        int threads,
        int workers,
        long chunks,
        long textChunks,
        String kernel,
        Map<String, Double> phaseSeconds,
        List<ColumnReport> columns,
        List<StepReport> steps,
        BottleneckReport bottleneck,
        List<ServerReport> servers,
        @Nullable VerifiedReport verified) {
    /** What a process ends with that has loaded, but rejected records. */
    public static final int REJECTS_STATUS = 3;

    /**
     * One column.
     *
     * @param offload {@code loader}, {@code server} or {@code mixed}: who encoded it
     * @param loaderShare share of fragments in which the loader encoded it, 0..1
     * @param encoding how it is stored: the encoding of all regions, or {@code mixed}
     * @param distinct distinct values of the largest dictionary of a region, else -1
     * @param bytes stored bytes
     */
    public record ColumnReport(
            String name,
            String offload,
            double loaderShare,
            String encoding,
            long distinct,
            long bytes) {}

    /**
     * CPU time of one step at one site, in all and per loaded row. The step {@code runtime} is what
     * this process used beside the steps: compilation, garbage collection, planning.
     */
    public record StepReport(String site, String step, double cpuSeconds, double nanosPerRow) {}

    /**
     * What limits the load.
     *
     * @param name {@code waiting} if processors were idle for much of the time (for a disk or a
     *     network), else site and step of the largest CPU time, such as {@code region_server merge}
     * @param cpuShare share of that step, or of the largest one, in all CPU time, 0..1
     * @param nanosPerRow its CPU time per loaded row
     * @param coresBusy CPU time of all steps at all sites per second of the load
     */
    public record BottleneckReport(
            String name, double cpuShare, double nanosPerRow, double coresBusy) {}

    /** What one server got. */
    public record ServerReport(String server, int regions, long rows, long bytesStored) {}

    /**
     * What was proved before the load was published.
     *
     * @param how the word of the option {@code --verify}
     * @param rows rows of the regions that were counted, duplicates included
     * @param columns columns of which checksums were compared, a hidden one included
     * @param checksums checksums that were compared: one for each column and region
     */
    public record VerifiedReport(String how, long rows, int columns, long checksums) {}

    /** The report for a reader, in lines, the most important one last. */
    public String text() {
        return String.join("\n", ReportText.of(this));
    }

    /** The report as one JSON object. */
    public String json() {
        return Json.write(this);
    }

    /** Reads back what {@link #json} wrote. */
    public static LoadReport fromJson(String text) {
        return Json.read(text, LoadReport.class);
    }

    /**
     * The report of a load that need not be done again.
     *
     * @param first what {@link #json} wrote when the label was loaded
     * @param publishedEpoch where it became visible, which it did not know then
     */
    static LoadReport ofBefore(String first, long publishedEpoch) {
        return RecordShape.with(
                fromJson(first), Map.of("loadedBefore", true, "epoch", publishedEpoch));
    }

    /** The same for inputs that were compared with those of the first load. */
    LoadReport compared() {
        return RecordShape.with(this, Map.of("comparedWithFirst", true));
    }

    /** 0 or, if records were rejected, {@link #REJECTS_STATUS}. */
    public int exitStatus() {
        return rowsRejected > 0 ? REJECTS_STATUS : 0;
    }
}
