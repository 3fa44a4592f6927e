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

    /** So few that what follows the bar has room in 80 columns. */
    private static final int BAR_CHARACTERS = 10;

    /** Times left are seconds up to so many, then minutes up to so many. */
    private static final long MAX_COUNTED = 99;

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

    /** What matters most comes first, as a narrow terminal shows only the beginning. */
    static String line(LoadProgress progress, boolean withBar) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%-8s", progress.phase().word()));
        addShare(text, progress, withBar);
        boolean merging = progress.phase() == LoadPhase.MERGE;
        if (merging) {
            text.append("  ").append(progress.regionsDone()).append(" of ");
            text.append(Counted.of(progress.regionsTotal(), "region"));
        } else if (progress.phase() == LoadPhase.LOAD && progress.etaSeconds() >= 0) {
            text.append("  ").append(time(Math.round(progress.etaSeconds()))).append(" left");
        }
        if (progress.rejects() > 0) {
            text.append("  ").append(Quantities.count(progress.rejects())).append(" rejected");
        }
        if (progress.bytesPerSecond() > 0) {
            addRate(text, progress, merging);
        }
        return text.append("  ").append(Quantities.count(progress.rows(), "row")).toString();
    }

    private static void addShare(StringBuilder text, LoadProgress progress, boolean withBar) {
        double share = share(progress);
        if (share < 0) {
            text.append(Quantities.bytes(progress.bytesDone()));
            return;
        }
        if (withBar) {
            int filled = (int) (share * BAR_CHARACTERS);
            text.append('[').append("=".repeat(filled));
            text.append(" ".repeat(BAR_CHARACTERS - filled)).append("] ");
        }
        text.append(String.format(Locale.ROOT, "%3d%%", (int) (100 * share)));
    }

    /** While regions are merged nothing is read, so there is no rate of now. */
    private static void addRate(StringBuilder text, LoadProgress progress, boolean merging) {
        String mean = megabytes(progress.bytesPerSecond());
        if (merging) {
            text.append("  ").append(mean).append(" MB/s");
        } else {
            text.append("  ").append(megabytes(progress.bytesPerSecondNow()));
            text.append(" MB/s, mean ").append(mean);
        }
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

    private static String megabytes(double bytes) {
        return String.format(Locale.ROOT, "%.0f", bytes / 1e6);
    }

    private static String time(long seconds) {
        long minutes = (seconds + 30) / 60;
        if (seconds <= MAX_COUNTED) {
            return seconds + " s";
        }
        return minutes <= MAX_COUNTED
                ? minutes + " min"
                : String.format(Locale.ROOT, "%d:%02d h", minutes / 60, minutes % 60);
    }
}
