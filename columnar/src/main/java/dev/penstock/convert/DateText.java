package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.DigitKernels;
import dev.penstock.reject.RejectReason;

import java.time.Month;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.Locale;

/** DATE: {@code yyyy-mm-dd}, years 0001 to 9999 of the proleptic Gregorian calendar. */
final class DateText {
    static final int LENGTH = 10;

    /** What {@link #days} answers for text that is no date. */
    static final long NO_DATE = Long.MIN_VALUE;

    private static final int YEARS = 1 << 14;

    /** Twice the days from 1970-01-01 to the year's first day, plus 1 in leap years. */
    private static final int[] YEAR_STARTS = new int[YEARS];

    /** By leap year and month: days of the year before the month. */
    private static final short[] MONTH_STARTS = new short[32];

    /** By leap year and month: days of the month, 0 where there is no such month. */
    private static final byte[] MONTH_DAYS = new byte[32];

    static {
        long start = java.time.LocalDate.of(0, 1, 1).toEpochDay();
        for (int year = 0; year < 10_000; year++) {
            boolean leap = java.time.Year.isLeap(year);
            YEAR_STARTS[year] = (int) (2 * start) + (leap ? 1 : 0);
            start += leap ? 366 : 365;
        }
        for (int leap = 0; leap < 2; leap++) {
            int day = 0;
            for (int month = 1; month <= 12; month++) {
                MONTH_STARTS[16 * leap + month] = (short) day;
                MONTH_DAYS[16 * leap + month] = (byte) Month.of(month).length(leap == 1);
                day += Month.of(month).length(leap == 1);
            }
        }
    }

    private DateText() {}

    static boolean convertPlain(FieldBounds fields, long[] out, int at, Scratch scratch) {
        return DigitKernels.dates(
                        fields.text(),
                        fields.before(),
                        fields.end(),
                        fields.count(),
                        out,
                        at,
                        scratch.words())
                == 0;
    }

    static boolean convert(FieldBounds fields, long[] out, int at) {
        byte[] text = fields.text();
        int count = fields.count();
        long faults = 0;
        for (int i = 0; i < count; i++) {
            if (fields.length(i) == LENGTH) {
                long days = days(text, fields.start(i));
                faults |= days == NO_DATE ? 1 : 0;
                out[at + i] = days;
            } else {
                faults |= fields.length(i);
                out[at + i] = 0;
            }
        }
        return faults == 0;
    }

    /** Days since 1970-01-01 of the ten bytes at {@code from}, or {@link #NO_DATE}. */
    static long days(byte[] text, int from) {
        long head = ByteAccess.getLong(text, from);
        long digits =
                (head & 0x00000000FFFFFFFFL)
                        | (head >>> 8 & 0x0000FFFF00000000L)
                        | (long) ByteAccess.getShort(text, from + 8) << 48;
        long word = digits ^ 0x3030303030303030L;
        long dashes = (head ^ 0x2D00002D00000000L) & 0xFF0000FF00000000L;
        long pairs = (word * 10 + (word >>> 8)) & 0x00FF00FF00FF00FFL;
        int year = (int) ((pairs & 0xFF) * 100 + (pairs >>> 16 & 0xFF)) & (YEARS - 1);
        int month = (int) (pairs >>> 32) & 0xFF;
        int day = (int) (pairs >>> 48);
        int yearStart = YEAR_STARTS[year];
        int monthIndex = (yearStart & 1) << 4 | (month & 15);
        boolean good =
                (Digits.faults(word) | dashes | (month >>> 4)) == 0
                        && year != 0
                        && day - 1 >= 0
                        && day <= MONTH_DAYS[monthIndex];
        return good ? (yearStart >> 1) + MONTH_STARTS[monthIndex] + day - 1L : NO_DATE;
    }

    static Parsed parse(byte[] text, int from, int length) {
        if (!hasForm(text, from, length)) {
            return new Parsed.Invalid(RejectReason.BAD_VALUE, expected(text, from, length));
        }
        int year = (int) Digits.number(text, from, 4);
        int month = (int) Digits.number(text, from + 5, 2);
        int day = (int) Digits.number(text, from + 8, 2);
        if (year == 0 || month == 0 || month > 12) {
            return new Parsed.Invalid(
                    RejectReason.OUT_OF_RANGE,
                    "a date that exists: years 0001 to 9999, months 01 to 12");
        }
        int last = YearMonth.of(year, month).lengthOfMonth();
        if (day == 0 || day > last) {
            String name = Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            return new Parsed.Invalid(
                    RejectReason.OUT_OF_RANGE,
                    "a date that exists: " + name + " " + year + " has " + last + " days");
        }
        return new Parsed.LongValue(java.time.LocalDate.of(year, month, day).toEpochDay());
    }

    /** Whether text has the form of a date. */
    static boolean hasForm(byte[] text, int from, int length) {
        return length == LENGTH
                && Digits.run(text, from, from + 4) == 4
                && text[from + 4] == '-'
                && Digits.run(text, from + 5, from + 7) == 2
                && text[from + 7] == '-'
                && Digits.run(text, from + 8, from + 10) == 2;
    }

    private static String expected(byte[] text, int from, int length) {
        boolean blanks = length > 0 && (text[from] == ' ' || text[from + length - 1] == ' ');
        return "a date as yyyy-mm-dd" + (blanks ? "; remove the blanks around it" : "");
    }
}
