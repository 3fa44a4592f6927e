package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.DigitKernels;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.ColumnType;

/**
 * DECIMAL(p,s): an optional sign, digits, and after a point at most s decimals that are not zero.
 * Fewer decimals than s are filled up with zeros.
 */
final class DecimalText {
    /** Bytes of a value of more than 18 digits. */
    static final int WIDE_BYTES = 16;

    /** Digits that fit an unsigned long for certain. */
    private static final int LONG_DIGITS = 19;

    /** With more decimals, point and decimals may not fit one word. */
    private static final int MAX_PLAIN_SCALE = 6;

    private static final long TEN_TO_19 = 10 * Digits.power(18);
    private static final long POINT = '.' ^ '0';
    private static final long REFUSED = Long.MIN_VALUE;

    /** With a larger scale a number of eight digits may not fit a long. */
    private static final int MAX_SHORT_SCALE = 10;

    /**
     * By scale what a number is multiplied with whose point is in a byte of its word, the ninth of
     * which stands for none; 0 if there are too many decimals behind it.
     */
    private static final long[][] UNITS = new long[ColumnType.MAX_LONG_DECIMAL_PRECISION + 1][9];

    static {
        for (int scale = 0; scale < UNITS.length; scale++) {
            for (int place = 0; place <= 8; place++) {
                int missing = scale - Math.max(0, 7 - place);
                UNITS[scale][place] = missing < 0 ? 0 : Digits.power(missing);
            }
        }
    }

    private DecimalText() {}

    /** Whether {@link #convertPlain} knows the type. */
    static boolean hasPlainForm(ColumnType.DecimalType type) {
        return type.scale() >= 1 && type.scale() <= MAX_PLAIN_SCALE;
    }

    /** Unsigned numbers of at most 16 characters, with all decimals or none. */
    static boolean convertPlain(
            FieldBounds fields, long[] out, int at, Scratch scratch, int scale, long limit) {
        if (!digits(fields, out, at, scratch, scale)) {
            return false;
        }
        long excess = 0;
        for (int i = at; i < at + fields.count(); i++) {
            excess |= limit - 1 - out[i] | out[i];
        }
        return excess >= 0;
    }

    private static boolean digits(
            FieldBounds fields, long[] out, int at, Scratch scratch, int scale) {
        byte[] text = fields.text();
        int[] before = fields.before();
        int[] end = fields.end();
        int count = fields.count();
        if (fields.longest() <= DigitKernels.WORD_CHARACTERS) {
            long unit = Digits.power(scale);
            return DigitKernels.decimals(text, before, end, count, out, at, scale, unit);
        }
        return fields.longest() <= DigitKernels.LONG_CHARACTERS
                && DigitKernels.longDecimals(
                        text, before, end, count, out, at, scale, scratch.words());
    }

    /**
     * Numbers of up to eight characters are read without a branch on where their point is: exports
     * leave zeros at the end out. Of others the common form is that with all decimals: with the
     * last character in the highest byte of a word the point has the same place in every row, so
     * that two masks take it out.
     *
     * @param limit 10 to the power of the precision
     */
    static boolean convert(FieldBounds fields, long[] out, int at, int scale, long limit) {
        byte[] text = fields.text();
        int count = fields.count();
        boolean placed = scale >= 1 && scale <= MAX_PLAIN_SCALE;
        int pointShift = placed ? 56 - 8 * scale : 0;
        long pointMask = placed ? 0xFFL << pointShift : 0;
        long point = placed ? POINT << pointShift : -1;
        long before = (1L << pointShift) - 1;
        long after = placed ? -1L << (pointShift + 8) : 0;
        long[] units = UNITS[scale];
        long faults = 0;
        for (int i = 0; i < count; i++) {
            int start = fields.start(i);
            int length = fields.length(i);
            int minus = text[start] == '-' ? 1 : 0;
            start += minus;
            length -= minus;
            long value;
            int head = length - 8;
            if (head <= 0 && scale <= MAX_SHORT_SCALE) {
                long word = Digits.word(text, start, length);
                int place = Digits.pointPlace(word);
                long digits = Digits.withoutPoint(word, place);
                value = Digits.value(digits) * units[place];
                faults |= Digits.faults(digits) | units[place] - 1 >> 63;
                // A point alone is no number.
                faults |= (length - 2 & place - 8) >> 31;
            } else if (head > 0 && (tail(text, start, length) & pointMask) == point) {
                long word = tail(text, start, length);
                long digits = (word & before) << 8 | (word & after);
                long upper = Digits.word(text, start, Math.min(head, 8));
                value = Digits.value(digits) + Digits.value(upper) * 10_000_000L;
                faults |= Digits.faults(digits) | Digits.faults(upper) | (8 - head) >> 31;
            } else {
                value = unusual(text, start, length, scale);
            }
            faults |= (length - minus) >> 31 | (limit - 1 - value) >> 63 | value >> 63;
            out[at + i] = (value ^ -minus) + minus;
        }
        return faults == 0;
    }

    private static long tail(byte[] text, int start, int length) {
        return Digits.word(text, start + length - 8, 8);
    }

    /** Any form of at most 18 digits, unscaled; {@link #REFUSED} for all others. */
    private static long unusual(byte[] text, int start, int length, int scale) {
        int to = start + length;
        int whole = Digits.run(text, start, to);
        int decimals = 0;
        if (start + whole < to) {
            int from = start + whole + 1;
            decimals = Digits.run(text, from, to);
            if (text[from - 1] != '.' || from + decimals != to) {
                return REFUSED;
            }
        }
        if (whole + decimals == 0 || decimals > scale || whole + scale > 18) {
            return REFUSED;
        }
        long value = Digits.number(text, start, whole) * Digits.power(decimals);
        value += Digits.number(text, to - decimals, decimals);
        return value * Digits.power(scale - decimals);
    }

