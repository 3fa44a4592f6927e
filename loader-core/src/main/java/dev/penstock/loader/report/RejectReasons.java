package dev.penstock.loader.report;

import dev.penstock.reject.Reject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Lines of the file of reasons: CSV with a header, one line a reject, nothing but text in it. */
final class RejectReasons {
    private static final String HEADER =
            "file,line,byte_offset,column,value,class,reason,expected,fix,reject_offset,reject_bytes";

    private final PartFile out;

    RejectReasons(PartFile out) throws IOException {
        this.out = out;
        line(HEADER);
    }

    /**
     * @param file name of the input
     * @param line 1-based, or {@link Reject#LINE_UNKNOWN}
     * @param offset where the record begins in the rejects file
     */
    void add(Reject reject, String file, long line, long offset) throws IOException {
        boolean cut = reject.record().length == Reject.MAX_RECORD_BYTES;
        line(
                String.join(
                        ",",
                        field(file),
                        line == Reject.LINE_UNKNOWN ? "" : Long.toString(line),
                        Long.toString(reject.bytePosition()),
                        field(reject.columnName()),
                        field(reject.value()),
                        reject.reason().kind().word(),
                        reject.reason().word(),
                        field(reject.expected()),
                        field(
                                reject.reason().fix()
                                        + (cut
                                                ? "; only the beginning of the record is kept here"
                                                : "")),
                        Long.toString(offset),
                        Integer.toString(reject.record().length)));
    }

    private void line(String text) throws IOException {
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Quoted if it must be; control characters as they are written in JSON. */
    static String field(String text) {
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            quoted |= c == ',' || c == '"';
            switch (c) {
                case '\n' -> field.append("\\n");
                case '\r' -> field.append("\\r");
                case '\t' -> field.append("\\t");
                case '"' -> field.append("\"\"");
                default -> {
                    if (Character.isISOControl(c)) {
                        field.append(String.format("\\u%04x", (int) c));
                    } else {
                        field.append(c);
                    }
                }
            }
        }
        return quoted ? "\"" + field + "\"" : field.toString();
    }
}
