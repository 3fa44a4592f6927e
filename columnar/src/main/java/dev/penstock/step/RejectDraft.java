package dev.penstock.step;

import dev.penstock.bytes.Printable;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Makes {@link Reject}s out of positions in a text, keeping their parts bounded. */
final class RejectDraft {
    /** Longest value shown, in characters. */
    static final int MAX_VALUE_LENGTH = 200;

    private RejectDraft() {}

    static Reject of(
            RejectReason reason,
            int sourceIndex,
            long bytePosition,
            String columnName,
            String value,
            String expected,
            byte[] text,
            int from,
            int to) {
        int end = Math.min(to, from + Reject.MAX_RECORD_BYTES);
        return new Reject(
                reason,
                sourceIndex,
                bytePosition,
                Reject.LINE_UNKNOWN,
                columnName,
                value,
                expected,
                Arrays.copyOfRange(text, from, end));
    }

    /**
     * A field's bytes as text of bounded length, not {@link Printable} yet; what is not UTF-8 shows
     * as U+FFFD.
     */
    static String shown(byte[] text, int from, int to) {
        // Enough for one character more than is shown, so that it is seen that there are more.
        int bytes = Math.min(to - from, 4 * (MAX_VALUE_LENGTH + 1));
        String value = new String(text, from, Math.max(0, bytes), StandardCharsets.UTF_8);
        return Printable.cut(value, MAX_VALUE_LENGTH);
    }
}
