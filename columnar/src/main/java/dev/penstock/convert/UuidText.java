package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.HexDigits;
import dev.penstock.reject.RejectReason;

/** UUID: 8-4-4-4-12 hexadecimal digits. */
final class UuidText {
    static final int VALUE_BYTES = 16;

    private static final int LENGTH = 36;

    private UuidText() {}

    static boolean convert(FieldBounds fields, BytesColumn out, int row) {
        byte[] text = fields.text();
        int count = fields.count();
        out.ensureRows(row + count);
        int[] offsets = out.offsets();
        out.ensureBytes(offsets[row] + (long) VALUE_BYTES * count);
        boolean good = true;
        for (int i = 0; i < count; i++) {
            int at = offsets[row + i];
            boolean empty = fields.length(i) == 0;
            offsets[row + i + 1] = empty ? at : at + VALUE_BYTES;
            good &= empty || decode(text, fields.start(i), fields.length(i), out.data(), at);
        }
        return good;
    }

    static Parsed parse(byte[] text, int from, int length) {
        byte[] value = new byte[VALUE_BYTES];
        return decode(text, from, length, value, 0)
                ? new Parsed.BytesValue(value)
                : new Parsed.Invalid(
                        RejectReason.BAD_VALUE, "a UUID as 123e4567-e89b-12d3-a456-426614174000");
    }

    private static boolean decode(byte[] text, int from, int length, byte[] out, int at) {
        if (length != LENGTH) {
            return false;
        }
        int dashes =
                text[from + 8] ^ '-'
                        | text[from + 13] ^ '-'
                        | text[from + 18] ^ '-'
                        | text[from + 23] ^ '-';
        long first = ByteAccess.getLong(text, from);
        long second = join(text, from + 9, from + 14);
        long third = join(text, from + 19, from + 24);
        long fourth = ByteAccess.getLong(text, from + 28);
        ByteAccess.putInt(out, at, HexDigits.bytes(first));
        ByteAccess.putInt(out, at + 4, HexDigits.bytes(second));
        ByteAccess.putInt(out, at + 8, HexDigits.bytes(third));
        ByteAccess.putInt(out, at + 12, HexDigits.bytes(fourth));
        long faults =
                HexDigits.faults(first)
                        | HexDigits.faults(second)
                        | HexDigits.faults(third)
                        | HexDigits.faults(fourth);
        return (dashes | faults) == 0;
    }

    /** Four characters and four others. */
    private static long join(byte[] text, int low, int high) {
        return ByteAccess.getInt(text, low) & 0xFFFF_FFFFL
                | (long) ByteAccess.getInt(text, high) << 32;
    }
}
