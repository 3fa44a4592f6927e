package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.Counted;
import dev.penstock.reject.RejectReason;

import org.jspecify.annotations.Nullable;

/** Tells whether a record that was walked is a row, and if not, why. */
final class RecordCheck {
    /**
     * Why a record is no row.
     *
     * @param fieldIndex the field at fault, or -1
     * @param valueStart where that field begins, or the record's end
     */
    record Fault(RejectReason reason, int fieldIndex, int valueStart, String expected) {}

    private final String delimiter;
    private final boolean canQuote;
    private final boolean trailing;
    private final int fieldCount;
    private final int maxRecordBytes;

    RecordCheck(Dialect dialect, int fieldCount, int maxRecordBytes) {
        this.delimiter = "'" + (char) dialect.delimiter() + "'";
        this.canQuote = dialect.quoted();
        this.trailing = dialect.trailingDelimiter();
        this.fieldCount = fieldCount;
        this.maxRecordBytes = maxRecordBytes;
    }

    /** The fault of the record {@code [start, end)} that {@code walker} read, or null. */
    @Nullable Fault check(RecordWalker walker, RecordWalker.Outcome outcome, int start, int end) {
        return switch (outcome) {
            case UNCLOSED_QUOTE ->
                    inField(
                            walker,
                            RejectReason.UNCLOSED_QUOTE,
                            "a closing quote; without one the field would run to the end of the"
                                    + " input or beyond the largest record of "
                                    + maxRecordBytes
                                    + " bytes");
            case TEXT_AFTER_QUOTE ->
                    inField(
                            walker,
                            RejectReason.TEXT_AFTER_QUOTE,
                            "a delimiter or a line end after the closing quote; a quote within a"
                                    + " quoted field is written twice");
            case FIELDS -> checkFields(walker, start, end);
            case COMMENT, INCOMPLETE -> null;
        };
    }

    private static Fault inField(RecordWalker walker, RejectReason reason, String expected) {
        return new Fault(reason, walker.delimiterCount(), walker.faultPosition(), expected);
    }

    private @Nullable Fault checkFields(RecordWalker walker, int start, int end) {
        if (end - start > maxRecordBytes) {
            String expected =
                    "a record of at most " + maxRecordBytes + " bytes, found " + (end - start);
            return new Fault(RejectReason.TOO_LARGE, -1, end, expected);
        }
        int delimiters = walker.delimiterCount();
        boolean closed = delimiters > 0 && walker.delimiters()[delimiters - 1] == end - 1;
        int found = trailing && closed ? delimiters : delimiters + 1;
        if (found == fieldCount && (closed || !trailing)) {
            return null;
        }
        RejectReason reason =
                found > fieldCount ? RejectReason.EXTRA_FIELDS : RejectReason.MISSING_FIELDS;
        return new Fault(reason, -1, end, fields(found, closed));
    }

    private String fields(int found, boolean closed) {
        String counts = Counted.of(fieldCount, "field") + ", found " + found;
        if (found == fieldCount) {
            return counts + ", but the " + delimiter + " after the last field is missing";
        }
        if (found < fieldCount) {
            return counts + (found == 1 ? "; is " + delimiter + " the delimiter?" : "");
        }
        if (found == fieldCount + 1 && closed) {
            return counts + "; the record ends with one more " + delimiter;
        }
        return counts + (canQuote ? "; a field that holds " + delimiter + " must be quoted" : "");
    }
}
