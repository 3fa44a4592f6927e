package dev.penstock.loader.report;

import dev.penstock.bytes.Printable;
import dev.penstock.loader.file.PartFile;
import dev.penstock.reject.Reject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Lines of the file of reasons: CSV with a header, one line a reject, nothing but text in it. In
 * its fields two backslashes are one; {@code \n}, {@code \r}, {@code \t}, or a backslash with
 * {@code u} and four hexadecimal digits, are a character that would end a line or act on a
 * terminal. A value of more than 200 characters ends with an ellipsis; the rejects file has all of
 * it.
 */
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
                                                ? "; of a record so long only the beginning is kept"
                                                        + " here"
                                                : "")),
                        Long.toString(offset),
                        Integer.toString(reject.record().length)));
    }

    private void line(String text) throws IOException {
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** As {@link Printable#reversible} writes it, quoted if it must be. */
    static String field(String text) {
        String shown = Printable.reversible(text);
        return shown.contains(",") || shown.contains("\"")
                ? "\"" + shown.replace("\"", "\"\"") + "\""
                : shown;
    }
}
