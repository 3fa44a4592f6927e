package dev.penstock.loader.file;

import dev.penstock.dialect.Dialect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits the first records of an input into fields, one byte at a time: for headers and for
 * checking that a dialect fits. Speed does not matter here; the load itself parses with kernels. As
 * there, a line is a comment by its first byte, whatever quotes it holds, and empty lines are none.
 */
public final class FirstRecords {
    private final Dialect dialect;
    private final byte[] text;
    private int position;
    private boolean inQuotes;

    /** The field at hand, without quotes; as long as the longest until now, at least. */
    private byte[] field = new byte[256];

    /** A record's fields, where it starts, and the position after its line end. */
    public record SplitRecord(List<String> fields, int start, int end) {}

    public FirstRecords(Dialect dialect, byte[] text, int from) {
        this.dialect = dialect;
        this.text = text;
        this.position = from;
    }

    /** Up to {@code count} whole records; comments and empty lines are left out. */
    public List<SplitRecord> next(int count, boolean wholeInput) {
        List<SplitRecord> records = new ArrayList<>();
        while (records.size() < count && position < text.length) {
            int start = position;
            boolean skipped = isComment(start) || isLineEnd(start);
            SplitRecord split =
                    skipped ? new SplitRecord(List.of(), start, lineAfter(start)) : split(start);
            if (split.end() < 0 && !wholeInput) {
                break;
            }
            position = split.end() < 0 ? text.length : split.end();
            if (!skipped) {
                records.add(new SplitRecord(split.fields(), start, position));
            }
        }
        return records;
    }

    /** Whether {@link #next} gave no more records because of a quote that does not close. */
    public boolean stoppedInQuotes() {
        return inQuotes;
    }

    private boolean isComment(int at) {
        return dialect.comment() != Dialect.NONE && text[at] == (byte) dialect.comment();
    }

    /** Where the line after that at {@code from} starts; -1 if the text ends first. */
    private int lineAfter(int from) {
        int at = from;
        while (at < text.length && !isLineEnd(at)) {
            at++;
        }
        return at < text.length ? afterLineEnd(at) : -1;
    }

    /** Splits the record at {@code from}; its end is -1 if the text ends first. */
    private SplitRecord split(int from) {
        List<String> fields = new ArrayList<>();
        int length = 0;
        int i = from;
        while (i < text.length) {
            byte b = text[i];
            if (length == 0
                    && dialect.quoted()
                    && b == (byte) dialect.quote()
                    && atFieldStart(i, from)) {
                int end = closingQuote(i + 1);
                inQuotes = end < 0;
                if (inQuotes) {
                    return new SplitRecord(fields, from, -1);
                }
                length = unquote(i + 1, end);
                i = end + 1;
            } else if (b == dialect.delimiter()) {
                fields.add(new String(field, 0, length, StandardCharsets.UTF_8));
                length = 0;
                i++;
            } else if (isLineEnd(i)) {
                fields.add(new String(field, 0, length, StandardCharsets.UTF_8));
                return new SplitRecord(fields, from, afterLineEnd(i));
            } else {
                put(b, length++);
                i++;
            }
        }
        fields.add(new String(field, 0, length, StandardCharsets.UTF_8));
        return new SplitRecord(fields, from, -1);
    }

    private boolean atFieldStart(int at, int recordStart) {
        return at == recordStart || text[at - 1] == dialect.delimiter();
    }

    private boolean isLineEnd(int at) {
        if (text[at] == '\n') {
            return true;
        }
        if (text[at] != '\r') {
            return false;
        }
        return dialect.newline() == Dialect.Newline.ANY
                || at + 1 < text.length && text[at + 1] == '\n';
    }

    private int afterLineEnd(int at) {
        boolean pair = text[at] == '\r' && at + 1 < text.length && text[at + 1] == '\n';
        return at + (pair ? 2 : 1);
    }

    private int closingQuote(int from) {
        for (int i = from; i < text.length; i++) {
            if (dialect.escape() >= 0
                    && dialect.escape() != dialect.quote()
                    && text[i] == (byte) dialect.escape()) {
                i++;
            } else if (text[i] == (byte) dialect.quote()) {
                if (i + 1 < text.length && text[i + 1] == (byte) dialect.quote()) {
                    i++;
                } else {
                    return i;
                }
            }
        }
        return -1;
    }

    private int unquote(int from, int to) {
        int length = 0;
        for (int i = from; i < to; i++) {
            boolean escape =
                    text[i] == (byte) dialect.quote()
                            || dialect.escape() >= 0 && text[i] == (byte) dialect.escape();
            if (escape && i + 1 < to) {
                i++;
            }
            put(text[i], length++);
        }
        return length;
    }

    private void put(byte b, int at) {
        if (at == field.length) {
            field = Arrays.copyOf(field, 2 * at);
        }
        field[at] = b;
    }
}
