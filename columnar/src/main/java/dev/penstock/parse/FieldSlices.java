package dev.penstock.parse;

import dev.penstock.convert.FieldBounds;
import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of many rows, one after the other: where each value's bytes are, quotes taken off, and
 * which are NULL.
 *
 * <p>Values usually lie in the text itself. If a value of the column holds doubled or escaped
 * bytes, all of them are copied to scratch memory first. A NULL has length 0. One per thread; valid
 * until the next {@link #take}.
 */
public final class FieldSlices {
    /** Bytes readable after the start of each value: the text must have as many after its end. */
    public static final int READ_AHEAD = FieldBounds.READ_AHEAD;

    private final int quote;
    private final int escape;
    private final boolean quoteIsNoDigit;
    private final byte[] nullText;
    private final RecordWalker walker;
    private final RowIndex index;

    private final FieldBounds fields = new FieldBounds();
    private final boolean[] nulls;
    private final boolean[] inQuotes;
    private byte[] scratch = new byte[0];
    private byte[] text = new byte[0];
    private boolean hasNulls;
    private boolean hasEmptyValues;

    // Value i lies between before[i] and end[i].
    private int[] before;
    private int[] end;

    // The rows to take fields of, and the field that end lies before; -1 if none.
    private byte[] source = new byte[0];
    private int firstRow;
    private int count;
    private int endOf = -1;

    public FieldSlices(Dialect dialect, RowIndex index, int maxRows) {
        this.index = index;
        this.quote = dialect.quote();
        this.escape = dialect.escape();
        this.quoteIsNoDigit = "+-.0123456789".indexOf(quote) < 0;
        this.nullText = dialect.nullText().getBytes(StandardCharsets.UTF_8);
        this.walker = new RecordWalker(dialect, Integer.MAX_VALUE);
        this.before = new int[maxRows];
        this.end = new int[maxRows];
        this.nulls = new boolean[maxRows];
        this.inQuotes = new boolean[maxRows];
    }

    /** Begins with the fields of {@code newCount} rows from {@code newFirstRow} on. */
    public void begin(byte[] newSource, int newFirstRow, int newCount) {
        source = newSource;
        firstRow = newFirstRow;
        count = newCount;
        endOf = -1;
    }

    /**
     * The field as {@link RowIndex} knows it, if nothing has to be cut off and NULL is the empty
     * text: then {@link #fields} is set, and whether some are NULL is not known. Numbers and dates,
     * which take no quote for a part of a value, may come with quotes.
     */
    public boolean takePlain(int field, boolean last, boolean number) {
        if ((index.quoted() && !(number && quoteIsNoDigit))
                || nullText.length > 0
                || (last && index.mayEndWithReturn())
                || (field == 0 && index.mayStartWithFeed())) {
            return false;
        }
        slice(field);
        fields.set(source, before, end, count);
        return true;
    }

    /** Finds a field of the rows. */
    public void take(int field, boolean last) {
        text = source;
        slice(field);
        // From here on the positions are changed.
        endOf = -1;
        if (field == 0 && index.mayStartWithFeed()) {
            skipFeeds();
        }
        if (last && index.mayEndWithReturn()) {
            cutReturns();
        }
        if (index.quoted()) {
            cutQuotes();
            if (index.escaped() && hasEscapes()) {
                unescapeAll();
            }
        }
        hasNulls = false;
        hasEmptyValues = false;
        if (nullText.length > 0 || hasEmpty()) {
            findNulls();
        }
        fields.set(text, before, end, count);
    }

    /** Where the values are. */
    public FieldBounds fields() {
        return fields;
    }

    public boolean hasNulls() {
        return hasNulls;
    }

    /** Whether the value of a row is NULL; meaningful only if {@link #hasNulls}. */
    public boolean isNull(int row) {
        return nulls[row];
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

    private boolean hasEmpty() {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= end[i] - before[i] - 2;
        }
        return bits < 0;
    }

    private void skipFeeds() {
        for (int i = 0; i < count; i++) {
            before[i] = index.rowStart(firstRow + i) - 1;
        }
    }

    private void cutReturns() {
        for (int i = 0; i < count; i++) {
            int to = end[i];
            if (to - before[i] > 1 && source[to - 1] == '\r') {
                end[i] = to - 1;
            }
        }
    }

    private void cutQuotes() {
        for (int i = 0; i < count; i++) {
            int quotes = source[before[i] + 1] == quote && end[i] - before[i] > 1 ? 1 : 0;
            inQuotes[i] = quotes != 0;
            before[i] += quotes;
            end[i] -= quotes;
        }
    }

    private boolean hasEscapes() {
        for (int i = 0; i < count; i++) {
            int to = start(i) + length(i);
            for (int k = start(i); inQuotes[i] && k < to; k++) {
                if (source[k] == quote || (source[k] == escape && escape != Dialect.NONE)) {
                    return true;
                }
            }
        }
        return false;
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

    private void findNulls() {
        for (int i = 0; i < count; i++) {
            int start = start(i);
            boolean isNull =
                    length(i) == nullText.length
                            && !(index.quoted() && inQuotes[i])
                            && (nullText.length == 0
                                    || Arrays.equals(
                                            text,
                                            start,
                                            start + nullText.length,
                                            nullText,
                                            0,
                                            nullText.length));
            nulls[i] = isNull;
            hasNulls |= isNull;
            if (isNull) {
                setSlice(i, start, 0);
            } else {
                hasEmptyValues |= length(i) == 0;
            }
        }
    }
}
