package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.WideOrder;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Physical values as text; {@link ValueParser} reads all of it back to the same value.
 *
 * <p>Decimals have all decimals of their scale, fractions of seconds appear only if they are not 0,
 * and REAL and DOUBLE are the shortest text that reads back the same. Nothing is allocated but for
 * REAL, DOUBLE and DECIMAL of more than 18 digits.
 */
public final class ValueFormatter {
    /** Most bytes that any LONG value takes as text. */
    static final int MAX_LONG_TEXT = 48;

    /** By a number of two digits, their text as a little-endian number. */
    private static final short[] PAIRS = new short[100];

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SMALLEST =
            "9223372036854775808".getBytes(StandardCharsets.US_ASCII);

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[i] = (short) ('0' + i / 10 | '0' + i % 10 << 8);
        }
    }

    private ValueFormatter() {}

    /** Appends the text of a value of a LONG type. */
    public static void format(ColumnType type, long value, ByteBuilder out) {
        int at = out.reserve(MAX_LONG_TEXT);
        out.setLength(put(type, value, out.array(), at));
    }

    /**
     * Writes the text of a value of a LONG type to an array that has {@link #MAX_LONG_TEXT} bytes
     * left; returns where it ends.
     */
    static int put(ColumnType type, long value, byte[] target, int at) {
        return switch (type) {
            case ColumnType.BooleanType _ -> put(value != 0 ? TRUE : FALSE, target, at);
            case ColumnType.SmallIntType _, ColumnType.IntegerType _, ColumnType.BigIntType _ ->
                    putNumber(value, target, at);
            case ColumnType.DecimalType decimal -> putDecimal(value, decimal.scale(), target, at);
            case ColumnType.DateType _ -> putDate(value, target, at);
            case ColumnType.TimeType _ -> putTime(value, target, at);
            case ColumnType.TimestampType _ -> putTimestamp(value, target, at);
            case ColumnType.RealType _ ->
                    putAscii(Float.toString((float) FloatOrder.fromOrdered(value)), target, at);
            case ColumnType.DoubleType _ ->
                    putAscii(Double.toString(FloatOrder.fromOrdered(value)), target, at);
            case ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    throw new IllegalArgumentException(type.sql() + " is not held as a number");
        };
    }

    private static int put(byte[] word, byte[] target, int at) {
        System.arraycopy(word, 0, target, at, word.length);
        return at + word.length;
    }

    /** Appends the text of a value of a BYTES type. */
    public static void format(ColumnType type, byte[] data, int from, int to, ByteBuilder out) {
        switch (type) {
            case ColumnType.CharType _, ColumnType.VarcharType _ ->
                    out.write(data, from, to - from);
            case ColumnType.VarbinaryType _ -> putHex(data, from, to, out);
            case ColumnType.UuidType _ -> {
                for (int i = 0, at = from; i < 5; i++) {
                    int length = i == 0 ? 4 : i == 4 ? 6 : 2;
                    if (i > 0) {
                        out.putByte('-');
                    }
                    putHex(data, at, at + length, out);
                    at += length;
                }
            }
            case ColumnType.DecimalType decimal ->
                    putAscii(wide(data, from, to, decimal.scale()).toPlainString(), out);
            case ColumnType.BooleanType _,
                    ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.RealType _,
                    ColumnType.DoubleType _,
                    ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _ ->
                    throw new IllegalArgumentException(type.sql() + " is not held as bytes");
        }
    }

    /** The value of a DECIMAL of more than 18 digits. */
    public static BigDecimal wide(byte[] data, int from, int to, int scale) {
        return new BigDecimal(WideOrder.fromOrdered(data, from, to), scale);
    }

    static int putNumber(long value, byte[] target, int at) {
        if (value >= 0) {
            return putUnsigned(value, digitCount(value), target, at);
        }
        target[at] = '-';
        if (value == Long.MIN_VALUE) {
            System.arraycopy(SMALLEST, 0, target, at + 1, SMALLEST.length);
            return at + 1 + SMALLEST.length;
        }
        return putUnsigned(-value, digitCount(-value), target, at + 1);
    }

    static int putDecimal(long value, int scale, byte[] target, int at) {
        if (scale == 0) {
            return putNumber(value, target, at);
        }
        int start = at;
        if (value < 0) {
            target[start++] = '-';
        }
        long unit = Digits.power(scale);
        long magnitude = Math.abs(value);
        long whole = magnitude / unit;
        int point = putUnsigned(whole, digitCount(whole), target, start);
        target[point] = '.';
        return putUnsigned(magnitude - whole * unit, scale, target, point + 1);
    }

    static int putDate(long days, byte[] target, int at) {
        // Days since 0000-03-01 to year, month, day: Hinnant's civil_from_days.
        long shifted = days + 719_468;
        long era = Math.floorDiv(shifted, 146_097L);
        int dayOfEra = (int) (shifted - era * 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        long year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
        int end =
                year >= 0 && year <= 9999
                        ? putUnsigned(year, 4, target, at)
                        : putNumber(year, target, at);
        target[end] = '-';
        putUnsigned(month, 2, target, end + 1);
        target[end + 3] = '-';
        return putUnsigned(day, 2, target, end + 4);
    }

    private static int putTime(long micros, byte[] target, int at) {
        long seconds = micros / TimeText.MICROS_PER_SECOND;
        long fraction = micros - seconds * TimeText.MICROS_PER_SECOND;
        int minutes = (int) (seconds / 60);
        putUnsigned(minutes / 60, 2, target, at);
        target[at + 2] = ':';
        putUnsigned(minutes % 60, 2, target, at + 3);
        target[at + 5] = ':';
        int end = putUnsigned(seconds - 60L * minutes, 2, target, at + 6);
        if (fraction == 0) {
            return end;
        }
        target[end] = '.';
        return putUnsigned(fraction, 6, target, end + 1);
    }

    private static int putTimestamp(long micros, byte[] target, int at) {
        long days = Math.floorDiv(micros, TimeText.MICROS_PER_DAY);
        int end = putDate(days, target, at);
        target[end] = ' ';
        return putTime(micros - days * TimeText.MICROS_PER_DAY, target, end + 1);
    }

    private static int digitCount(long value) {
        int count = 1;
        while (count < 19 && value >= Digits.power(count)) {
            count++;
        }
        return count;
    }

    /** Writes the last {@code digits} digits of a number that is not negative. */
    private static int putUnsigned(long value, int digits, byte[] target, int at) {
        int end = at + digits;
        int position = end;
        long rest = value;
        while (position - at >= 2) {
            long upper = rest / 100;
            position -= 2;
            ByteAccess.putShort(target, position, PAIRS[(int) (rest - 100 * upper)]);
            rest = upper;
        }
        if (position > at) {
            target[at] = (byte) ('0' + rest % 10);
        }
        return end;
    }

    private static void putHex(byte[] data, int from, int to, ByteBuilder out) {
        int at = out.reserve(2 * (to - from));
        byte[] target = out.array();
        for (int i = from; i < to; i++) {
            ByteAccess.putShort(target, at, HEX[data[i] & 15] << 8 | HEX[data[i] >> 4 & 15]);
            at += 2;
        }
        out.setLength(at);
    }

    private static void putAscii(String text, ByteBuilder out) {
        int at = out.reserve(text.length());
        out.setLength(putAscii(text, out.array(), at));
    }

    @SuppressWarnings("deprecation") // the text is ASCII, and this copies it in one go
    private static int putAscii(String text, byte[] target, int at) {
        text.getBytes(0, text.length(), target, at);
        return at + text.length();
    }
}
