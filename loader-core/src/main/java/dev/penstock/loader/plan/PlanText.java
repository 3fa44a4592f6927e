package dev.penstock.loader.plan;

import dev.penstock.error.Counted;
import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.file.Compression;

import java.util.List;
import java.util.Locale;

/** A plan as text for a reader. */
public final class PlanText {
    private static final int MAX_SPLIT_POINTS = 32;

    private PlanText() {}

    public static String of(LoadPlan plan) {
        StringBuilder out = new StringBuilder();
        line(out, "table", plan.table());
        for (LoadPlan.Input input : plan.inputs()) {
            line(out, "input", input(input));
        }
        line(out, "dialect", dialect(plan.dialect()));
        line(out, "fields", String.join(", ", fields(plan.fields())));
        out.append("columns\n");
        for (LoadPlan.PlannedColumn column : plan.columns()) {
            out.append("  ").append(column(column)).append('\n');
        }
        line(
                out,
                "chunks",
                (plan.chunkCount() < 0 ? "as read" : Long.toString(plan.chunkCount()))
                        + " of "
                        + Counted.of(plan.chunkBytes(), "byte"));
        line(
                out,
                "work",
                Counted.of(plan.threads(), "thread")
                        + ", "
                        + (plan.workers() == 0
                                ? "no worker processes"
                                : Counted.of(plan.workers(), "worker process"))
                        + ", offload "
                        + plan.offload()
                        + ", fragments travel "
                        + plan.cut()
                        + ", chunks for "
                        + Counted.of(plan.memoryBytes(), "byte")
                        + " of memory, kernels "
                        + plan.kernel());
        line(out, "space", space(plan));
        line(out, "regions", plan.regions() + " on " + Counted.of(plan.servers(), "server"));
        splitPoints(out, plan.splitPoints());
        line(out, "balance", balance(plan.balance()));
        for (String note : plan.notes()) {
            line(out, "note", note);
        }
        return out.toString();
    }

    private static String input(LoadPlan.Input input) {
        String size = input.bytes() < 0 ? "size unknown" : Counted.of(input.bytes(), "byte");
        boolean plain = input.compression().equals(Compression.NONE.word());
        return input.name() + " (" + size + (plain ? "" : ", " + input.compression()) + ")";
    }

    private static String space(LoadPlan plan) {
        return plan.storedBytesEstimate() < 0
                ? "unknown"
                : "about " + Counted.of(plan.storedBytesEstimate(), "byte") + " stored";
    }

    private static String dialect(LoadPlan.DialectChoice dialect) {
        StringBuilder text = new StringBuilder("delimiter ").append(dialect.delimiter());
        text.append(dialect.quote().isEmpty() ? ", no quotes" : ", quote " + dialect.quote());
        text.append(dialect.escape().isEmpty() ? "" : ", escape " + dialect.escape());
        text.append(dialect.comment().isEmpty() ? "" : ", comment " + dialect.comment());
        text.append(dialect.header() ? ", header" : ", no header");
        text.append(dialect.trailingDelimiter() ? ", trailing delimiter" : "");
        text.append(", NULL is '").append(dialect.nullText()).append('\'');
        return text.append(" (").append(dialect.because()).append(')').toString();
    }

    private static List<String> fields(List<String> fields) {
        return fields.stream().map(name -> name.isEmpty() ? "(skipped)" : name).toList();
    }

    private static String column(LoadPlan.PlannedColumn column) {
        String text = column.name() + " " + column.type() + (column.nullable() ? "" : " NOT NULL");
        text += column.key() ? " key" : "";
        if (column.nullShare() < 0) {
            return text;
        }
        return text
                + String.format(
                        Locale.ROOT,
                        " — %.1f %% NULL, %.1f bytes, about %d distinct in the sample",
                        100 * column.nullShare(),
                        column.meanWidth(),
                        column.distinctEstimate());
    }

    private static void splitPoints(StringBuilder out, List<String> points) {
        for (int i = 0; i < Math.min(points.size(), MAX_SPLIT_POINTS); i++) {
            out.append("  split at ").append(points.get(i)).append('\n');
        }
        if (points.size() > MAX_SPLIT_POINTS) {
            out.append("  and ").append(points.size() - MAX_SPLIT_POINTS).append(" more\n");
        }
    }

    private static String balance(LoadPlan.Balance balance) {
        if (balance.predictedImbalance() < 0) {
            return "not predicted";
        }
        return String.format(
                Locale.ROOT,
                "largest region %.3f of the mean predicted, at most %.3f (99 %%), from %s",
                balance.predictedImbalance(),
                balance.imbalanceBound(),
                Counted.of(balance.sampledRows(), "row"));
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append(String.format(Locale.ROOT, "%-8s %s%n", name, value));
    }
}
