package dev.penstock.loader.report;

import dev.penstock.error.Counted;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadReport.ColumnReport;
import dev.penstock.loader.LoadReport.ServerReport;
import dev.penstock.loader.LoadReport.StepReport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A load's report for a reader: details first, the sentence that matters last. */
public final class ReportText {
    private static final String INDENT = "  ";

    private static final String NOT_COMPARED =
            "note       The input could not be compared with that of the first load: standard input"
                    + " and pipes are read only once, to be loaded.";

    private ReportText() {}

    public static List<String> of(LoadReport report) {
        if (report.loadedBefore()) {
            return report.comparedWithFirst()
                    ? List.of(outcome(report))
                    : List.of(NOT_COMPARED, outcome(report));
        }
        List<String> lines = new ArrayList<>();
        columns(report, lines);
        steps(report, lines);
        if (report.servers().size() > 1) {
            servers(report, lines);
        }
        lines.add("phases     " + phases(report));
        lines.add("bytes      " + bytes(report));
        lines.add("work       " + work(report));
        lines.add("bottleneck " + bottleneck(report));
        lines.add("balance    " + balance(report));
        if (report.rowsRejected() > 0) {
            lines.add("rejected   " + rejects(report));
        }
        if (report.rowsDuplicate() > 0) {
            lines.add("duplicates " + Quantities.count(report.rowsDuplicate()));
        }
        if (report.rowsReplaced() > 0) {
            lines.add("replaced   " + Quantities.count(report.rowsReplaced()));
        }
        LoadReport.VerifiedReport verified = report.verified();
        if (verified != null) {
            lines.add("verified   " + verified(verified));
        }
        lines.add(outcome(report));
        return lines;
    }

    private static void columns(LoadReport report, List<String> lines) {
        TextTable table =
                new TextTable(
                        "llrlrr",
                        "column",
                        "encoded by",
                        "share",
                        "stored as",
                        "distinct",
                        "bytes");
        for (ColumnReport column : report.columns()) {
            table.row(
                    column.name(),
                    column.offload(),
                    column.loaderShare() < 0 ? "-" : Quantities.percent(column.loaderShare()),
                    column.encoding(),
                    column.distinct() < 0 ? "-" : Quantities.count(column.distinct()),
                    Quantities.bytes(column.bytes()));
        }
        lines.addAll(table.lines(INDENT));
        lines.add("");
    }

    /** One line a step, both sites side by side. */
    private static void steps(LoadReport report, List<String> lines) {
        Map<String, StepReport[]> byStep = new LinkedHashMap<>();
        StepReport[] total = {total(report, true), total(report, false)};
        for (StepReport step : report.steps()) {
            StepReport[] sites = byStep.computeIfAbsent(step.step(), name -> new StepReport[2]);
            sites[isLoader(step) ? 0 : 1] = step;
        }
        byStep.put("in all", total);
        TextTable table =
                new TextTable("lrrrr", "CPU time", "loader", "ns/row", "servers", "ns/row");
        byStep.forEach((name, sites) -> {
            String[] cells = {name, "-", "-", "-", "-"};
            for (int site = 0; site < 2; site++) {
                StepReport step = sites[site];
                if (step != null && step.cpuSeconds() > 0) {
                    cells[1 + 2 * site] = Quantities.decimal(step.cpuSeconds(), 2) + " s";
                    cells[2 + 2 * site] = Quantities.decimal(step.nanosPerRow(), 1);
                }
            }
            table.row(cells);
        });
        lines.addAll(table.lines(INDENT));
        lines.add("");
    }

    private static boolean isLoader(StepReport step) {
        return step.site().toLowerCase(Locale.ROOT).startsWith("loader");
    }

    private static StepReport total(LoadReport report, boolean loader) {
        double seconds = 0;
        double nanos = 0;
        for (StepReport step : report.steps()) {
            if (isLoader(step) == loader) {
                seconds += step.cpuSeconds();
                nanos += step.nanosPerRow();
            }
        }
        return new StepReport(loader ? "loader" : "server", "all steps", seconds, nanos);
    }

    private static void servers(LoadReport report, List<String> lines) {
        TextTable table = new TextTable("lrrrr", "server", "regions", "rows", "share", "bytes");
        for (ServerReport server : report.servers()) {
            table.row(
                    server.server(),
                    Quantities.count(server.regions()),
                    Quantities.count(server.rows()),
                    Quantities.percent((double) server.rows() / Math.max(1, report.rowsLoaded())),
                    Quantities.bytes(server.bytesStored()));
        }
        lines.addAll(table.lines(INDENT));
        lines.add("");
    }

