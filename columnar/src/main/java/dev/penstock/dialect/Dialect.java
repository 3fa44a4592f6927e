package dev.penstock.dialect;

/**
 * How records and fields are written. All special characters are single ASCII bytes.
 *
 * <p>A record ends at LF, CRLF or (when {@code newline} is {@link Newline#ANY}) a lone CR. A field
 * whose first byte is the quote runs to the closing quote and may hold delimiters and line ends; a
 * doubled quote, or the escape followed by any byte, stands for the literal byte. A quote that is
 * not the first byte of its field is an ordinary byte. A field equal to {@code nullText} and not
 * quoted is NULL.
 *
 * @param delimiter between fields
 * @param quote around fields, or {@link #NONE}: then every byte stands for itself (fast mode)
 * @param escape inside quoted fields, besides the doubled quote, or {@link #NONE}
 * @param comment a record that starts with this byte is skipped, or {@link #NONE}
 * @param newline what ends a record
 * @param header whether each file's first record names the fields
 * @param trailingDelimiter whether each record ends with one more delimiter, as TPC-H files do
 * @param nullText the text of NULL; the empty text by default
 */
public record Dialect(
        byte delimiter,
        int quote,
        int escape,
        int comment,
        Newline newline,
        boolean header,
        boolean trailingDelimiter,
        String nullText) {
    /** No such character. */
    public static final int NONE = -1;

    /** What ends a record. */
    public enum Newline {
        /** LF, with an optional CR before it. */
        LF,
        /** LF, CRLF or CR. */
        ANY
    }

    public Dialect {
        checkAscii("delimiter", delimiter);
        checkAscii("quote", quote);
        checkAscii("escape", escape);
        checkAscii("comment", comment);
        checkDistinct("delimiter", delimiter, "quote", quote);
        checkDistinct("delimiter", delimiter, "escape", escape);
        checkDistinct("delimiter", delimiter, "comment", comment);
        checkDistinct("quote", quote, "comment", comment);
        if (nullText.indexOf('\n') >= 0
                || nullText.indexOf('\r') >= 0
                || nullText.indexOf(delimiter) >= 0) {
            throw new IllegalArgumentException(
                    "the null text may hold neither the delimiter nor a line end");
        }
    }

    /** Comma, double quote, no header. */
    public static Dialect csv() {
        return new Dialect((byte) ',', '"', NONE, NONE, Newline.LF, false, false, "");
    }

    /** TPC-H: {@code |} between and after fields, nothing quoted. */
    public static Dialect tpch() {
        return new Dialect((byte) '|', NONE, NONE, NONE, Newline.LF, false, true, "");
    }

    /** Whether quoting exists at all; without it the scan runs in fast mode. */
    public boolean quoted() {
        return quote != NONE;
    }

    /** Whether each line feed ends a record, and nothing else does but the end of the text. */
    public boolean recordsAreLines() {
        return !quoted() && newline == Newline.LF;
    }

    /**
     * Whether there are quotes, and each line feed outside of them ends a record: nothing else,
     * such as an escape or a comment, has a say.
     */
    public boolean quotesAloneHideLines() {
        return quoted()
                && newline == Newline.LF
                && comment == NONE
                && (escape == NONE || escape == quote);
    }

    public Dialect withDelimiter(byte value) {
        return new Dialect(
                value, quote, escape, comment, newline, header, trailingDelimiter, nullText);
    }

    public Dialect withQuote(int value) {
        return new Dialect(
                delimiter, value, escape, comment, newline, header, trailingDelimiter, nullText);
    }

    public Dialect withEscape(int value) {
        return new Dialect(
                delimiter, quote, value, comment, newline, header, trailingDelimiter, nullText);
    }

    public Dialect withComment(int value) {
        return new Dialect(
                delimiter, quote, escape, value, newline, header, trailingDelimiter, nullText);
    }

    public Dialect withNewline(Newline value) {
        return new Dialect(
                delimiter, quote, escape, comment, value, header, trailingDelimiter, nullText);
    }

    public Dialect withHeader(boolean value) {
        return new Dialect(
                delimiter, quote, escape, comment, newline, value, trailingDelimiter, nullText);
    }

    public Dialect withTrailingDelimiter(boolean value) {
        return new Dialect(delimiter, quote, escape, comment, newline, header, value, nullText);
    }

    public Dialect withNullText(String value) {
        return new Dialect(
                delimiter, quote, escape, comment, newline, header, trailingDelimiter, value);
    }

    private static void checkAscii(String name, int value) {
        if (value != NONE && (value < 1 || value > 126 || value == '\n' || value == '\r')) {
            throw new IllegalArgumentException(
                    "the " + name + " must be one ASCII character and no line end");
        }
    }

    private static void checkDistinct(String name, int value, String otherName, int other) {
        if (value != NONE && value == other) {
            throw new IllegalArgumentException(
                    "the " + name + " and the " + otherName + " are both '" + (char) value + "'");
        }
    }
}
