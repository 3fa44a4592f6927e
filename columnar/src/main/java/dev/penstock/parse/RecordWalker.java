package dev.penstock.parse;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.DoubledBytes;
import dev.penstock.kernel.ScanKernels;

import java.util.Arrays;

/**
 * Reads one record byte by byte: the exact meaning of a {@link Dialect}, to which the fast scans
 * must agree and to which they turn for every record that is not plain.
 *
 * <p>A quoted field that does not end within its input, or within {@code maxRecordBytes} of its
 * record's start, makes the record {@link Outcome#UNCLOSED_QUOTE}: the record then ends at the
 * first line end after that field's opening quote, and the next record starts there. Text after a
 * closing quote makes it {@link Outcome#TEXT_AFTER_QUOTE}: the record then ends at the next line
 * end. The end of the input ends a record like a line end.
 *
 * <p>Results are kept until the next {@link #walk}. One per thread.
 */
public final class RecordWalker {
    /** What a record turned out to be. */
    public enum Outcome {
        /** Fields, any number of them. */
        FIELDS,
        /** A comment. */
        COMMENT,
        UNCLOSED_QUOTE,
        TEXT_AFTER_QUOTE,
        /** More bytes are needed to tell; never if the text ends the input. */
        INCOMPLETE
    }

    /** Equals no byte, unlike {@link Dialect#NONE}, which is the byte 0xFF. */
    static final int NO_BYTE = 256;

    private final byte delimiter;
    private final int quote;
    private final int escape;
    private final int comment;
    private final boolean anyNewline;
    private final int maxRecordBytes;

    private int[] delimiters = new int[64];
    private int delimiterCount;
    private int faultPosition;
    private int end;
    private int next;
    private boolean escaped;

