package dev.penstock.loader.report;

import dev.penstock.kernel.KernelSelection;
import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.StepName;
import dev.penstock.step.StepSite;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Puts the report of a load together from what its parts have counted. */
public final class ReportBuilder {
    private final ResolvedLoad load;
    private final ChunkTotals totals;
    private final long textChunks;
    private final RejectLog rejects;
    private final boolean inline;

    /**
     * What happened beside the counting.
     *
     * @param inputDigest see {@link LoadReport#inputDigest}
     * @param loadId name of the load in the target, empty for a dry run
     * @param epoch -1 for a dry run
     * @param rows rows loaded
     * @param duplicates rows left out
     * @param regionRows rows of each region of the table
     * @param receipts of all regions, empty for a dry run
     * @param driverNanos CPU time of planning and sampling
     * @param processNanos CPU time of all threads of this process during the load, 0 if unknown
     * @param phases wall nanoseconds of each phase
     */
    public record Outcome(
            String inputDigest,
            String loadId,
            long epoch,
            long rows,
            long duplicates,
            long[] regionRows,
            List<RegionReceipt> receipts,
            long bytesInput,
            long driverNanos,
            long processNanos,
            double seconds,
            Map<LoadPhase, Long> phases) {}

    /**
     * @param inline whether the target ran its steps on the threads that sent to it, so that their
     *     CPU time was measured on both sides
     */
    public ReportBuilder(
            ResolvedLoad load,
            ChunkTotals totals,
            long textChunks,
            RejectLog rejects,
            boolean inline) {
        this.textChunks = textChunks;
        this.inline = inline;
        this.load = load;
        this.totals = totals;
        this.rejects = rejects;
    }

    public LoadReport build(Outcome outcome) {
        StepTimes server = new StepTimes();
        long stored = 0;
        long replaced = 0;
        for (RegionReceipt receipt : outcome.receipts()) {
            server.addAll(receipt.times());
            stored += receipt.bytesStored();
            replaced += receipt.replacedRows();
        }
        StepTimes loader = loaderTimes();
        long runtime = runtimeNanos(outcome.processNanos(), loader, server);
        List<LoadReport.StepReport> steps = steps(loader, server, runtime, outcome.rows());
        Map<String, Double> phases = new LinkedHashMap<>();
        outcome.phases().forEach((phase, nanos) -> phases.put(phase.word(), nanos / 1e9));
        return new LoadReport(
                load.schema().name(),
                load.spec().label(),
                false,
                false,
                outcome.inputDigest(),
                outcome.loadId(),
                outcome.epoch(),
                load.spec().dryRun(),
                outcome.rows(),
                rejects.count(),
                outcome.duplicates(),
                replaced,
                rejects.byReason(),
                load.spec().rejectsFile() == null ? null : load.spec().rejectsFile().toString(),
                totals.textBytes(),
                outcome.bytesInput(),
                totals.bytesSent(),
                stored,
                outcome.seconds(),
                outcome.seconds() <= 0 ? 0 : totals.textBytes() / 1e6 / outcome.seconds(),
                (loader.totalNanos() + outcome.driverNanos()) / 1e9,
                server.totalNanos() / 1e9,
                outcome.regionRows().length,
                imbalance(outcome.regionRows()),
                load.balance().join().predictedImbalance(),
                load.balance().join().imbalanceBound(),
                load.spec().offload().word(),
                load.cut().name().toLowerCase(Locale.ROOT),
                load.threads(),
                load.workers(),
                totals.chunks(),
                textChunks,
                KernelSelection.chosen(),
                phases,
                columns(outcome.receipts()),
                steps,
                Bottleneck.of(steps, outcome.seconds()),
                servers(outcome.receipts()),
                verified(outcome));
    }

    private LoadReport.@Nullable VerifiedReport verified(Outcome outcome) {
        if (load.spec().dryRun()) {
            return null;
        }
        Verification how = load.spec().verification();
        int columns = how.sums() ? load.schema().columnCount() : 0;
        return new LoadReport.VerifiedReport(
                how.name().toLowerCase(Locale.ROOT),
                how == Verification.OFF ? 0 : outcome.rows() + outcome.duplicates(),
                columns,
                (long) columns * outcome.receipts().size());
    }

