package dev.penstock.cli.oddtext;

import dev.penstock.cli.oddtext.OddFormat.Kind;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes a text of a format, most of whose records are rows; the first one always is. */
final class OddText {
    private static final List<String> PIECES =
            List.of("a", "b", "c", "é", "€", "𝄞", " ", "#", "\\", "\"", "'", "\t", "NULL", "\\N");

    private static final int MOST_PIECES = 12;

    private final Random random;
    private final OddFormat format;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private OddText(Random random, OddFormat format) {
        this.random = random;
        this.format = format;
    }

    static byte[] of(Random random, OddFormat format, int records) {
        return new OddText(random, format).write(records);
    }

    private byte[] write(int records) {
        if (format.mark()) {
            add("\uFEFF");
        }
        if (format.header()) {
            List<String> names = new ArrayList<>();
            format.fields().forEach(column -> names.add(maybeQuoted(OddFormat.name(column))));
            add(record(names) + lineEnd());
        }
        for (int i = 0; i < records; i++) {
            boolean first = i == 0;
            String record = first ? record(fields(true)) : oddRecord();
            add(record + (i == records - 1 && random.nextInt(3) == 0 ? "" : lineEnd()));
            if (random.nextInt(200) == 0 && !format.endsLinesWithReturns()) {
                out.write(0xFF); // No UTF-8, at the beginning of the next record.
            }
        }
        return out.toByteArray();
    }

    private void add(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private String lineEnd() {
        return format.lineEnds().get(random.nextInt(format.lineEnds().size()));
    }

    private String oddRecord() {
        int what = random.nextInt(60);
        if (what == 0) {
            return "";
        }
        if (what == 1 && format.comment() != OddFormat.NONE) {
            return "# it's a \"comment" + format.delimiter();
        }
        List<String> fields = fields(false);
        if (what == 2) {
            fields.add("a");
        } else if (what == 3) {
            fields.removeLast();
        }
        String record = record(fields);
        return what <= 8 && !format.endsLinesWithReturns() ? broken(record) : record;
    }

    /** With something put in that has a meaning, wherever that is. */
    private String broken(String record) {
        List<String> marks = List.of("\"", "'", "" + format.delimiter(), "\r", "\n", "\\");
        int at = random.nextInt(record.length() + 1);
        if (at > 0 && at < record.length() && Character.isLowSurrogate(record.charAt(at))) {
            at++;
        }
        String mark = marks.get(random.nextInt(marks.size()));
        return record.substring(0, at) + mark + record.substring(at);
    }

    private String record(List<String> fields) {
        String end = format.trailing() ? "" + format.delimiter() : "";
        return String.join("" + format.delimiter(), fields) + end;
    }

    private List<String> fields(boolean good) {
        List<String> fields = new ArrayList<>();
        for (int column : format.fields()) {
            boolean mayBeNull = !format.notNull().get(column);
            if (random.nextInt(8) == 0 && (mayBeNull || !good && random.nextInt(10) == 0)) {
                fields.add(format.nullText());
            } else {
                fields.add(field(format.columns().get(column), good));
            }
        }
        // A record of one empty field would be an empty line, or perhaps none.
        if (good && fields.equals(List.of(""))) {
            fields.set(0, field(format.columns().getFirst(), true));
        }
        return fields;
    }

    private String field(Kind kind, boolean good) {
        boolean bad = !good && random.nextInt(40) == 0;
        return switch (kind) {
            case INTEGER -> maybeQuoted(bad ? "99999999999" : "" + random.nextInt());
            case DECIMAL -> maybeQuoted(decimal(bad));
            case DATE -> maybeQuoted(bad ? "2023-02-29" : "" + day());
            case TEXT -> text(good);
        };
    }

    private String decimal(boolean bad) {
        String sign = random.nextBoolean() ? "-" : "";
        return sign + random.nextInt(bad ? 1 << 30 : 10_000) + "." + (11 + random.nextInt(89));
    }

    private LocalDate day() {
        return LocalDate.of(1900 + random.nextInt(200), 1 + random.nextInt(12), 1)
                .plusDays(random.nextInt(28));
    }

    private String text(boolean good) {
        StringBuilder text = new StringBuilder(good ? "a" : "");
        int pieces = random.nextInt(MOST_PIECES + (good || random.nextInt(50) > 0 ? 0 : 5));
        for (int i = 0; i < pieces; i++) {
            text.append(piece());
        }
        if (good && text.codePointCount(0, text.length()) > MOST_PIECES) {
            return "a";
        }
        return maybeQuoted(text.toString());
    }

    private String piece() {
        int what = random.nextInt(40);
        boolean quoted = format.quote() != OddFormat.NONE;
        if (what < 6 && quoted) {
            return List.of("\n", "\r", "\r\n", "" + format.delimiter(), "\"", "'").get(what);
        }
        if (what == 6 && !format.endsLinesWithReturns()) {
            return "\r";
        }
        String piece = PIECES.get(random.nextInt(PIECES.size()));
        return piece.equals("" + format.delimiter()) && !quoted ? "d" : piece;
    }

    /** Quoted if it must be, and sometimes if it need not be. */
    private String maybeQuoted(String text) {
        if (format.quote() == OddFormat.NONE) {
            return text;
        }
        String quote = "" + format.quote();
        boolean must =
                text.isEmpty()
                        || text.equals(format.nullText())
                        || text.startsWith(quote)
                        || text.startsWith("" + format.comment())
                        || text.indexOf('\n') >= 0
                        || text.indexOf('\r') >= 0
                        || text.indexOf(format.delimiter()) >= 0;
        if (!must && random.nextInt(3) > 0) {
            return text;
        }
        StringBuilder quoted = new StringBuilder(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == format.quote()) {
                boolean escape = format.escape() != OddFormat.NONE && random.nextBoolean();
                quoted.append(escape ? format.escape() : c);
            } else if (c == format.escape()) {
                quoted.append(c);
            }
            quoted.append(c);
        }
        return quoted.append(quote).toString();
    }
}