    public RecordWalker(Dialect dialect, int maxRecordBytes) {
        this.delimiter = dialect.delimiter();
        this.quote = orNoByte(dialect.quote());
        this.escape = dialect.escape() == dialect.quote() ? NO_BYTE : orNoByte(dialect.escape());
        this.comment = orNoByte(dialect.comment());
        this.anyNewline = dialect.newline() == Dialect.Newline.ANY;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * Reads the record that starts at {@code start} in {@code text[.., to)}.
     *
     * @param endOfInput whether nothing follows {@code to}
     */
    public Outcome walk(byte[] text, int start, int to, boolean endOfInput) {
        delimiterCount = 0;
        escaped = false;
        int at = start;
        if (at < to && text[at] == comment) {
            return endAtLine(text, at, to, endOfInput, Outcome.COMMENT);
        }
        while (true) {
            if (at < to && text[at] == quote) {
                int close = closingQuote(text, start, at, to, endOfInput);
                if (close == UNKNOWN) {
                    return Outcome.INCOMPLETE;
                }
                faultPosition = at;
                if (close == UNCLOSED) {
                    return endAtLine(text, at + 1, to, endOfInput, Outcome.UNCLOSED_QUOTE);
                }
                at = close + 1;
                if (at == to && !endOfInput) {
                    return Outcome.INCOMPLETE;
                }
                if (at < to && text[at] != delimiter) {
                    Outcome ended = endAfterQuote(text, at, to, endOfInput);
                    if (ended != Outcome.FIELDS) {
                        return ended;
                    }
                }
            } else {
                at = fieldEnd(text, at, to);
            }
            if (at < to && text[at] == delimiter) {
                addDelimiter(at);
                at++;
                continue;
            }
            return endAt(text, at, to, endOfInput, Outcome.FIELDS);
        }
    }

    /**
     * Position of the record's line end, or of the text's end. A CR before an LF is not cut off.
     */
    public int end() {
        return end;
    }

    /** Where the next record starts. */
    public int next() {
        return next;
    }

    /** Delimiters of the record, up to the fault if it has one. */
    public int delimiterCount() {
        return delimiterCount;
    }

    public int[] delimiters() {
        return delimiters;
    }

    /** The opening quote of the field at fault. */
    public int faultPosition() {
        return faultPosition;
    }

    /** Whether a quoted field holds doubled or escaped bytes. */
    public boolean escaped() {
        return escaped;
    }

    private static final int UNCLOSED = -1;
    private static final int UNKNOWN = -2;

    private int closingQuote(byte[] text, int start, int open, int to, boolean endOfInput) {
        int limit = (int) Math.min(to, (long) start + maxRecordBytes);
        int at = open + 1;
        while (at < limit) {
            if (escape == NO_BYTE) {
                at = ScanKernels.indexOf(text, at, limit, (byte) quote);
                if (at == limit) {
                    break;
                }
            }
            if (text[at] == escape) {
                escaped = true;
                at += 2;
            } else if (text[at] != quote) {
                at++;
            } else if (at + 1 < to && text[at + 1] == quote) {
                escaped = true;
                at += 2;
            } else {
                return at + 1 == to && !endOfInput ? UNKNOWN : at;
            }
        }
        return endOfInput || (long) start + maxRecordBytes <= to ? UNCLOSED : UNKNOWN;
    }

    /** Checks that a line end follows a closing quote. */
    private Outcome endAfterQuote(byte[] text, int at, int to, boolean endOfInput) {
        if (text[at] == '\n' || (anyNewline && text[at] == '\r')) {
            return Outcome.FIELDS;
        }
        if (text[at] == '\r') {
            if (at + 1 == to) {
                return endOfInput ? Outcome.FIELDS : Outcome.INCOMPLETE;
            }
            if (text[at + 1] == '\n') {
                return Outcome.FIELDS;
            }
        }
        return endAtLine(text, at, to, endOfInput, Outcome.TEXT_AFTER_QUOTE);
    }

    private int fieldEnd(byte[] text, int from, int to) {
        int at = from;
        while (at < to
                && text[at] != delimiter
                && text[at] != '\n'
                && !(anyNewline && text[at] == '\r')) {
            at++;
        }
        return at;
    }

    private Outcome endAtLine(byte[] text, int from, int to, boolean endOfInput, Outcome outcome) {
        int at = from;
        if (anyNewline) {
            while (at < to && text[at] != '\n' && text[at] != '\r') {
                at++;
            }
        } else {
            at = ScanKernels.indexOf(text, from, to, (byte) '\n');
        }
        return endAt(text, at, to, endOfInput, outcome);
    }

    /** Ends the record at a line end, at the CR of a CRLF, or at the end of the text. */
    private Outcome endAt(byte[] text, int at, int to, boolean endOfInput, Outcome outcome) {
        if (at == to) {
            end = to;
            next = to;
            return endOfInput ? outcome : Outcome.INCOMPLETE;
        }
        if (text[at] == '\r' && !anyNewline) {
            end = Math.min(at + 1, to);
            next = Math.min(at + 2, to);
            return outcome;
        }
        end = at;
        next = at + 1;
        if (text[at] == '\r') {
            if (next == to) {
                return endOfInput ? outcome : Outcome.INCOMPLETE;
            }
            next += text[next] == '\n' ? 1 : 0;
        }
        return outcome;
    }

    private void addDelimiter(int at) {
        if (delimiterCount == delimiters.length) {
            delimiters = Arrays.copyOf(delimiters, 2 * delimiterCount);
        }
        delimiters[delimiterCount++] = at;
    }

    /**
     * Copies the content of a quoted field to {@code out}, doubled quotes and escapes resolved.
     * {@code text[from, to)} is what lies between its quotes; {@link CopyKernels#SLACK} bytes are
     * readable after it, and may be overwritten after the copy.
     *
     * @return the end of the copy
     */
    public int unescape(byte[] text, int from, int to, byte[] out, int at) {
        return escape == NO_BYTE
                ? DoubledBytes.halve(text, from, to, (byte) quote, out, at)
                : resolve(text, from, to, out, at);
    }

    private int resolve(byte[] text, int from, int to, byte[] out, int at) {
        int length = at;
        for (int i = from; i < to; i++) {
            if ((text[i] == quote || text[i] == escape) && i + 1 < to) {
                i++;
            }
            out[length++] = text[i];
        }
        return length;
    }

    private static int orNoByte(int character) {
        return character == Dialect.NONE ? NO_BYTE : character;
    }

    /** Bits {@code 0 .. count - 1} of a word; all of them from 64 on. */
    static long lowBits(int count) {
        return count >= 64 ? -1L : (1L << count) - 1;
    }

    /** Whether the two bytes at {@code at} are CR and LF. */
    static boolean isCrLf(byte[] text, int at, int to) {
        return at + 1 < to && ByteAccess.getShort(text, at) == ('\n' << 8 | '\r');
    }
}