    /**
     * CPU times of the loader. A target that works on the sender's threads has measured its steps
     * itself, and nothing else happens while sending to it.
     */
    private StepTimes loaderTimes() {
        StepTimes times = totals.times();
        if (inline) {
            times.add(StepName.TRANSFER, -times.nanos(StepName.TRANSFER));
        }
        return times;
    }

    /** Rows of the largest region / mean rows per region; 1 without rows. */
    static double imbalance(long[] regionRows) {
        long total = 0;
        long most = 0;
        for (long rows : regionRows) {
            total += rows;
            most = Math.max(most, rows);
        }
        return total == 0 ? 1 : (double) most * regionRows.length / total;
    }

    private List<LoadReport.ColumnReport> columns(List<RegionReceipt> receipts) {
        TableSchema schema = load.schema();
        List<LoadReport.ColumnReport> columns = new ArrayList<>();
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            String name = schema.column(i).name();
            double share =
                    totals.fragments() == 0
                            ? 0
                            : (double) totals.encodedFragments()[i] / totals.fragments();
            String encoding = "";
            long distinct = -1;
            long bytes = 0;
            for (RegionReceipt receipt : receipts) {
                ColumnOutcome outcome = outcomeOf(receipt, name);
                if (outcome != null && receipt.rowCount() > 0) {
                    boolean same = encoding.isEmpty() || encoding.equals(outcome.encoding());
                    encoding = same ? outcome.encoding() : "mixed";
                    distinct = Math.max(distinct, outcome.distinct());
                    bytes += outcome.bytes();
                }
            }
            columns.add(
                    new LoadReport.ColumnReport(
                            name, site(share), share, encoding, distinct, bytes));
        }
        return columns;
    }

    private static @Nullable ColumnOutcome outcomeOf(RegionReceipt receipt, String name) {
        for (ColumnOutcome outcome : receipt.columns()) {
            if (outcome.column().equals(name)) {
                return outcome;
            }
        }
        return null;
    }

    private String site(double loaderShare) {
        if (load.cut().compareTo(FragmentForm.ENCODED) < 0 || loaderShare == 0) {
            return "server";
        }
        return loaderShare == 1 ? "loader" : "mixed";
    }

    /** What this process used beside steps; with workers the steps ran in other processes. */
    private long runtimeNanos(long processNanos, StepTimes loader, StepTimes server) {
        if (load.workers() > 0) {
            return 0;
        }
        long steps = loader.totalNanos() + (inline ? server.totalNanos() : 0);
        return Math.max(0, processNanos - steps);
    }

    private static List<LoadReport.StepReport> steps(
            StepTimes loader, StepTimes server, long runtimeNanos, long rows) {
        List<LoadReport.StepReport> steps = new ArrayList<>();
        for (StepSite site : StepSite.values()) {
            StepTimes times =
                    switch (site) {
                        case LOADER -> loader;
                        case REGION_SERVER -> server;
                    };
            for (StepName step : StepName.values()) {
                add(steps, site, step.name().toLowerCase(Locale.ROOT), times.nanos(step), rows);
            }
        }
        add(steps, StepSite.LOADER, "runtime", runtimeNanos, rows);
        return steps;
    }

    private static void add(
            List<LoadReport.StepReport> steps, StepSite site, String step, long nanos, long rows) {
        if (nanos > 0) {
            steps.add(
                    new LoadReport.StepReport(
                            site.name().toLowerCase(Locale.ROOT),
                            step,
                            nanos / 1e9,
                            rows == 0 ? 0 : (double) nanos / rows));
        }
    }

    private static List<LoadReport.ServerReport> servers(List<RegionReceipt> receipts) {
        Map<String, LoadReport.ServerReport> servers = new TreeMap<>();
        for (RegionReceipt receipt : receipts) {
            servers.merge(
                    receipt.server(),
                    new LoadReport.ServerReport(
                            receipt.server(), 1, receipt.rowCount(), receipt.bytesStored()),
                    (left, right) ->
                            new LoadReport.ServerReport(
                                    left.server(),
                                    left.regions() + right.regions(),
                                    left.rows() + right.rows(),
                                    left.bytesStored() + right.bytesStored()));
        }
        return List.copyOf(servers.values());
    }
}
