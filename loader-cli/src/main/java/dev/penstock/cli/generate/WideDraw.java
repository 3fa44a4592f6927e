package dev.penstock.cli.generate;

/**
 * Where a value of the wide table comes from: the row it stands in, and random numbers that depend
 * on nothing but the seed, the column and the invoice or line. Owned by one thread.
 */
final class WideDraw {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    /** Lines of sixteen invoices that follow each other, again and again. */
    private static final int[] LINES = {1, 4, 2, 7, 3, 1, 9, 5, 2, 6, 1, 12, 3, 2, 4, 2};

    private static final int[] FIRST_LINE = firstLines();

    /** Rows after which {@link #LINES} begins again. */
    private static final int CYCLE_ROWS = FIRST_LINE[LINES.length];

    private final long seed;
    private long invoice;
    private long row;
    private int line;
    private int day;
    private long state;

    WideDraw(long seed) {
        this.seed = seed;
    }

    /** Goes to a row; rows count from 0. */
    void row(long number) {
        row = number;
        int within = (int) (number % CYCLE_ROWS);
        int ordinal = 0;
        while (FIRST_LINE[ordinal + 1] <= within) {
            ordinal++;
        }
        invoice = number / CYCLE_ROWS * LINES.length + ordinal;
        line = within - FIRST_LINE[ordinal] + 1;
        state = mix(seed + invoice);
        // 2019-01-01, and as the numbers grow, so do the dates.
        day = 17_897 + (int) (invoice / 200 % 2500) + (int) below(3);
    }

    /** Goes to a column of the row: one value per invoice, or one per line. */
    void column(int column, boolean ofInvoice) {
        long of = ofInvoice ? 2 * invoice : 2 * row + 1;
        state = mix(mix(seed ^ of * GAMMA) + column);
    }

    long invoice() {
        return invoice;
    }

    long row() {
        return row;
    }

    int line() {
        return line;
    }

    /** The invoice's day since 1970-01-01. */
    int day() {
        return day;
    }

    /** A number in {@code [0, bound)}. */
    long below(long bound) {
        state += GAMMA;
        return Math.floorMod(mix(state), bound);
    }

    /** A number in {@code [0, bound)}; low ones are more frequent, as with real codes. */
    int skewedBelow(int bound) {
        long first = below(bound);
        return (int) Math.min(first, below(bound));
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    private static int[] firstLines() {
        int[] first = new int[LINES.length + 1];
        for (int i = 0; i < LINES.length; i++) {
            first[i + 1] = first[i] + LINES[i];
        }
        return first;
    }
}
