package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.Counted;
import dev.penstock.kernel.HexDigits;
import dev.penstock.reject.RejectReason;

import java.util.Arrays;

/** VARBINARY: pairs of hexadecimal digits, with {@code \x} before them or without. */
final class BinaryText {
    /** Bytes that eight digits write. */
    private static final int WORD_BYTES = 4;

    private static final byte[] VALUES = new byte[256];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int i = 0; i < 16; i++) {
            VALUES[Character.forDigit(i, 16)] = (byte) i;
            VALUES[Character.toUpperCase(Character.forDigit(i, 16))] = (byte) i;
        }
    }

    private BinaryText() {}

    static boolean convert(FieldBounds fields, BytesColumn out, int row, int maxBytes) {
        byte[] text = fields.text();
        int count = fields.count();
        out.ensureRows(row + count);
        int[] offsets = out.offsets();
        boolean good = true;
        for (int i = 0; i < count && good; i++) {
            int prefix = prefix(text, fields.start(i), fields.length(i));
            int digits = fields.length(i) - prefix;
            int at = offsets[row + i];
            out.ensureBytes(at + (long) (digits >> 1));
            offsets[row + i + 1] = at + (digits >> 1);
            good =
                    (digits & 1) == 0
                            && digits >> 1 <= maxBytes
                            && decode(text, fields.start(i) + prefix, digits >> 1, out.data(), at);
        }
        return good;
    }

    static Parsed parse(int maxBytes, byte[] text, int from, int length) {
        int prefix = prefix(text, from, length);
        int digits = length - prefix;
        byte[] value = new byte[digits >> 1];
        if ((digits & 1) != 0 || !decode(text, from + prefix, digits >> 1, value, 0)) {
            return new Parsed.Invalid(
                    RejectReason.BAD_VALUE,
                    "pairs of hexadecimal digits, as 00ff or \\x00ff"
                            + ((digits & 1) != 0 ? "; the number of digits is odd" : ""));
        }
        if (value.length > maxBytes) {
            return new Parsed.Invalid(
                    RejectReason.TOO_LONG,
                    "at most " + Counted.of(maxBytes, "byte") + ", found " + value.length);
        }
        return new Parsed.BytesValue(value);
    }

    private static int prefix(byte[] text, int from, int length) {
        return length >= 2 && text[from] == '\\' && text[from + 1] == 'x' ? 2 : 0;
    }

    /** Decodes {@code byteCount} pairs of digits; false if one is no digit. */
    private static boolean decode(byte[] text, int from, int byteCount, byte[] out, int at) {
        long faults = 0;
        int whole = byteCount & -WORD_BYTES;
        for (int i = 0; i < whole; i += WORD_BYTES) {
            long digits = ByteAccess.getLong(text, from + 2 * i);
            faults |= HexDigits.faults(digits);
            ByteAccess.putInt(out, at + i, HexDigits.bytes(digits));
        }
        int pairFaults = 0;
        for (int i = whole; i < byteCount; i++) {
            int high = VALUES[text[from + 2 * i] & 0xFF];
            int low = VALUES[text[from + 2 * i + 1] & 0xFF];
            pairFaults |= high | low;
            out[at + i] = (byte) (high << 4 | low);
        }
        return faults == 0 && pairFaults >= 0;
    }
}
