package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;
import dev.penstock.reject.RejectReason;

import java.util.Arrays;

/**
 * Where the fields of each row are: goes over text window by window, each a number of whole
 * records.
 *
 * <p>A window is scanned by vector kernels, which list the positions of all delimiters and line
 * ends. If every record turns out to have the right number of fields (each stride-th position is a
 * line end and there are no others), that list is the index as it is. Otherwise the window is read
 * again record by record; comments and empty lines are left out, faulty records reported, and the
 * others laid out with one more position each, since they no longer follow each other.
 *
 * <p>Field f of row r then is {@code text[p[r * stride + f] + 1, p[r * stride + f + 1])} in both
 * layouts, but for the CR of a CRLF, which belongs to no field. One per thread; what it answers is
 * valid until the next {@link #next}.
 */
public final class RowIndex {
    /** Told of each record that is no row; positions are indexes into the text. */
    public interface FaultListener {
        /**
         * @param ordinal number of the record in the text
         * @param end end of the record, its line end not included
         * @param fieldIndex the field at fault, or -1
         * @param valueStart where the field at fault begins, if there is one
         */
        void fault(
                RejectReason reason,
                int ordinal,
                int start,
                int end,
                int fieldIndex,
                int valueStart,
                String expected);
    }

    /** A window must have rows enough to pay for one call a column, and stay in the cache. */
    private static final int MIN_WINDOW_BYTES = 1 << 15;

    private static final int WINDOW_BYTES_PER_FIELD = 1 << 11;
    private static final int MOST_USUAL_WINDOW_BYTES = 1 << 19;
    private static final int MAX_WINDOW_BYTES = 1 << 30;

    private static final QuotePlaces NO_PLACES = new QuotePlaces();

    private final byte delimiter;
    private final int comment;
    private final boolean anyNewline;
    private final boolean canQuote;
    private final boolean trailing;
    private final int fieldCount;
    private final int maxRecordBytes;
    private final int windowBytes;
    private final QuotedScan scan;
    private final RecordWalker walker;
    private final RecordCheck check;

    private int[] positions = new int[0];
    private int[] ordinals = new int[0];
    private final long[] scratch = new long[ScanKernels.SCRATCH_WORDS];
    private byte[] text = new byte[0];
    private int at;
    private int to;
    private boolean goesOn;
    private int recordCount;

    private int rowCount;
    private int stride;
    private int firstOrdinal;
    private boolean relaid;
    private boolean ascii;
    private final boolean[] quoted;
    private final boolean[] escaped;

    public RowIndex(Dialect dialect, int fieldCount, int maxRecordBytes) {
        this(dialect, fieldCount, maxRecordBytes, windowBytes(fieldCount));
    }

    private static int windowBytes(int fieldCount) {
        long wanted = (long) fieldCount * WINDOW_BYTES_PER_FIELD;
        return Math.clamp(wanted, MIN_WINDOW_BYTES, MOST_USUAL_WINDOW_BYTES);
    }

    RowIndex(Dialect dialect, int fieldCount, int maxRecordBytes, int windowBytes) {
        this.delimiter = dialect.delimiter();
        this.comment = dialect.comment() == Dialect.NONE ? RecordWalker.NO_BYTE : dialect.comment();
        this.anyNewline = dialect.newline() == Dialect.Newline.ANY;
        this.canQuote = dialect.quoted();
        this.trailing = dialect.trailingDelimiter();
        this.fieldCount = fieldCount;
        this.maxRecordBytes = maxRecordBytes;
        this.windowBytes = windowBytes;
        this.quoted = new boolean[fieldCount + 1];
        this.escaped = new boolean[fieldCount + 1];
        this.scan = new QuotedScan(dialect, trailing ? fieldCount + 1 : fieldCount, maxRecordBytes);
        this.walker = new RecordWalker(dialect, maxRecordBytes);
        this.check = new RecordCheck(dialect, fieldCount, maxRecordBytes);
    }

    /**
     * Begins with {@code source[from, end)}, whole records up to the end of input or of a chunk.
     */
    public void start(byte[] source, int from, int end) {
        begin();
        resume(source, from, end);
    }

    /** The same of a text whose quotes may be known. */
    public void start(byte[] source, int from, int end, QuotePlaces quotes) {
        start(source, from, end);
        scan.begin(quotes);
    }

    /** Records are counted from here on. */
    public void begin() {
        recordCount = 0;
    }

