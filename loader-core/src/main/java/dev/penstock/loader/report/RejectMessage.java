package dev.penstock.loader.report;

import dev.penstock.loader.RejectLimit;
import dev.penstock.reject.Reject;

import java.util.Locale;

/** What a user is told about the reject that ended a load. */
public final class RejectMessage {
    private static final int MAX_RECORD_CHARS = 200;

    private RejectMessage() {}

    /**
     * @param count rejects when the load ended
     * @param first the first of them in input order
     * @param line its line, or {@link Reject#LINE_UNKNOWN}
     */
    public static String of(RejectLimit limit, long count, Reject first, String file, long line) {
        StringBuilder text = new StringBuilder(file);
        if (line != Reject.LINE_UNKNOWN) {
            text.append(", line ").append(line);
        }
        text.append(" (byte ").append(first.bytePosition()).append(')');
        if (!first.columnName().isEmpty()) {
            text.append(", column ").append(first.columnName());
        }
        text.append(": ");
        if (!first.value().isEmpty()) {
            text.append("value '").append(first.value()).append("', ");
        }
        text.append(first.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        text.append("; expected ").append(first.expected()).append(".\n  record: ");
        text.append(record(first)).append('\n');
        boolean none = !limit.isPercent() && limit.count() == 0;
        if (none) {
            text.append("Nothing was loaded. Mend the record, or allow rejects with --max-rejects")
                    .append(" and keep them with --rejects FILE.");
        } else {
            text.append("Nothing was loaded, because ")
                    .append(count)
                    .append(" records were rejected and the limit is ")
                    .append(limit)
                    .append("; this is the first of them. Raise --max-rejects, or mend the input.");
        }
        return text.toString();
    }

    private static String record(Reject reject) {
        String record = new String(reject.record(), java.nio.charset.StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(record.length(), MAX_RECORD_CHARS); i++) {
            char c = record.charAt(i);
            text.append(Character.isISOControl(c) ? '\uFFFD' : c);
        }
        return text.append(record.length() > MAX_RECORD_CHARS ? "…" : "").toString();
    }
}
