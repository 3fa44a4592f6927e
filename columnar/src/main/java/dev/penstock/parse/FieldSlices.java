package dev.penstock.parse;

import dev.penstock.convert.FieldBounds;
import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.IntRange;
import dev.penstock.kernel.ScanKernels;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of many rows, one after the other: where each value's bytes are, quotes taken off, and
 * which are NULL.
 *
 * <p>Values usually lie in the text itself. If values of the column may hold doubled or escaped
 * bytes, all of them are copied to scratch memory first. A NULL has length 0. One per thread; valid
 * until the next {@link #take}.
 */
public final class FieldSlices {
    /** Bytes readable after the start of each value: the text must have as many after its end. */
    public static final int READ_AHEAD = FieldBounds.READ_AHEAD;

    /** As many as are copied at once, and those that were before. */
    private static final int COLUMNS = 2 * ScanKernels.COLUMNS;

    /** They are the bounds of no field any more. */
    private static final int CHANGED = -1;

    /** They are among the columns. */
    private static final int SHARED = -2;

    private final int quote;
    private final byte[] nullText;
    private final RecordWalker walker;
    private final RowIndex index;

    private final FieldBounds fields = new FieldBounds();
    private final long[] nulls;
    private final int[] isEmpty;
    private final byte[] flags;
    private final boolean[] inQuotes;
    private byte[] scratch = new byte[0];
    private byte[] text = new byte[0];
    private boolean hasNulls;
    private boolean allNull;
    private boolean hasEmptyValues;

    // Value i lies between before[i] and end[i]: these are two of the columns, or the own ones.
    private int[] before;
    private int[] end;
    private final int[] ownBefore;
    private final int[] ownEnd;

    /** The field that end lies before, or {@link #CHANGED} or {@link #SHARED}. */
    private int endOf = CHANGED;

    private byte[] source = new byte[0];
    private int firstRow;
    private int count;

    /** Where the positions of each row begin, of rows that do not follow each other. */
    private final int[] places;

    private boolean chosen;

    /** Whether columns are copied some at a time, or the two of a field where it is taken. */
    private boolean sharing;

    /**
     * Positions of some columns, each at its number modulo how many there are. They have more room
     * than rows so that they do not all begin at the same place of a page, and want the same lines
     * of the cache.
     */
    private final int[][] columns;

    /** The numbers of these columns. */
    private final int[] held = new int[COLUMNS];

    public FieldSlices(Dialect dialect, RowIndex index, int maxRows) {
        this.index = index;
        this.quote = dialect.quote();
        this.nullText = dialect.nullText().getBytes(StandardCharsets.UTF_8);
        this.walker = new RecordWalker(dialect, Integer.MAX_VALUE);
        this.ownBefore = new int[maxRows];
        this.ownEnd = new int[maxRows];
        this.before = ownBefore;
        this.end = ownEnd;
        this.nulls = new long[(maxRows + 63) >> 6];
        this.isEmpty = new int[maxRows];
        this.flags = new byte[64 * nulls.length];
        this.inQuotes = new boolean[maxRows];
        this.places = new int[maxRows];
        this.columns = new int[COLUMNS][maxRows + (maxRows >> 2)];
    }

    /** Begins with the fields of {@code newCount} rows from {@code newFirstRow} on. */
    public void begin(byte[] newSource, int newFirstRow, int newCount) {
        source = newSource;
        firstRow = newFirstRow;
        chosen = false;
        setCount(newCount, ScanKernels.copiesColumns());
        fields.begin(
                source,
                index.rowStart(firstRow),
                index.rowEnd(firstRow + count - 1),
                index.isAscii());
    }

    /**
     * Goes on with some of the rows only, of which neither the first nor the last field is taken.
     *
     * @param rows counted from the first row that there was
     */
    public void choose(int[] rows, int newCount) {
        int stride = index.stride();
        for (int i = 0; i < newCount; i++) {
            places[i] = (firstRow + rows[i]) * stride;
        }
        chosen = true;
        setCount(newCount, false);
    }

    private void setCount(int newCount, boolean shares) {
        count = newCount;
        sharing = shares;
        before = ownBefore;
        end = ownEnd;
        endOf = CHANGED;
        Arrays.fill(held, -1);
    }

    /** Finds a field of the rows. */
    public void take(int field, boolean last) {
        text = source;
        slice(field);
        if (field == 0 && index.mayStartWithFeed()) {
            skipFeeds();
        }
        if (last && index.mayEndWithReturn()) {
            cutReturns();
        }
        boolean quoted = index.quoted(field);
        if (quoted) {
            if (cutQuotes() && index.escaped(field)) {
                unescapeAll();
            }
        }
        hasEmptyValues = false;
        allNull = false;
        if (nullText.length > 0) {
            findNulls(quoted);
        }
        long lengths = CopyKernels.lengths(before, end, count);
        if (nullText.length == 0) {
            hasNulls = IntRange.low(lengths) == 0;
            allNull = IntRange.high(lengths) == 0 && !quoted;
            if (hasNulls && !allNull) {
                ScanKernels.empties(before, end, count, isEmpty, flags, nulls);
                if (quoted) {
                    leaveQuotedEmpty();
                }
            }
        }
        fields.set(text, before, end, count, lengths);
    }

    /** Where the values are. */
    public FieldBounds fields() {
        return fields;
    }

    public boolean hasNulls() {
        return hasNulls;
    }

    /** Whether all values are known to be NULL; then they have no bits of their own. */
    public boolean areAllNull() {
        return allNull;
    }

    /** Whether the value of a row is NULL. */
    public boolean isNull(int row) {
        return allNull || hasNulls && (nulls[row >> 6] >>> row & 1) != 0;
    }

    /** A bit for each row, 1 = NULL; meaningful only if some {@link #hasNulls}, but not all. */
    public long[] nulls() {
        return nulls;
    }

    /** Whether there are values of length 0 that are not NULL. */
    public boolean hasEmptyValues() {
        return hasEmptyValues;
    }

    private int start(int i) {
        return before[i] + 1;
    }

    private int length(int i) {
        return end[i] - before[i] - 1;
    }

    private void setSlice(int i, int start, int length) {
        before[i] = start - 1;
        end[i] = start + length;
    }

    /** The ends of one field are what lies before the next one. */
    private void slice(int field) {
        if (sharing) {
            before = column(field);
            end = column(field + 1);
            endOf = SHARED;
            return;
        }
        if (chosen) {
            sliceChosen(field);
            return;
        }
        int[] positions = index.positions();
        int stride = index.stride();
        int first = firstRow * stride + field;
        if (endOf == field) {
            int[] free = before;
            before = end;
            end = free;
        } else {
            ScanKernels.column(positions, first, stride, count, before);
        }
        ScanKernels.column(positions, first + 1, stride, count, end);
        endOf = field + 1;
    }

    /** The same of chosen rows; one method for both was slower by a tenth of all parsing. */
    private void sliceChosen(int field) {
        int[] positions = index.positions();
        if (endOf == field) {
            int[] free = before;
            before = end;
            end = free;
        } else {
            ScanKernels.column(positions, field, places, count, before);
        }
        ScanKernels.column(positions, field + 1, places, count, end);
        endOf = field + 1;
    }

    private int[] column(int number) {
        int at = number & COLUMNS - 1;
        if (held[at] != number) {
            copyColumns(number, at);
        }
        return columns[at];
    }

    /**
     * Copies some columns, or one if few are left: all at once take as long as four by themselves.
     */
    private void copyColumns(int number, int at) {
        int[] positions = index.positions();
        int stride = index.stride();
        int first = firstRow * stride + number;
        if (stride - number < ScanKernels.COLUMNS >> 1) {
            ScanKernels.column(positions, first, stride, count, columns[at]);
            held[at] = number;
            return;
        }
        ScanKernels.columns(positions, first, stride, count, columns, number);
        for (int i = number; i < number + ScanKernels.COLUMNS; i++) {
            held[i & COLUMNS - 1] = i;
        }
    }

    /** To be called before bounds are changed: columns are those of other fields too. */
    private void copyBounds() {
        if (endOf == SHARED) {
            System.arraycopy(before, 0, ownBefore, 0, count);
            System.arraycopy(end, 0, ownEnd, 0, count);
            before = ownBefore;
            end = ownEnd;
        }
        endOf = CHANGED;
    }

    private void skipFeeds() {
        copyBounds();
        for (int i = 0; i < count; i++) {
            before[i] = index.rowStart(firstRow + i) - 1;
        }
    }

    private void cutReturns() {
        copyBounds();
        for (int i = 0; i < count; i++) {
            int to = end[i];
            if (to - before[i] > 1 && source[to - 1] == '\r') {
                end[i] = to - 1;
            }
        }
    }

    /** Takes quotes off; whether there were any. */
    private boolean cutQuotes() {
        copyBounds();
        int any = 0;
        for (int i = 0; i < count; i++) {
            int quotes = source[before[i] + 1] == quote && end[i] - before[i] > 1 ? 1 : 0;
            inQuotes[i] = quotes != 0;
            before[i] += quotes;
            end[i] -= quotes;
            any |= quotes;
        }
        return any != 0;
    }

    private void unescapeAll() {
        long total = READ_AHEAD;
        for (int i = 0; i < count; i++) {
            total += length(i);
        }
        if (total > scratch.length) {
            scratch = new byte[(int) Math.min(total + (total >> 1), Integer.MAX_VALUE - 64)];
        }
        int at = 0;
        for (int i = 0; i < count; i++) {
            int from = start(i);
            int to = from + length(i);
            int start = at;
            if (inQuotes[i]) {
                at = walker.unescape(source, from, to, scratch, at);
            } else {
                System.arraycopy(source, from, scratch, at, to - from);
                at += to - from;
            }
            setSlice(i, start, at - start);
        }
        text = scratch;
    }

    /** Empty values between quotes are no NULLs. */
    private void leaveQuotedEmpty() {
        long left = 0;
        for (int word = 0; word << 6 < count; word++) {
            for (long rest = nulls[word]; rest != 0; rest &= rest - 1) {
                int bit = Long.numberOfTrailingZeros(rest);
                if (inQuotes[(word << 6) + bit]) {
                    nulls[word] ^= 1L << bit;
                    hasEmptyValues = true;
                }
            }
            left |= nulls[word];
        }
        hasNulls = left != 0;
    }

    private void findNulls(boolean quoted) {
        copyBounds();
        hasNulls = false;
        Arrays.fill(nulls, 0, (count + 63) >> 6, 0);
        for (int i = 0; i < count; i++) {
            int start = start(i);
            int to = start + length(i);
            boolean isNull =
                    !(quoted && inQuotes[i])
                            && Arrays.equals(text, start, to, nullText, 0, nullText.length);
            if (isNull) {
                hasNulls = true;
                nulls[i >> 6] |= 1L << i;
                setSlice(i, start, 0);
            } else {
                hasEmptyValues |= length(i) == 0;
            }
        }
    }
}
