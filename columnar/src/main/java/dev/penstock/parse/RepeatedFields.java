package dev.penstock.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fields whose text is the same in one record after the other, as those of the invoice in a file of
 * invoice lines are. They are found among some records; from then on, one comparison of the text of
 * all of them tells whether a record repeats the one before.
 *
 * <p>Phases: {@link #look} at some rows, which may find none; {@link #spans} of the rows of a
 * window, any number of times; and again. One per thread; keeps no text.
 */
public final class RepeatedFields {
    /** Pairs of records that are looked at: a bit each. */
    private static final int MOST_PAIRS = 64;

    private static final int LEAST_PAIRS = 15;

    /** Fields that follow each other are compared at once; fewer are not worth it. */
    private static final int LEAST_FIELDS_IN_RANGE = 3;

    /** Fields that must repeat on average for all of this to pay. */
    private static final int LEAST_REPEATED_FIELDS = 8;

    private final RowIndex index;
    private final boolean[] eligible;
    private final List<Integer> fields = new ArrayList<>();

    // Ranges of the fields: first one, and the one behind the last.
    private int[] ranges = new int[16];
    private int rangeCount;

    /**
     * @param eligible by field, whether it may be one of the fields; the first and the last are not
     */
    public RepeatedFields(RowIndex index, boolean[] eligible) {
        this.index = index;
        this.eligible = eligible.clone();
        this.eligible[0] = false;
        this.eligible[eligible.length - 1] = false;
    }

    /** Whether a record has enough fields for some to be found. */
    public static boolean mayPay(int fieldCount) {
        return fieldCount > 2 * LEAST_REPEATED_FIELDS;
    }

    /** The fields that were found, in ascending order; empty if none were. */
    public List<Integer> fields() {
        return List.copyOf(fields);
    }

    /** Looks for fields that repeat among the rows that the index has. */
    public void look(byte[] text, int firstRow, int count) {
        fields.clear();
        rangeCount = 0;
        int pairs = Math.min(MOST_PAIRS, count - 1);
        if (pairs < LEAST_PAIRS) {
            return;
        }
        long[] same = new long[eligible.length];
        for (int field = 0; field < same.length; field++) {
            same[field] = eligible[field] ? samePairs(text, firstRow, pairs, field) : 0;
        }
        long best = bestPairs(same, pairs);
        for (int field = 0; best != 0 && field < same.length; ) {
            int end = field;
            while (end < same.length && (same[end] & best) == best) {
                end++;
            }
            if (end - field >= LEAST_FIELDS_IN_RANGE) {
                addRange(field, end);
            }
            field = end + 1;
        }
        if (fields.size() * Long.bitCount(best) < LEAST_REPEATED_FIELDS * pairs) {
            fields.clear();
            rangeCount = 0;
        }
    }

    private void addRange(int first, int end) {
        if (2 * rangeCount == ranges.length) {
            ranges = Arrays.copyOf(ranges, 2 * ranges.length);
        }
        ranges[2 * rangeCount] = first;
        ranges[2 * rangeCount + 1] = end;
        rangeCount++;
        for (int field = first; field < end; field++) {
            fields.add(field);
        }
    }

    /** Of each pair of rows that follow each other a bit, 1 = the field has the same text. */
    private long samePairs(byte[] text, int firstRow, int pairs, int field) {
        long bits = 0;
        for (int pair = 0; pair < pairs; pair++) {
            if (repeats(text, firstRow + pair + 1, field, field + 1)) {
                bits |= 1L << pair;
            }
        }
        return bits;
    }

    /**
     * The pairs in which the most text repeats: those in which one field does, chosen so that their
     * number times that of the fields which repeat in all of them is largest. At least every other.
     */
    private static long bestPairs(long[] same, int pairs) {
        long best = 0;
        int most = 0;
        for (long chosen : same) {
            int repeated = Long.bitCount(chosen);
            if (2 * repeated >= pairs && chosen != best) {
                int alike = 0;
                for (long other : same) {
                    alike += (other & chosen) == chosen ? 1 : 0;
                }
                if (alike * repeated > most) {
                    most = alike * repeated;
                    best = chosen;
                }
            }
        }
        return best;
    }

    /**
     * Finds the spans of rows, in each of which the text of the fields is the same.
     *
     * @param starts gets the first row of each, counted from {@code firstRow}
     * @return how many there are
     */
    public int spans(byte[] text, int firstRow, int count, int[] starts) {
        starts[0] = 0;
        int spans = 1;
        for (int i = 1; i < count; i++) {
            boolean same = true;
            for (int range = 0; range < rangeCount && same; range++) {
                same = repeats(text, firstRow + i, ranges[2 * range], ranges[2 * range + 1]);
            }
            if (!same) {
                starts[spans++] = i;
            }
        }
        return spans;
    }

    /** Whether the fields [field, end) of a row have the text of those of the row before. */
    private boolean repeats(byte[] text, int row, int field, int end) {
        int[] positions = index.positions();
        int stride = index.stride();
        int at = row * stride;
        int before = at - stride;
        return Arrays.equals(
                text,
                positions[before + field] + 1,
                positions[before + end],
                text,
                positions[at + field] + 1,
                positions[at + end]);
    }
}
