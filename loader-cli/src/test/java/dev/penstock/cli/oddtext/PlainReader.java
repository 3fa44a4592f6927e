package dev.penstock.cli.oddtext;

import dev.penstock.cli.oddtext.OddFormat.Kind;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a text by the rules of its format, byte after byte, and nothing but them: what loads have
 * to find in it. A char is a byte here.
 */
final class PlainReader {
    private static final int LONGEST_TEXT = 12;
    private static final BigDecimal DECIMAL_LIMIT = BigDecimal.valueOf(10_000_000);

    /** What a text holds: its rows, and where each record begins that is none. */
    record Content(List<List<@Nullable String>> rows, List<Place> rejects) {}

    /** A position, and its line from 1. */
    record Place(int position, int line) {}

    private record Field(String text, boolean quoted) {}

    /** A record that can be no row, or a value that is none. */
    private static final class BadRecord extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final OddFormat format;
    private final String text;
    private final boolean returnsEndLines;
    private final List<List<@Nullable String>> rows = new ArrayList<>();
    private final List<Place> rejects = new ArrayList<>();
    private int at;

    private PlainReader(OddFormat format, byte[] bytes) {
        this.format = format;
        this.text = new String(bytes, StandardCharsets.ISO_8859_1);
        this.returnsEndLines = format.endsLinesWithReturns() && text.indexOf('\r') >= 0;
    }

    static Content read(OddFormat format, byte[] bytes) {
        return new PlainReader(format, bytes).run();
    }

    private Content run() {
        at = format.mark() ? 3 : 0;
        boolean header = format.header();
        while (at < text.length()) {
            int start = at;
            if (text.charAt(at) == format.comment()) {
                skipLine(at);
                continue;
            }
            try {
                List<Field> fields = record();
                boolean empty =
                        fields.size() == 1 && fields.getFirst().equals(new Field("", false));
                if (empty && (header || format.columns().size() > 1)) {
                    continue;
                }
                if (!header) {
                    rows.add(row(fields));
                }
            } catch (BadRecord e) {
                rejects.add(new Place(start, line(start)));
            }
            header = false;
        }
        return new Content(rows, rejects);
    }

    private int line(int position) {
        int line = 1;
        for (int i = 0; i < position; i++) {
            char c = text.charAt(i);
            boolean pair = returnsEndLines && i > 0 && text.charAt(i - 1) == '\r';
            line += c == '\n' && !pair || returnsEndLines && c == '\r' ? 1 : 0;
        }
        return line;
    }

    /** Where a line end begins at the place, how long it is; 0 if there is none. */
    private int lineEnd(int place) {
        if (text.startsWith("\r\n", place)) {
            return 2;
        }
        boolean one = text.charAt(place) == '\n' || returnsEndLines && text.charAt(place) == '\r';
        return one ? 1 : 0;
    }

    private void skipLine(int from) {
        at = from;
        while (at < text.length() && lineEnd(at) == 0) {
            at++;
        }
        skipLineEnd();
    }

    private void skipLineEnd() {
        at += at < text.length() ? lineEnd(at) : 0;
    }

    private List<Field> record() throws BadRecord {
        List<Field> fields = new ArrayList<>();
        while (true) {
            boolean quoted = at < text.length() && text.charAt(at) == format.quote();
            fields.add(quoted ? quotedField() : plainField());
            if (at < text.length() && text.charAt(at) == format.delimiter()) {
                at++;
            } else {
                skipLineEnd();
                return fields;
            }
        }
    }

    private Field plainField() {
        int start = at;
        while (at < text.length() && text.charAt(at) != format.delimiter() && lineEnd(at) == 0) {
            at++;
        }
        return new Field(text.substring(start, at), false);
    }

    private Field quotedField() throws BadRecord {
        int open = at;
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean doubled = text.startsWith("" + format.quote() + format.quote(), at);
            if (c == format.escape() || c == format.quote() && doubled) {
                at++;
                value.append(at < text.length() ? text.charAt(at) : "");
            } else if (c != format.quote()) {
                value.append(c);
            } else {
                at++;
                boolean ends =
                        at == text.length()
                                || text.charAt(at) == format.delimiter()
                                || lineEnd(at) > 0;
                if (!ends) {
                    skipLine(at);
                    throw new BadRecord();
                }
                return new Field(value.toString(), true);
            }
        }
        skipLine(open + 1);
        throw new BadRecord();
    }

    private List<@Nullable String> row(List<Field> fields) throws BadRecord {
        List<Field> own = new ArrayList<>(fields);
        if (format.trailing() && !own.removeLast().equals(new Field("", false))
                || own.size() != format.columns().size()) {
            throw new BadRecord();
        }
        List<@Nullable String> row = new ArrayList<>();
        own.forEach(_ -> row.add(null));
        for (int i = 0; i < own.size(); i++) {
            int column = format.fields().get(i);
            row.set(column, value(own.get(i), column));
        }
        return row;
    }

    private @Nullable String value(Field field, int column) throws BadRecord {
        if (!field.quoted() && field.text().equals(format.nullText())) {
            if (format.notNull().get(column)) {
                throw new BadRecord();
            }
            return null;
        }
        String value = field.text();
        Kind kind = format.columns().get(column);
        try {
            return switch (kind) {
                case INTEGER -> Integer.toString(Integer.parseInt(matching(value, "-?[0-9]+")));
                case DECIMAL -> decimal(matching(value, "-?([0-9]+[.]?[0-9]{0,2}|[.][0-9]{1,2})"));
                case DATE ->
                        LocalDate.parse(matching(value, "[0-9]{4}-[0-9]{2}-[0-9]{2}")).toString();
                case TEXT -> characters(value);
            };
        } catch (NumberFormatException | DateTimeException | CharacterCodingException e) {
            throw new BadRecord();
        }
    }

    private static String matching(String value, String pattern) throws BadRecord {
        if (!value.matches(pattern)) {
            throw new BadRecord();
        }
        return value;
    }

    private static String decimal(String value) throws BadRecord {
        BigDecimal number = new BigDecimal(value).setScale(2);
        if (number.abs().compareTo(DECIMAL_LIMIT) >= 0) {
            throw new BadRecord();
        }
        return number.toPlainString();
    }

    private static String characters(String value) throws CharacterCodingException, BadRecord {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        String decoded =
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        if (decoded.codePointCount(0, decoded.length()) > LONGEST_TEXT) {
            throw new BadRecord();
        }
        return decoded;
    }
}
