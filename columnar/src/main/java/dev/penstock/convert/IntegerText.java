package dev.penstock.convert;

import dev.penstock.kernel.DigitKernels;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.ColumnType;

/** SMALLINT, INTEGER and BIGINT: an optional sign and digits. */
final class IntegerText {
    private static final long TEN_TO_8 = 100_000_000L;
    private static final long TEN_TO_16 = 10_000_000_000_000_000L;

    private IntegerText() {}

    /** Unsigned numbers of at most 16 digits; 0 where there is none. */
    static boolean convertPlain(
            FieldBounds fields, long[] out, int at, Scratch scratch, int bytes) {
        byte[] text = fields.text();
        int[] before = fields.before();
        int[] end = fields.end();
        int count = fields.count();
        if (fields.longest() <= DigitKernels.WORD_CHARACTERS) {
            return DigitKernels.numbers(text, before, end, count, out, at)
                    && (bytes >= 4 || fit(out, at, count, bytes));
        }
        return fields.longest() <= DigitKernels.LONG_CHARACTERS
                && DigitKernels.longNumbers(text, before, end, count, out, at, scratch.words())
                && (bytes == 8 || fit(out, at, count, bytes));
    }

    /** Whether values that are not negative fit so many bytes. */
    private static boolean fit(long[] values, int at, int count, int valueBytes) {
        long bits = 0;
        for (int i = at; i < at + count; i++) {
            bits |= values[i];
        }
        return bits >>> (8 * valueBytes - 1) == 0;
    }

    static boolean convert(FieldBounds fields, long[] out, int at, int valueBytes) {
        byte[] text = fields.text();
        int count = fields.count();
        int unused = 64 - 8 * valueBytes;
        long faults = 0;
        for (int i = 0; i < count; i++) {
            int start = fields.start(i);
            int length = fields.length(i);
            int minus = text[start] == '-' ? 1 : 0;
            start += minus;
            length -= minus;
            long value;
            if (length <= 8) {
                long word = Digits.word(text, start, length);
                faults |= Digits.faults(word) | ((length - minus) >> 31);
                value = Digits.value(word);
            } else if (length <= 19) {
                value = upTo19(text, start, length);
                faults |= value >> 63;
            } else {
                value = 0;
                faults = -1;
            }
            value = (value ^ -minus) + minus;
            faults |= value ^ (value << unused >> unused);
            out[at + i] = value;
        }
        return faults == 0;
    }

    /** 9 to 19 digits; negative if they are none or too large. */
    private static long upTo19(byte[] text, int start, int length) {
        int tail = start + length - 8;
        long low = Digits.word(text, tail, 8);
        if (length <= 16) {
            long high = Digits.word(text, start, length - 8);
            long value = Digits.value(high) * TEN_TO_8 + Digits.value(low);
            return (Digits.faults(high) | Digits.faults(low)) == 0 ? value : -1;
        }
        long middle = Digits.word(text, tail - 8, 8);
        long high = Digits.word(text, start, length - 16);
        long value =
                Digits.value(high) * TEN_TO_16
                        + Digits.value(middle) * TEN_TO_8
                        + Digits.value(low);
        boolean digits = (Digits.faults(high) | Digits.faults(middle) | Digits.faults(low)) == 0;
        return digits ? value : -1;
    }

    static Parsed parse(int valueBytes, byte[] text, int from, int length) {
        long max = Long.MAX_VALUE >> (64 - 8 * valueBytes);
        String expected = "a whole number from " + (-max - 1) + " to " + max;
        int to = from + length;
        int at = from;
        boolean negative = length > 0 && text[from] == '-';
        if (length > 0 && (negative || text[from] == '+')) {
            at++;
        }
        if (at == to || Digits.run(text, at, to) < to - at) {
            return new Parsed.Invalid(RejectReason.BAD_VALUE, expected + hint(text, from, to));
        }
        while (at < to - 1 && text[at] == '0') {
            at++;
        }
        // 19 digits fit an unsigned long; compared as such, the smallest value is in range too.
        long magnitude = 0;
        for (int i = at; i < to && to - at <= 19; i++) {
            magnitude = 10 * magnitude + (text[i] - '0');
        }
        long limit = negative ? -(-max - 1) : max;
        if (to - at > 19 || Long.compareUnsigned(magnitude, limit) > 0) {
            long most = negative ? Long.MIN_VALUE : Long.MAX_VALUE;
            boolean fitsLong = to - at <= 19 && Long.compareUnsigned(magnitude, most) <= 0;
            return new Parsed.Invalid(
                    RejectReason.OUT_OF_RANGE, expected + wider(fitsLong, to - at));
        }
        return new Parsed.LongValue(negative ? -magnitude : magnitude);
    }

    /** Which type would hold a number that is too large, if any does. */
    private static String wider(boolean fitsLong, int digits) {
        if (fitsLong) {
            return "; a BIGINT column holds larger numbers";
        }
        return digits <= ColumnType.MAX_DECIMAL_PRECISION
                ? "; a DECIMAL column of up to 38 digits could hold it"
                : "";
    }

    /** What is most likely wrong with a number. */
    static String hint(byte[] text, int from, int to) {
        if (from == to) {
            return "";
        }
        if (text[from] == ' ' || text[to - 1] == ' ') {
            return "; remove the blanks around it";
        }
        int digits = 0;
        boolean point = false;
        boolean separator = false;
        for (int i = from; i < to; i++) {
            digits += Digits.isDigit(text[i]) ? 1 : 0;
            point |= text[i] == '.';
            separator |= text[i] == ',' || text[i] == '_' || text[i] == '\'';
        }
        if (digits > 0 && separator) {
            return "; write it without separators, with a point before the decimals";
        }
        return digits > 0 && point ? "; a DECIMAL or DOUBLE column takes decimals" : "";
    }
}
