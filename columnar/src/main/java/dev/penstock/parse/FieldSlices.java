package dev.penstock.parse;

import dev.penstock.convert.FieldBounds;
import dev.penstock.dialect.Dialect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One field of many rows: where each value's bytes are, quotes taken off, and which are NULL.
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

    private final int[] bounds;
    private final FieldBounds fields = new FieldBounds();
    private final boolean[] nulls;
    private final boolean[] inQuotes;
    private byte[] scratch = new byte[0];
    private byte[] text = new byte[0];
    private boolean hasNulls;
    private boolean hasEmptyValues;

    public FieldSlices(Dialect dialect, int maxRows) {
        this.quote = dialect.quote();
        this.escape = dialect.escape();
        this.quoteIsNoDigit = "+-.0123456789".indexOf(quote) < 0;
        this.nullText = dialect.nullText().getBytes(StandardCharsets.UTF_8);
        this.walker = new RecordWalker(dialect, Integer.MAX_VALUE);
        this.bounds = new int[2 * maxRows];
        this.nulls = new boolean[maxRows];
        this.inQuotes = new boolean[maxRows];
    }

    /**
     * The field as {@link RowIndex} knows it, if nothing has to be cut off and NULL is the empty
     * text: then {@link #fields} is set, and whether some are NULL is not known. Numbers and dates,
     * which take no quote for a part of a value, may come with quotes.
     */
    public boolean takePlain(
            byte[] source,
            RowIndex index,
            int firstRow,
            int count,
            int field,
            boolean last,
            boolean number) {
        if ((index.quoted() && !(number && quoteIsNoDigit))
                || nullText.length > 0
                || (last && index.mayEndWithReturn())
                || (field == 0 && index.mayStartWithFeed())) {
            return false;
        }
        int stride = index.stride();
        fields.set(source, index.positions(), firstRow * stride + field, stride, count);
        return true;
    }

    /** Finds field {@code field} of {@code count} rows from {@code firstRow} on. */
    public void take(
            byte[] source, RowIndex index, int firstRow, int count, int field, boolean last) {
        text = source;
        int stride = index.stride();
        int base = firstRow * stride + field;
        int lengthBits =
                field == 0 && index.mayStartWithFeed()
                        ? sliceFirst(index, firstRow, count)
                        : slice(index.positions(), base, stride, count);
        if (last && index.mayEndWithReturn()) {
            lengthBits = cutReturns(source, count);
        }
        if (index.quoted()) {
            lengthBits = cutQuotes(source, count);
            if (index.escaped() && hasEscapes(source, count)) {
                unescapeAll(source, count);
            }
        }
        hasNulls = false;
        hasEmptyValues = false;
        if (lengthBits < 0 || nullText.length > 0) {
            findNulls(count, index.quoted());
        }
        fields.set(text, bounds, 0, 2, count);
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
        return bounds[2 * i] + 1;
    }

    private int length(int i) {
        return bounds[2 * i + 1] - bounds[2 * i] - 1;
    }

    private void setSlice(int i, int start, int length) {
        bounds[2 * i] = start - 1;
        bounds[2 * i + 1] = start + length;
    }

    /** Answers a negative number if a slice is empty. */
    private int slice(int[] positions, int base, int stride, int count) {
        int bits = 0;
        int at = base;
        for (int i = 0; i < count; i++) {
            int before = positions[at];
            int end = positions[at + 1];
            bounds[2 * i] = before;
            bounds[2 * i + 1] = end;
            bits |= end - before - 2;
            at += stride;
        }
        return bits;
    }

    private int sliceFirst(RowIndex index, int firstRow, int count) {
        int[] positions = index.positions();
        int bits = 0;
        for (int i = 0; i < count; i++) {
            int start = index.rowStart(firstRow + i);
            int end = positions[(firstRow + i) * index.stride() + 1];
            setSlice(i, start, end - start);
            bits |= end - start - 1;
        }
        return bits;
    }

    private int cutReturns(byte[] source, int count) {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            int end = bounds[2 * i + 1];
            if (end - bounds[2 * i] > 1 && source[end - 1] == '\r') {
                end--;
                bounds[2 * i + 1] = end;
            }
            bits |= end - bounds[2 * i] - 2;
        }
        return bits;
    }

    private int cutQuotes(byte[] source, int count) {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            int before = bounds[2 * i];
            int end = bounds[2 * i + 1];
            int quotes = source[before + 1] == quote && end - before > 1 ? 1 : 0;
            inQuotes[i] = quotes != 0;
            bounds[2 * i] = before + quotes;
            bounds[2 * i + 1] = end - quotes;
            bits |= end - before - 2 - 2 * quotes;
        }
        return bits;
    }

    private boolean hasEscapes(byte[] source, int count) {
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

    private void unescapeAll(byte[] source, int count) {
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

    private void findNulls(int count, boolean quoted) {
        for (int i = 0; i < count; i++) {
            int start = start(i);
            boolean isNull =
                    length(i) == nullText.length
                            && !(quoted && inQuotes[i])
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
