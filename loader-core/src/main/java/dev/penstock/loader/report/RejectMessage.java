package dev.penstock.loader.report;

import dev.penstock.bytes.Printable;
import dev.penstock.error.Counted;
import dev.penstock.loader.RejectLimits;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectClass;

import java.nio.charset.StandardCharsets;

/** What a user is told about the reject that ended a load. */
public final class RejectMessage {
    private static final int MAX_RECORD_CHARS = 200;

    private RejectMessage() {}

    /**
     * @param passed the limit that ended the load
     * @param first the first of the rejects that it limits, in input order
     * @param line its line, or {@link Reject#LINE_UNKNOWN}
     */
    public static String of(RejectLimits.Passed passed, Reject first, String file, long line) {
        StringBuilder text = new StringBuilder(place(file, line, first.bytePosition()));
        if (!first.columnName().isEmpty()) {
            text.append(", column ").append(first.columnName());
        }
        text.append(": ");
        if (!first.value().isEmpty()) {
            text.append("value '").append(Printable.line(first.value())).append("', ");
        }
        text.append(first.reason().word().replace('_', ' '));
        text.append("; expected ").append(first.expected()).append(".\n  record: ");
        text.append(record(first)).append('\n').append(why(passed));
        return text.toString();
    }

    /**
     * Where a record is: {@code FILE, line N (byte B)}.
     *
     * @param line 1-based, or {@link Reject#LINE_UNKNOWN}
     * @param bytePosition 0-based, of the record's first byte in its (decompressed) file
     */
    public static String place(String file, long line, long bytePosition) {
        return file
                + (line == Reject.LINE_UNKNOWN ? "" : ", line " + line)
                + " (byte "
                + bytePosition
                + ")";
    }

    private static String why(RejectLimits.Passed passed) {
        RejectClass kind = passed.kind();
        String option = "--max-rejects" + (kind == null ? "" : " " + kind.word() + "=N");
        if (passed.limit().none()) {
            return "Nothing was loaded. Mend the record, or allow "
                    + (kind == null ? "rejects" : "rejects of class " + kind.word())
                    + " with "
                    + option
                    + " and keep them with --rejects FILE.";
        }
        return "Nothing was loaded, because "
                + Counted.of(passed.count(), "record")
                + Counted.verb(passed.count(), " was rejected", " were rejected")
                + (kind == null ? "" : " for reasons of class " + kind.word())
                + " and the limit is "
                + passed.limit()
                + "; this is the first of them. Raise "
                + option
                + ", or mend the input.";
    }

    private static String record(Reject reject) {
        int bytes = Math.min(reject.record().length, 4 * (MAX_RECORD_CHARS + 1));
        String record = new String(reject.record(), 0, bytes, StandardCharsets.UTF_8);
        return Printable.shortened(record, MAX_RECORD_CHARS);
    }
}
