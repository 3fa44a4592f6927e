package dev.penstock.convert;

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

    private DateText() {}

    static boolean convertPlain(FieldBounds fields, long[] out, int at, Scratch scratch) {
        boolean full = fields.shortest() == LENGTH && fields.longest() == LENGTH;
        return DigitKernels.dates(
                        fields.text(),
                        fields.before(),
                        fields.end(),
                        fields.count(),
                        full,
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
        return DigitKernels.day(text, from, NO_DATE);
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
