package dev.penstock.cli.render;

import dev.penstock.bytes.Printable;
import dev.penstock.error.Counted;
import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadProgress;
import dev.penstock.loader.ProgressListener;
import dev.penstock.loader.report.Quantities;

import java.io.PrintStream;
import java.util.Locale;

/**
 * How a load goes on, for a person: on a terminal one line rewritten in place, elsewhere a line
 * every ten seconds; and what the user should know, on lines of its own. Told by one thread at a
 * time.
 */
public final class ProgressView implements ProgressListener {
    /** Between two lines in a log: often enough to see life, rarely enough to read. */
    private static final double LOG_SECONDS = 10;

    private static final int BAR_CHARACTERS = 24;
    private static final String CLEAR_LINE = "\r\u001b[K";

    // A line that is longer than the terminal is wide is cut at its edge: what went on in the next
    // row could not be taken back.
    private static final String NO_WRAP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";

    private final PrintStream out;
    private final boolean interactive;
    private double nextLogSeconds = LOG_SECONDS;
    private boolean drawn;

    public ProgressView(PrintStream out, boolean interactive) {
        this.out = out;
        this.interactive = interactive;
    }

    @Override
    public synchronized void progressed(LoadProgress progress) {
        if (interactive) {
            out.print(CLEAR_LINE + NO_WRAP + line(progress, true) + WRAP);
            out.flush();
            drawn = true;
        } else if (progress.seconds() >= nextLogSeconds) {
            out.println(line(progress, false));
            nextLogSeconds = progress.seconds() + LOG_SECONDS;
        }
    }

    @Override
    public synchronized void noted(String sentence) {
        clear();
        out.println("penstock: " + Printable.lines(sentence));
    }

    /** Takes the line off the terminal. */
    public synchronized void clear() {
        if (drawn) {
            out.print(CLEAR_LINE);
            out.flush();
            drawn = false;
        }
    }

    static String line(LoadProgress progress, boolean withBar) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%-8s", progress.phase().word()));
        double share = share(progress);
        if (share >= 0) {
            int filled = (int) (share * BAR_CHARACTERS);
            if (withBar) {
                text.append('[').append("=".repeat(filled));
                text.append(" ".repeat(BAR_CHARACTERS - filled)).append("] ");
            }
            text.append(String.format(Locale.ROOT, "%3d%%", (int) (100 * share)));
        } else {
            text.append(Quantities.bytes(progress.bytesDone()));
        }
        if (progress.phase() == LoadPhase.MERGE) {
            text.append("  ").append(progress.regionsDone()).append(" of ");
            text.append(Counted.of(progress.regionsTotal(), "region"));
        }
        if (progress.bytesPerSecond() > 0) {
            text.append("  ").append(rate(progress.bytesPerSecondNow())).append(" now, ");
            text.append(rate(progress.bytesPerSecond())).append(" mean");
        }
        text.append("  ").append(Quantities.count(progress.rows(), "row"));
        if (progress.rejects() > 0) {
            text.append(", ").append(Quantities.count(progress.rejects())).append(" rejected");
        }
        if (progress.phase() == LoadPhase.LOAD && progress.etaSeconds() >= 0) {
            text.append("  ").append(Math.round(progress.etaSeconds())).append(" s left");
        }
        return text.toString();
    }

    /** How much of the phase is done, or -1 if unknown. */
    private static double share(LoadProgress progress) {
        if (progress.phase() == LoadPhase.MERGE) {
            return (double) progress.regionsDone() / Math.max(1, progress.regionsTotal());
        }
        return progress.bytesTotal() <= 0
                ? -1
                : Math.clamp((double) progress.bytesDone() / progress.bytesTotal(), 0, 1);
    }

    private static String rate(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%.0f MB/s", bytesPerSecond / 1e6);
    }
}