    private static String phases(LoadReport report) {
        return report.phaseSeconds().entrySet().stream()
                .map(phase -> phase.getKey() + " " + Quantities.seconds(phase.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String bytes(LoadReport report) {
        String input =
                report.bytesInput() > 0 && report.bytesInput() < report.bytesRead()
                        ? " (" + Quantities.bytes(report.bytesInput()) + " compressed)"
                        : "";
        return Quantities.bytes(report.bytesRead())
                + " read"
                + input
                + ", "
                + Quantities.bytes(report.bytesSent())
                + " sent"
                + ratio(report.bytesRead(), report.bytesSent())
                + ", "
                + Quantities.bytes(report.bytesStored())
                + " stored"
                + ratio(report.bytesRead(), report.bytesStored());
    }

    private static String ratio(long read, long other) {
        return other <= 0 || read <= 0
                ? ""
                : " (1/" + Quantities.decimal((double) read / other, 2) + ")";
    }

    private static String work(LoadReport report) {
        return Counted.of(report.threads(), "thread")
                + (report.workers() == 0
                        ? ""
                        : ", " + Counted.of(report.workers(), "worker process"))
                + ", "
                + Quantities.count(report.chunks(), "chunk")
                + (report.textChunks() == 0
                        ? ""
                        : " (" + Quantities.count(report.textChunks()) + " as text)")
                + ", offload "
                + report.policy()
                + ", fragments "
                + report.cut()
                + ", kernels "
                + report.kernel()
                + ", CPU "
                + Quantities.seconds(report.cpuSecondsLoader())
                + " loader + "
                + Quantities.seconds(report.cpuSecondsServer())
                + " servers";
    }

    private static String bottleneck(LoadReport report) {
        LoadReport.BottleneckReport bottleneck = report.bottleneck();
        return bottleneck.name().replace("region_server", "servers'")
                + ", "
                + Quantities.decimal(bottleneck.coresBusy(), 1)
                + " cores busy; largest step "
                + Quantities.percent(bottleneck.cpuShare())
                + " of the CPU time, "
                + Quantities.decimal(bottleneck.nanosPerRow(), 0)
                + " ns/row";
    }

    private static String balance(LoadReport report) {
        StringBuilder text = new StringBuilder();
        text.append(Counted.of(report.regions(), "region"));
        if (report.imbalance() > 0) {
            text.append(", the largest has ").append(Quantities.decimal(report.imbalance(), 3));
            text.append(" times the mean rows");
        }
        if (report.predictedImbalance() > 0) {
            text.append(" (predicted ");
            text.append(Quantities.decimal(report.predictedImbalance(), 3));
            if (report.imbalanceBound() > 0) {
                text.append(", at most ").append(Quantities.decimal(report.imbalanceBound(), 3));
            }
            text.append(')');
        }
        return text.toString();
    }

    private static String verified(LoadReport.VerifiedReport verified) {
        if (verified.how().equals("off")) {
            return "nothing";
        }
        String rows = Quantities.count(verified.rows(), "row") + " arrived";
        if (verified.checksums() == 0) {
            return rows + ", counted";
        }
        return rows
                + ", "
                + Quantities.count(verified.checksums(), "checksum")
                + " of "
                + Counted.of(verified.columns(), "column")
                + Counted.verb(verified.checksums(), " is that", " are those")
                + " of the parsed rows"
                + (verified.how().equals("full") ? ", and of the files read back" : "");
    }

    private static String rejects(LoadReport report) {
        String reasons =
                report.rejectsByReason().entrySet().stream()
                        .map(reason -> Quantities.count(reason.getValue()) + " " + reason.getKey())
                        .collect(Collectors.joining(", "));
        String file = report.rejectsFile() == null ? "" : "; written to " + report.rejectsFile();
        return Quantities.count(report.rowsRejected(), "record") + ": " + reasons + file;
    }

    private static String outcome(LoadReport report) {
        if (report.loadedBefore()) {
            return "Nothing to do: '"
                    + report.label()
                    + "' was loaded into "
                    + report.table()
                    + " before, "
                    + Quantities.count(report.rowsLoaded(), "row")
                    + ", visible at epoch "
                    + report.epoch()
                    + ".";
        }
        return (report.dryRun() ? "Would load " : "Loaded ")
                + Quantities.count(report.rowsLoaded(), "row")
                + " into "
                + report.table()
                + (report.label().isEmpty() ? "" : " as '" + report.label() + "'")
                + " in "
                + Quantities.seconds(report.seconds())
                + " ("
                + Quantities.decimal(report.mbPerSecond(), 0)
                + " MB/s of text)"
                + (report.dryRun()
                        ? ". Equal keys were not looked for."
                        : ", visible at epoch " + report.epoch() + ".");
    }
}
