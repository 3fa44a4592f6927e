package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * The scalar form of {@link DigitKernels#dates}; also the tail of the vector form.
 *
 * <p>Days before a year, with the leap years before it counted by rounding up, since year 0 is one:
 * {@code 365 y + ceil(y / 4) - ceil(y / 100) + ceil(y / 400)}. Days before a month: {@code (367 m -
 * 362) / 12}, and less after February.
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

    /** By month, 16 further on for leap years: days of the year before it, and its days. */
    private static final int[] MONTHS = new int[32];

    static {
        for (int leap = 0; leap < 2; leap++) {
            int before = 0;
            for (int month = 1; month <= 12; month++) {
                int days = month == 2 ? 28 + leap : 30 + ((month ^ month >>> 3) & 1);
                MONTHS[16 * leap + month] = before << 8 | days;
                before += days;
            }
        }
    }

    private ScalarDates() {}

    static long dates(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        long faults = pairs(text, before, end, from, count, out, at);
        return faults | days(out, at + from, at + count);
    }

    /** Century, year, month and day of each date, 16 bits each. */
    private static long pairs(
            byte[] text, int[] before, int[] end, int from, int count, long[] out, int at) {
        long faults = 0;
        for (int i = from; i < count; i++) {
            int start = before[i] + 1;
            faults |= (end[i] - start) ^ CHARACTERS;
            long head = ByteAccess.getLong(text, start);
            long rest = ByteAccess.getLong(text, start + 2);
            long word =
                    ((head & YEAR_BYTES) | (rest << 8 & MONTH_BYTES) | (rest & DAY_BYTES)) ^ ZEROS;
            faults |= (head ^ DASHES) & DASH_BYTES | (word | (word + SIXES)) & HIGH_NIBBLES;
            out[at + i] = (word * 10 + (word >>> 8)) & PAIRS;
        }
        return faults;
    }

    /** Replaces what {@link #pairs} made by days. */
    private static int days(long[] values, int from, int to) {
        int faults = 0;
        for (int i = from; i < to; i++) {
            long pairs = values[i];
            int century = (int) pairs & 0xFF;
            int ofCentury = (int) pairs >>> 16;
            int month = (int) (pairs >>> 32) & 0xFF;
            int day = (int) (pairs >>> 48);
            // All ones where the name says so.
            int first = (ofCentury - 1) >> 31;
            int leap = ((((century & first) | ofCentury) & 3) - 1) >> 31;
            int monthEntry = MONTHS[(month & 15) | (leap & 16)];
            int year = century * 100 + ofCentury;
            faults |= year - 1 | 15 - month | day - 1 | (monthEntry & 0xFF) - day;
            int centuries = century + 1 + first;
            int yearDays = 365 * year + ((year + 3) >>> 2) - centuries + ((centuries + 3) >>> 2);
            values[i] = yearDays + (monthEntry >>> 8) + day - (long) EPOCH_DAY;
        }
        return faults >>> 31;
    }
}
