package dev.penstock.bench.endtoend;

import dev.penstock.loader.report.Quantities;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A report as a bar chart in SVG: one horizontal bar of megabytes per second for each contender,
 * with a whisker from its slowest to its fastest run, and below it what the machine is.
 */
final class Chart {
    private static final int WIDTH = 960;
    private static final int LEFT = 210;
    private static final int RIGHT = 150;
    private static final int TOP = 84;
    private static final int ROW = 38;
    private static final int BAR = 22;
    private static final int WHISKER = 5;
    private static final int CAPTION_LINE = 18;
    private static final int CAPTION_LETTERS = 130;
    private static final String OURS = "#1f6f8b";
    private static final String PEER = "#b0b7bd";

    private final Report report;
    private final StringBuilder svg = new StringBuilder();
    private final double perMegabyte;

    private Chart(Report report) {
        this.report = report;
        double most = 1;
        for (Result result : report.results()) {
            most = Math.max(most, result.speedOf(result.min()));
        }
        perMegabyte = (WIDTH - LEFT - RIGHT) / most;
    }

    static String svg(Report report) {
        return new Chart(report).draw();
    }

    private String draw() {
        List<Result> results = report.results();
        List<String> captions = captions();
        int axis = TOP + ROW * results.size();
        int height = axis + 50 + CAPTION_LINE * captions.size();
        put(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0"
                                + " 0 %d %d' font-family='Helvetica, Arial, sans-serif'>",
                        WIDTH,
                        height,
                        WIDTH,
                        height));
        put("<rect width='100%' height='100%' fill='#ffffff'/>");
        text(24, 34, 20, "start", "#1b1f23", "Text loaded, MB per second");
        text(24, 58, 13, "start", "#57606a", report.title() + "; " + report.runsLine());
        grid(axis);
        for (int i = 0; i < results.size(); i++) {
            bar(results.get(i), TOP + ROW * i);
        }
        for (int i = 0; i < captions.size(); i++) {
            text(24, axis + 48 + CAPTION_LINE * i, 12, "start", "#57606a", captions.get(i));
        }
        put("</svg>");
        return svg.toString();
    }

    private void grid(int axis) {
        double most = (WIDTH - LEFT - RIGHT) / perMegabyte;
        double step = Math.pow(10, Math.floor(Math.log10(most)));
        step = most / step >= 5 ? step : most / step >= 2 ? step / 2 : step / 5;
        for (int i = 0; i * step <= most; i++) {
            double x = LEFT + i * step * perMegabyte;
            put(
                    String.format(
                            Locale.ROOT,
                            "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#e4e7eb'/>",
                            x,
                            TOP - 6,
                            x,
                            axis));
            text(x, axis + 18, 12, "middle", "#57606a", Quantities.decimal(i * step, 0));
        }
    }

    private void bar(Result result, int top) {
        double end = LEFT + result.speed() * perMegabyte;
        double low = LEFT + result.speedOf(result.max()) * perMegabyte;
        double high = LEFT + result.speedOf(result.min()) * perMegabyte;
        int middle = top + BAR / 2;
        text(LEFT - 10, middle + 5, 14, "end", "#1b1f23", result.name());
        put(
                String.format(
                        Locale.ROOT,
                        "<rect x='%d' y='%d' width='%.1f' height='%d' rx='2' fill='%s'/>",
                        LEFT,
                        top,
                        end - LEFT,
                        BAR,
                        result.name().startsWith("penstock") ? OURS : PEER));
        put(
                String.format(
                        Locale.ROOT,
                        "<path d='M%.1f %dH%.1fM%.1f %dV%dM%.1f %dV%d' stroke='#1b1f23'"
                                + " fill='none'/>",
                        low,
                        middle,
                        high,
                        low,
                        middle - WHISKER,
                        middle + WHISKER,
                        high,
                        middle - WHISKER,
                        middle + WHISKER));
        String figures =
                Quantities.decimal(result.speed(), 0)
                        + " MB/s · "
                        + Quantities.decimal(report.relative(result), 2)
                        + "×";
        text(Math.max(end, high) + 8, middle + 5, 13, "start", "#1b1f23", figures);
    }

    private List<String> captions() {
        List<String> lines = new ArrayList<>();
        wrap("Bars are medians, whiskers the slowest and the fastest run.", lines);
        List<String> versions =
                report.results().stream()
                        .map(result -> result.name() + " " + result.version())
                        .toList();
        wrap("Versions: " + String.join(", ", versions), lines);
        wrap(report.machineLine(), lines);
        wrap(report.diskLine(), lines);
        report.skipped().forEach((name, reason) -> wrap(name + " skipped: " + reason, lines));
        return lines;
    }

    private static void wrap(String text, List<String> lines) {
        StringBuilder line = new StringBuilder();
        for (String word : text.split("\\s+")) {
            if (line.length() > 0 && line.length() + word.length() >= CAPTION_LETTERS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
    }

    private void text(double x, int y, int size, String anchor, String color, String words) {
        put(
                String.format(
                        Locale.ROOT,
                        "<text x='%.1f' y='%d' font-size='%d' text-anchor='%s' fill='%s'>%s</text>",
                        x,
                        y,
                        size,
                        anchor,
                        color,
                        escape(words)));
    }

    /** Also drops what XML does not allow at all. */
    private static String escape(String words) {
        return words.replaceAll("[\\p{Cntrl}\\p{Cs}]", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }

    private void put(String element) {
        svg.append(element).append('\n');
    }
}