    /** Goes to text that follows what there was since {@link #begin}: records are counted on. */
    public void resume(byte[] source, int from, int end) {
        scan.begin(NO_PLACES);
        text = source;
        at = from;
        to = end;
        goesOn = false;
        rowCount = 0;
    }

    /**
     * The text goes on after its end, where a record may have begun: that one is left. Only for
     * dialects of which {@link Dialect#recordsAreLines} or {@link Dialect#quotesAloneHideLines}.
     */
    public void leaveRest() {
        goesOn = true;
    }

    /** Where the next window begins: after the last record, when there is none any more. */
    public int position() {
        return at;
    }

    /** Goes on to the next window; false at the end. A window may have no rows. */
    public boolean next(FaultListener faults) {
        if (at >= to) {
            return false;
        }
        // What is left is not cut for a small rest: each window and column has its fixed costs.
        int bytes = to - at <= windowBytes + (windowBytes >> 2) ? to - at : windowBytes;
        while (true) {
            int windowTo = (int) Math.min(to, (long) at + bytes);
            int end = index(windowTo, faults);
            if (end == at && windowTo < to) {
                bytes = Math.min(2 * bytes, MAX_WINDOW_BYTES);
                continue;
            }
            if (end == at && goesOn) {
                return false;
            }
            if (end == at) {
                // What is left ends without a line end, or has a quote that never closes.
                relay(to, faults);
                end = to;
            }
            at = end;
            return true;
        }
    }

    /** Reads all that is left record by record: what {@link #next} must agree with. */
    boolean nextOneByOne(FaultListener faults) {
        if (at >= to) {
            return false;
        }
        relay(to, faults);
        at = to;
        return true;
    }

    public int rowCount() {
        return rowCount;
    }

    /** Bytes of the text behind the window. */
    public int bytesLeft() {
        return to - at;
    }

    /** Records so far, the faulty ones included, comments and skipped empty lines not. */
    public int recordCount() {
        return recordCount;
    }

    /** Whether the window's text is known to have ASCII characters only. */
    public boolean isAscii() {
        return ascii;
    }

    /** Positions before and after fields, see above. */
    public int[] positions() {
        return positions;
    }

    /** Positions from one row to the next. */
    public int stride() {
        return stride;
    }

    /** Whether one field may be quoted in some rows. */
    public boolean quoted(int field) {
        return quoted[field];
    }

    /** Whether one field may hold doubled or escaped bytes in some rows, between quotes. */
    public boolean escaped(int field) {
        return escaped[field];
    }

    /** Whether the last field of a row may end with the CR of a CRLF. */
    public boolean mayEndWithReturn() {
        return !anyNewline && !trailing;
    }

    /** Whether the first field of a row may begin after the LF of a CRLF instead of at it. */
    public boolean mayStartWithFeed() {
        return anyNewline && !relaid;
    }

    /** Number of the row's record in the text. */
    public int ordinal(int row) {
        return relaid ? ordinals[row] : firstOrdinal + row;
    }

    public int rowStart(int row) {
        int start = positions[row * stride] + 1;
        return mayStartWithFeed() && followsReturn(start) ? start + 1 : start;
    }

    /** End of the row's record, its line end not included. */
    public int rowEnd(int row) {
        int length = trailing ? fieldCount + 1 : fieldCount;
        return withoutReturn(rowStart(row), positions[row * stride + length]);
    }

    /** Position of the row's line end, or the end of the text: a CR before an LF is not it. */
    public int lineEnd(int row) {
        return positions[row * stride + (trailing ? fieldCount + 1 : fieldCount)];
    }

    private boolean followsReturn(int start) {
        return start > 0 && start < to && text[start] == '\n' && text[start - 1] == '\r';
    }

    private int withoutReturn(int start, int end) {
        return !anyNewline && end > start && text[end - 1] == '\r' ? end - 1 : end;
    }

