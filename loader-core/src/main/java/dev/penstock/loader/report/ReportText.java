package dev.penstock.loader.report;

import dev.penstock.loader.LoadReport;

import java.util.Locale;
import java.util.Map;

/** A report as text for a reader. */
public final class ReportText {
    private ReportText() {}

    public static String of(LoadReport report) {
        StringBuilder out = new StringBuilder();
        out.append(
                String.format(
                        "%-20s %-8s %-11s %10s %14s%n",
                        "column", "encoded", "stored as", "distinct", "bytes"));
        for (LoadReport.ColumnReport column : report.columns()) {
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%-20s %-8s %-11s %10s %14d%n",
                            column.name(),
                            column.offload(),
                            column.encoding(),
                            column.distinct() < 0 ? "-" : Long.toString(column.distinct()),
                            column.bytes()));
        }
        for (LoadReport.StepReport step : report.steps()) {
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%-14s %-12s %9.3f CPU s %9.1f ns/row%n",
                            step.site(),
                            step.step(),
                            step.cpuSeconds(),
                            step.nanosPerRow()));
        }
        for (LoadReport.ServerReport server : report.servers()) {
            out.append(
                    String.format(
                            Locale.ROOT,
                            "server %s: %d regions, %d rows, %d bytes%n",
                            server.server(),
                            server.regions(),
                            server.rows(),
                            server.bytesStored()));
        }
        for (Map.Entry<String, Long> reason : report.rejectsByReason().entrySet()) {
            out.append(String.format("rejected %s: %d%n", reason.getKey(), reason.getValue()));
        }
        if (report.rejectsFile() != null) {
            out.append("rejected records are in ").append(report.rejectsFile()).append('\n');
        }
        out.append(summary(report));
        return out.toString();
    }

    private static String summary(LoadReport report) {
        String balance =
                report.imbalance() < 0
                        ? ""
                        : String.format(Locale.ROOT, ", imbalance %.3f", report.imbalance());
        String bytes =
                String.format(
                        Locale.ROOT,
                        "%d bytes read, %d sent, %d stored; CPU %.2f s loader, %.2f s servers; %d"
                                + " regions%s%n",
                        report.bytesRead(),
                        report.bytesSent(),
                        report.bytesStored(),
                        report.cpuSecondsLoader(),
                        report.cpuSecondsServer(),
                        report.regions(),
                        balance);
        return bytes
                + String.format(
                        Locale.ROOT,
                        "%s %d rows %s %s%s in %.2f s (%.1f MB/s)%s%n",
                        report.dryRun() ? "Would load" : "Loaded",
                        report.rowsLoaded(),
                        "into",
                        report.table(),
                        report.rowsRejected() == 0
                                ? ""
                                : ", rejected " + report.rowsRejected() + " records,",
                        report.seconds(),
                        report.mbPerSecond(),
                        report.dryRun() ? "" : ", visible at epoch " + report.epoch());
    }
}
