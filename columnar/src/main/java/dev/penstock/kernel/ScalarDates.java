package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.time.LocalDate;
import java.util.Arrays;

/**
 * The scalar form of {@link DigitKernels#dates}; also the tail of the vector form. The first eight
 * bytes of a date of the usual years, {@code yyyy-mm-}, are looked up in a table that says what
 * they must be, so that nothing of them needs another check; the last two in a table of all pairs
 * of bytes.
 */
final class ScalarDates {
    static final int CHARACTERS = 10;

    /** The day number of 1970-01-01, counted from 1 on the first day of year 0. */
    static final int EPOCH_DAY = 719_529;

    static final long DASHES = 0x2D00002D00000000L;
    static final long DASH_BYTES = 0xFF0000FF00000000L;
    static final long YEAR_BYTES = 0x00000000FFFFFFFFL;
    static final long MONTH_BYTES = 0x0000FFFF00000000L;
    static final long DAY_BYTES = 0xFFFF000000000000L;
    static final long ZEROS = 0x3030303030303030L;
    static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    static final long SIXES = 0x0606060606060606L;
    static final long PAIRS = 0x00FF00FF00FF00FFL;

    /** The years of the table. */
    private static final int FIRST_YEAR = 1900;

    private static final int END_YEAR = 2100;

    /** Two words for each value of 14 bits. */
    private static final int WORDS = 1 << 15;

    /**
     * The bits in which the months of two centuries differ, and how they come to be the highest.
     */
    private static final long MONTH_BITS = 0x000F_0100_0F0F_0002L;

    private static final long TO_HIGHEST = 1L << 62 | 1L << 42 | 1L << 30 | 1L << 22 | 1L << 2;

    /**
     * At the {@link #place} of a month its eight bytes, then the day before it, counted from
     * 1970-01-01, times 32, plus its number of days.
     */
    private static final long[] MONTHS = months();

    /** What no month has so many days for. */
    private static final byte NO_DAY = Byte.MAX_VALUE;

    /** The day of a month, 1 to 31, that two bytes stand for, or {@link #NO_DAY}. */
    private static final byte[] DAYS = dayNumbers();

    private ScalarDates() {}

    private static long[] months() {
        long[] months = new long[WORDS];
        long day = LocalDate.of(FIRST_YEAR, 1, 1).toEpochDay() - 1;
        for (int year = FIRST_YEAR; year < END_YEAR; year++) {
            for (int month = 1; month <= 12; month++) {
                long head = head(year, month);
                int length = length(year, month);
                months[place(head)] = head;
                months[place(head) + 1] = day << 5 | length;
                day += length;
            }
        }
        return months;
    }

    /** The first eight bytes of the month's dates. */
    private static long head(int year, int month) {
        long century = year / 100;
        long ofCentury = year % 100;
        long digits =
                century / 10
                        | century % 10 << 8
                        | ofCentury / 10 << 16
                        | ofCentury % 10 << 24
                        | month / 10L << 40
                        | month % 10L << 48;
        return digits | ZEROS & ~DASH_BYTES | DASHES;
    }

    private static byte[] dayNumbers() {
        byte[] days = new byte[1 << 16];
        Arrays.fill(days, NO_DAY);
        for (int day = 1; day <= 31; day++) {
            days['0' + day / 10 | ('0' + day % 10) << 8] = (byte) day;
        }
        return days;
    }

    /** An even number below {@link #WORDS}, another one for each month of the table. */
    private static int place(long head) {
        return (int) ((head & MONTH_BITS) * TO_HIGHEST >>> 49) & ~1;
    }

    /** Days of a month; 0 if there is no such month. */
    private static int length(int year, int month) {
        boolean leap = (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
        int usual = 30 + ((month ^ month >>> 3) & 1);
        return month == 2 ? (leap ? 29 : 28) : month >= 1 && month <= 12 ? usual : 0;
    }

    static long dates(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        long wrong = 0;
        int late = 0;
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            // All ones unless the field is empty.
            int some = -length >> 31;
            long head = ByteAccess.getLong(text, start);
            int day = DAYS[ByteAccess.getShort(text, start + 8) & 0xFFFF];
            int place = place(head);
            int month = (int) MONTHS[place + 1];
            wrong |= (MONTHS[place] ^ head | length ^ CHARACTERS) & some;
            // Negative if the month has no such day.
            late |= (month & 31) - day & some;
            out[at + i] = (long) (month >> 5) + day & some;
        }
        boolean good = wrong == 0 && late >= 0;
        return good ? 0 : exactly(text, before, end, from, count, out, at);
    }

    /** The same of fields that all have {@link #CHARACTERS} bytes. */
    static long fullDates(byte[] text, int[] before, int[] end, int count, long[] out, int at) {
        long wrong = 0;
        int late = 0;
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            long head = ByteAccess.getLong(text, start);
            int day = DAYS[ByteAccess.getShort(text, start + 8) & 0xFFFF];
            int place = place(head);
            int month = (int) MONTHS[place + 1];
            wrong |= MONTHS[place] ^ head;
            late |= (month & 31) - day;
            out[at + i] = (long) (month >> 5) + day;
        }
        boolean good = wrong == 0 && late >= 0;
        return good ? 0 : exactly(text, before, end, 0, count, out, at);
    }

    /** The day of the ten bytes at {@code start}, of any year; {@code noDate} if they are none. */
    static long day(byte[] text, int start, long noDate) {
        long head = ByteAccess.getLong(text, start);
        int day = DAYS[ByteAccess.getShort(text, start + 8) & 0xFFFF];
        int place = place(head);
        int month = (int) MONTHS[place + 1];
        if (MONTHS[place] == head && day <= (month & 31)) {
            return (long) (month >> 5) + day;
        }
        return isDate(text, start) ? days(text, start) : noDate;
    }

    /** Dates of any year; not 0 if there are others. */
    private static long exactly(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        long faults = 0;
        for (int i = from; i < count; i++) {
            int length = end[i] - before[i] - 1;
            boolean good = length == CHARACTERS && isDate(text, before[i] + 1);
            out[at + i] = good ? days(text, before[i] + 1) : 0;
            faults |= good || length == 0 ? 0 : 1;
        }
        return faults;
    }

    private static boolean isDate(byte[] text, int start) {
        boolean good = text[start + 4] == '-' && text[start + 7] == '-';
        for (int i = 0; i < CHARACTERS; i++) {
            good &= i == 4 || i == 7 || (text[start + i] >= '0' && text[start + i] <= '9');
        }
        int day = pair(text, start + 8);
        return good
                && year(text, start) > 0
                && day > 0
                && day <= length(year(text, start), pair(text, start + 5));
    }

    /**
     * Days before a year, with the leap years before it counted by rounding up, since year 0 is
     * one; days before a month are {@code (367 m - 362) / 12}, and less after February.
     */
    private static long days(byte[] text, int start) {
        int year = year(text, start);
        int month = pair(text, start + 5);
        int years = 365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
        int less = month > 2 ? 30 - length(year, 2) : 0;
        return (long) years + (367 * month - 362) / 12 - less + pair(text, start + 8) - EPOCH_DAY;
    }

    private static int year(byte[] text, int start) {
        return 100 * pair(text, start) + pair(text, start + 2);
    }

    private static int pair(byte[] text, int at) {
        return (text[at] - '0') * 10 + text[at + 1] - '0';
    }
}