    /**
     * Indexes the whole records of a window and answers their end, {@code at} if there are none.
     */
    private int index(int windowTo, FaultListener faults) {
        ensurePositions(windowTo - at + 2L);
        positions[0] = at - 1;
        int end;
        int lines;
        int count;
        boolean plain = true;
        ascii = false;
        boolean anyQuotes = canQuote && scan.findQuotes(text, at, windowTo);
        if (anyQuotes) {
            scan.scan(windowTo, to, !goesOn);
            end = scan.recordsEnd();
            lines = scan.lineCount();
            count = ScanKernels.positions(scan.structure(), scan.blockCount(), at, positions, 1);
            plain = !scan.irregular();
        } else {
            long found =
                    anyNewline
                            ? ScanKernels.anyLines(text, at, windowTo, delimiter, positions, 1)
                            : ScanKernels.lines(
                                    text, at, windowTo, delimiter, positions, 1, scratch);
            lines = ScanKernels.lineCount(found);
            ascii = (found & ScanKernels.ALL_ASCII) != 0;
            count = lines == 0 ? 1 : lastLineEnd((int) found);
            end = positions[count - 1] + 1;
            end += anyNewline && followsReturn(end) ? 1 : 0;
        }
        if (end == at) {
            return at;
        }
        stride = trailing ? fieldCount + 1 : fieldCount;
        relaid = false;
        if (plain && count - 1 == (long) lines * stride && allRegular(lines)) {
            rowCount = lines;
            firstOrdinal = recordCount;
            recordCount += lines;
            findQuotedFields(anyQuotes);
        } else {
            relay(end, faults);
        }
        return end;
    }

    private void findQuotedFields(boolean any) {
        boolean walked = any && scan.walked();
        Arrays.fill(quoted, walked);
        Arrays.fill(escaped, walked && scan.escaped());
        if (any && !walked) {
            scan.opened().copyTo(quoted);
            scan.doubled().copyTo(escaped);
        }
    }

    /** Drops the positions behind the last line end. */
    private int lastLineEnd(int found) {
        int count = found;
        while (!isLineEnd(text[positions[count - 1]])) {
            count--;
        }
        return count;
    }

    private boolean isLineEnd(byte b) {
        return b == '\n' || (anyNewline && b == '\r');
    }

    /** Whether rows of {@code stride} positions each end with a line end, and nothing is amiss. */
    private boolean allRegular(int rows) {
        int previous = at - 1;
        boolean good = true;
        for (int row = 1; row <= rows; row++) {
            int end = positions[row * stride];
            good &= isLineEnd(text[end]) && end - previous <= maxRecordBytes;
            previous = end;
        }
        if (good && trailing) {
            for (int row = 1; row <= rows; row++) {
                int end = positions[row * stride];
                int last = positions[row * stride - 1];
                good &= end - last == 1 || withoutReturn(last + 1, end) == last + 1;
            }
        }
        if (good && comment != RecordWalker.NO_BYTE) {
            for (int row = 0; row < rows; row++) {
                int start = positions[row * stride] + 1;
                good &= text[anyNewline && followsReturn(start) ? start + 1 : start] != comment;
            }
        }
        return good;
    }

    /** Reads the records from {@code at} to {@code end} one by one. */
    private void relay(int end, FaultListener faults) {
        relaid = true;
        // It may go on behind what was scanned.
        ascii = false;
        Arrays.fill(quoted, canQuote);
        stride = (trailing ? fieldCount + 1 : fieldCount) + 1;
        rowCount = 0;
        boolean anyEscaped = false;
        int start = at;
        while (start < end) {
            RecordWalker.Outcome outcome = walker.walk(text, start, to, true);
            anyEscaped |= walker.escaped();
            int recordEnd = withoutReturn(start, walker.end());
            boolean skipped =
                    outcome == RecordWalker.Outcome.COMMENT
                            || (recordEnd == start && fieldCount > 1);
            if (!skipped) {
                take(outcome, start, recordEnd, faults);
                recordCount++;
            }
            start = walker.next();
        }
        Arrays.fill(escaped, anyEscaped);
    }

    private void take(RecordWalker.Outcome outcome, int start, int end, FaultListener faults) {
        RecordCheck.Fault fault = check.check(walker, outcome, start, end);
        if (fault == null) {
            addRow(start);
        } else {
            faults.fault(
                    fault.reason(),
                    recordCount,
                    start,
                    end,
                    fault.fieldIndex(),
                    fault.valueStart(),
                    fault.expected());
        }
    }

    private void addRow(int start) {
        int base = rowCount * stride;
        ensurePositions(base + (long) stride);
        positions[base] = start - 1;
        System.arraycopy(walker.delimiters(), 0, positions, base + 1, walker.delimiterCount());
        positions[base + stride - 1] = walker.end();
        if (rowCount == ordinals.length) {
            ordinals = Arrays.copyOf(ordinals, Math.max(64, 2 * rowCount));
        }
        ordinals[rowCount++] = recordCount;
    }

    private void ensurePositions(long count) {
        long needed = count + ScanKernels.POSITION_SLACK;
        if (needed > positions.length) {
            long grown = Math.max(needed, positions.length + (positions.length >> 1));
            positions = Arrays.copyOf(positions, (int) Math.min(grown, Integer.MAX_VALUE - 64));
        }
    }
}
