package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.time.LocalDate;

/**
 * The scalar form of {@link DigitKernels#dates}; also the tail of the vector form. Days of the
 * usual years come from a table of months; an empty field is read as if it were 1970-01-01, day 0.
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

    /** The first year of the table; it holds 256, sixteen entries each. */
    private static final int FIRST_YEAR = 1900;

    private static final int ENTRIES = 256 << 4;

    /** The day before a month, counted from 1970-01-01, times 32, plus its number of days. */
    private static final int[] MONTHS = months();

    private ScalarDates() {}

    private static int[] months() {
        int[] months = new int[ENTRIES];
        int day = (int) LocalDate.of(FIRST_YEAR, 1, 1).toEpochDay() - 1;
        for (int i = 0; i < ENTRIES; i++) {
            int length = length(FIRST_YEAR + (i >> 4), i & 15);
            months[i] = day << 5 | length;
            day += length;
        }
        return months;
    }

    /** Days of a month; 0 if there is no such month. */
    private static int length(int year, int month) {
        boolean leap = (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
        int usual = 30 + ((month ^ month >>> 3) & 1);
        return month == 2 ? (leap ? 29 : 28) : month >= 1 && month <= 12 ? usual : 0;
    }

    static long dates(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        long faults = 0;
        long unusual = 0;
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            // All ones unless the field is empty.
            int some = -length >> 31;
            long head = ByteAccess.getLong(text, start);
            long rest = ByteAccess.getLong(text, start + 2);
            long word =
                    ((head & YEAR_BYTES) | (rest << 8 & MONTH_BYTES) | (rest & DAY_BYTES)) ^ ZEROS;
            long wrong = (head ^ DASHES) & DASH_BYTES | (word | (word + SIXES)) & HIGH_NIBBLES;
            faults |= (wrong | (length ^ CHARACTERS)) & some;
            long pairs = (word * 10 + (word >>> 8)) & PAIRS;
            int year = (int) (pairs & 0xFF) * 100 + (int) (pairs >>> 16 & 0xFF) - FIRST_YEAR;
            int month = (int) (pairs >>> 32) & 0xFF;
            int index = (year << 4 | month) & some;
            unusual |= index >>> 12 | month >>> 4 & some;
            int entry = MONTHS[index & ENTRIES - 1];
            int day = (int) (pairs >>> 48);
            int late = (entry & 31) - day;
            faults |= (day - 1 | late) >> 31 & some;
            out[at + i] = (long) (entry >> 5) + day & some;
        }
        return faults == 0 && unusual == 0 ? 0 : exactly(text, before, end, from, count, out, at);
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