    static boolean convertWide(
            FieldBounds fields, BytesColumn out, int row, ColumnType.DecimalType type) {
        byte[] text = fields.text();
        int count = fields.count();
        out.ensureRows(row + count);
        boolean good = true;
        byte[] value = new byte[WIDE_BYTES];
        for (int i = 0; i < count && good; i++) {
            boolean empty = fields.length(i) == 0;
            good =
                    empty
                            || readWide(type, text, fields.start(i), fields.length(i), value)
                                    == Finding.GOOD;
            out.append(row + i, value, 0, empty ? 0 : WIDE_BYTES);
        }
        return good;
    }

    static Parsed parse(ColumnType.DecimalType type, byte[] text, int from, int length) {
        byte[] value = new byte[WIDE_BYTES];
        Finding finding = readWide(type, text, from, length, value);
        if (finding == Finding.GOOD) {
            return type.precision() <= ColumnType.MAX_LONG_DECIMAL_PRECISION
                    ? new Parsed.LongValue(ByteAccess.getLongBigEndian(value, 8))
                    : new Parsed.BytesValue(value);
        }
        RejectReason reason =
                finding == Finding.TOO_LARGE ? RejectReason.OUT_OF_RANGE : RejectReason.BAD_VALUE;
        String hint =
                switch (finding) {
                    case NO_NUMBER -> IntegerText.hint(text, from, from + length);
                    case TOO_LARGE -> larger(type, text, from, from + length);
                    case GOOD, TOO_PRECISE -> "";
                };
        int whole = type.precision() - type.scale();
        return new Parsed.Invalid(
                reason,
                "a "
                        + type.sql()
                        + ", at most "
                        + whole
                        + " digits before the point and "
                        + type.scale()
                        + " after it"
                        + finding.words
                        + hint);
    }

    /** What {@link #readWide} finds, and how a message goes on. */
    private enum Finding {
        GOOD(""),
        NO_NUMBER(", written with digits, sign and point only"),
        TOO_LARGE(""),
        TOO_PRECISE("; round it, or declare a larger scale");

        private final String words;

        Finding(String words) {
            this.words = words;
        }
    }

    /** Which type would hold a number that has too many digits before the point, if any does. */
    private static String larger(ColumnType.DecimalType type, byte[] text, int from, int to) {
        int at = text[from] == '-' || text[from] == '+' ? from + 1 : from;
        while (text[at] == '0') {
            at++;
        }
        int whole = Digits.run(text, at, to);
        int end = to;
        while (end > at + whole && text[end - 1] == '0') {
            end--;
        }
        int decimals = Math.max(0, end - (at + whole) - 1);
        if (whole + type.scale() <= ColumnType.MAX_DECIMAL_PRECISION) {
            return "; a larger precision would hold it";
        }
        if (whole + decimals > ColumnType.MAX_DECIMAL_PRECISION) {
            return "";
        }
        return type.precision() == ColumnType.MAX_DECIMAL_PRECISION
                ? "; a smaller scale would hold it"
                : "; a larger precision with a smaller scale would hold it";
    }

    /** Writes the 16-byte form; answers whether that is possible. */
    private static Finding readWide(
            ColumnType.DecimalType type, byte[] text, int from, int length, byte[] out) {
        int to = from + length;
        boolean negative = length > 0 && text[from] == '-';
        int at = length > 0 && (negative || text[from] == '+') ? from + 1 : from;
        int whole = Digits.run(text, at, to);
        int pointAt = at + whole;
        int decimals = 0;
        if (pointAt < to) {
            decimals = Digits.run(text, pointAt + 1, to);
            if (text[pointAt] != '.' || pointAt + 1 + decimals != to) {
                return Finding.NO_NUMBER;
            }
        }
        if (whole + decimals == 0) {
            return Finding.NO_NUMBER;
        }
        for (int i = pointAt + 1 + type.scale(); i < to; i++) {
            if (text[i] != '0') {
                return Finding.TOO_PRECISE;
            }
        }
        while (at < pointAt && text[at] == '0') {
            at++;
        }
        if (pointAt - at > type.precision() - type.scale()) {
            return Finding.TOO_LARGE;
        }
        int digits = pointAt - at + type.scale();
        long high = 0;
        long low = 0;
        for (int i = 0; i < digits; i++) {
            int position = at + i < pointAt ? at + i : at + i + 1;
            int digit = position < to ? text[position] - '0' : 0;
            if (i < digits - LONG_DIGITS) {
                high = 10 * high + digit;
            } else {
                low = 10 * low + digit;
            }
        }
        putWide(negative, high, low, out);
        return Finding.GOOD;
    }

    /** The 16-byte form of {@code high * 10^19 + low}, both unsigned. */
    private static void putWide(boolean negative, long high, long low, byte[] out) {
        long upper = Math.unsignedMultiplyHigh(high, TEN_TO_19);
        long lower = high * TEN_TO_19 + low;
        upper += Long.compareUnsigned(lower, low) < 0 ? 1 : 0;
        if (negative) {
            lower = -lower;
            upper = ~upper + (lower == 0 ? 1 : 0);
        }
        ByteAccess.putLongBigEndian(out, 0, upper ^ Long.MIN_VALUE);
        ByteAccess.putLongBigEndian(out, 8, lower);
    }
}
