package dev.penstock.cli.generate;

import dev.penstock.bytes.ByteBuilder;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/** Appends values to a line of text. */
final class WideText {
    private static final int FIRST_DAY = 8_000;
    private static final int DAYS = 16_000;

    /** The dates from 1991 to 2035 as text, ten bytes each. */
    private static final byte[] DATES = dates();

    private WideText() {}

    static void number(ByteBuilder out, long value) {
        if (value < 0) {
            out.putByte('-');
        }
        digits(out, Math.abs(value), 1);
    }

    /** At least {@code width} digits, with leading zeros. */
    static void digits(ByteBuilder out, long value, int width) {
        int count = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            count++;
        }
        count = Math.max(count, width);
        int from = out.reserve(count);
        byte[] bytes = out.array();
        long rest = value;
        for (int at = from + count - 1; at >= from; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        out.setLength(from + count);
    }

    /** A decimal number of {@code scale} digits after the point. */
    static void decimal(ByteBuilder out, long unscaled, int scale) {
        long power = 1;
        for (int i = 0; i < scale; i++) {
            power *= 10;
        }
        if (unscaled < 0) {
            out.putByte('-');
        }
        digits(out, Math.abs(unscaled) / power, 1);
        out.putByte('.');
        digits(out, Math.abs(unscaled) % power, scale);
    }

    /** {@code 2024-05-31}; days since 1970 between 1991 and 2035. */
    static void date(ByteBuilder out, int day) {
        out.write(DATES, 10 * (day - FIRST_DAY), 10);
    }

    /** {@code 13:05:59}; seconds of a day. */
    static void time(ByteBuilder out, int second) {
        digits(out, second / 3600, 2);
        out.putByte(':');
        digits(out, second / 60 % 60, 2);
        out.putByte(':');
        digits(out, second % 60, 2);
    }

    static void ascii(ByteBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            out.putByte(text.charAt(i));
        }
    }

    static void hex(ByteBuilder out, long value, int digits) {
        for (int i = digits - 1; i >= 0; i--) {
            out.putByte("0123456789abcdef".charAt((int) (value >>> 4 * i & 15)));
        }
    }

    private static byte[] dates() {
        ByteBuilder out = new ByteBuilder(10 * DAYS);
        for (int day = 0; day < DAYS; day++) {
            String text = LocalDate.ofEpochDay(FIRST_DAY + day).toString();
            out.write(text.getBytes(StandardCharsets.US_ASCII), 0, 10);
        }
        return out.toByteArray();
    }
}
