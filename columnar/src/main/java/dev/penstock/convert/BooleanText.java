package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.reject.RejectReason;

/** BOOLEAN: true, false, t, f, 1 or 0, in any case. */
final class BooleanText {
    private static final long LOWER_CASE = 0x2020202020202020L;
    private static final long TRUE = 0x65757274L;
    private static final long FALSE = 0x65736C6166L;

    private static final int LONGEST = 5;

    // The words with their last character in the highest byte, and a bit in which they differ.
    private static final long TRUE_WORD = TRUE << 32;
    private static final long FALSE_WORD = FALSE << 24;
    private static final int DIFFERING = 50;

    private BooleanText() {}

    /** Only true and false, in lower case. */
    static boolean convertPlain(FieldBounds fields, long[] out, int at) {
        if (fields.longest() > LONGEST) {
            return false;
        }
        byte[] text = fields.text();
        int count = fields.count();
        long faults = 0;
        for (int i = 0; i < count; i++) {
            int length = fields.length(i);
            int shift = 4 * (8 - length);
            long word = (ByteAccess.getLong(text, fields.start(i)) << shift) << shift;
            long value = word >>> DIFFERING & 1;
            // All ones unless the field is empty.
            long some = -(long) length >> 63;
            long different = word ^ FALSE_WORD ^ (FALSE_WORD ^ TRUE_WORD) & -value;
            // Zero bytes before a word do not show in it.
            faults |= (different | length - LONGEST + value) & some;
            out[at + i] = value;
        }
        return faults == 0;
    }

    static boolean convert(FieldBounds fields, long[] out, int at) {
        byte[] text = fields.text();
        int count = fields.count();
        int faults = 0;
        for (int i = 0; i < count; i++) {
            int value = fields.length(i) == 0 ? 0 : value(text, fields.start(i), fields.length(i));
            faults |= value;
            out[at + i] = value;
        }
        return faults >= 0;
    }

    /** 1, 0, or -1 if it is neither; reads 8 bytes. */
    private static int value(byte[] text, int from, int length) {
        long word = ByteAccess.getLong(text, from);
        if (length == 1) {
            int lower = (int) word & 0xFF | 0x20;
            boolean digit = (word & 0xFE) == '0';
            return digit ? (int) word & 1 : lower == 't' ? 1 : lower == 'f' ? 0 : -1;
        }
        long lower = word | LOWER_CASE;
        if (length == 4 && (lower & 0xFFFFFFFFL) == TRUE) {
            return 1;
        }
        return length == 5 && (lower & 0xFFFFFFFFFFL) == FALSE ? 0 : -1;
    }

    static Parsed parse(byte[] text, int from, int length) {
        byte[] padded = new byte[8];
        System.arraycopy(text, from, padded, 0, Math.min(length, 8));
        int value = length == 0 || length > 5 ? -1 : value(padded, 0, length);
        return value >= 0
                ? new Parsed.LongValue(value)
                : new Parsed.Invalid(
                        RejectReason.BAD_VALUE, "a boolean: true, false, t, f, 1 or 0");
    }
}
