package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.reject.RejectReason;

/**
 * TIME, {@code hh:mm:ss} with up to six decimals, and TIMESTAMP, a date and a time with a blank or
 * a {@code T} between.
 */
final class TimeText {
    static final long MICROS_PER_SECOND = 1_000_000L;
    static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;

    private static final int LENGTH = 8;
    private static final int MAX_DECIMALS = 6;
    private static final long NO_TIME = -1;
    private static final String TIME_FORM = "hh:mm:ss or hh:mm:ss.ffffff";

    private TimeText() {}

    static boolean convertTimes(FieldBounds fields, long[] out, int at) {
        byte[] text = fields.text();
        int count = fields.count();
        long faults = 0;
        for (int i = 0; i < count; i++) {
            long micros =
                    fields.length(i) == 0 ? 0 : micros(text, fields.start(i), fields.length(i));
            faults |= micros;
            out[at + i] = micros;
        }
        return faults >= 0;
    }

    static boolean convertTimestamps(FieldBounds fields, long[] out, int at) {
        byte[] text = fields.text();
        int count = fields.count();
        boolean good = true;
        for (int i = 0; i < count; i++) {
            int length = fields.length(i);
            long value = 0;
            if (length > DateText.LENGTH) {
                int time = fields.start(i) + DateText.LENGTH + 1;
                long days = DateText.days(text, fields.start(i));
                long micros = micros(text, time, length - DateText.LENGTH - 1);
                byte between = text[time - 1];
                good &= between == ' ' || between == 'T';
                good &= days != DateText.NO_DATE && micros >= 0;
                value = days * MICROS_PER_DAY + micros;
            } else {
                good &= length == 0;
            }
            out[at + i] = value;
        }
        return good;
    }

    /** Microseconds since midnight, or {@link #NO_TIME}. */
    private static long micros(byte[] text, int from, int length) {
        long word = ByteAccess.getLong(text, from) ^ 0x30303A30303A3030L;
        long fraction = 0;
        if (length > LENGTH) {
            int decimals = length - LENGTH - 1;
            if (text[from + LENGTH] != '.' || decimals == 0 || decimals > MAX_DECIMALS) {
                return NO_TIME;
            }
            long digits = Digits.word(text, from + LENGTH + 1, decimals);
            if (Digits.faults(digits) != 0) {
                return NO_TIME;
            }
            fraction = Digits.value(digits) * Digits.power(MAX_DECIMALS - decimals);
        }
        // The colons are 0 now and count as digits.
        long hours = (word & 0xFF) * 10 + (word >>> 8 & 0xFF);
        long minutes = (word >>> 24 & 0xFF) * 10 + (word >>> 32 & 0xFF);
        long seconds = (word >>> 48 & 0xFF) * 10 + (word >>> 56);
        boolean colons = (word & 0x0000FF0000FF0000L) == 0;
        boolean good =
                length >= LENGTH
                        && colons
                        && Digits.faults(word) == 0
                        && hours < 24
                        && minutes < 60
                        && seconds < 60;
        return good
                ? ((hours * 60 + minutes) * 60 + seconds) * MICROS_PER_SECOND + fraction
                : NO_TIME;
    }

    static Parsed parseTime(byte[] text, int from, int length) {
        if (!hasForm(text, from, length)) {
            return invalid(RejectReason.BAD_VALUE, "a time as " + TIME_FORM);
        }
        if (tooPrecise(text, from, length)) {
            return invalid(RejectReason.BAD_VALUE, "a time with at most six decimals; round it");
        }
        long hours = Digits.number(text, from, 2);
        long minutes = Digits.number(text, from + 3, 2);
        long seconds = Digits.number(text, from + 6, 2);
        if (hours > 23 || minutes > 59 || seconds > 59) {
            return invalid(
                    RejectReason.OUT_OF_RANGE,
                    "a time from 00:00:00 to 23:59:59.999999; there are no leap seconds");
        }
        int decimals = Math.min(MAX_DECIMALS, Math.max(0, length - LENGTH - 1));
        long fraction =
                decimals == 0
                        ? 0
                        : Digits.number(text, from + LENGTH + 1, decimals)
                                * Digits.power(MAX_DECIMALS - decimals);
        return new Parsed.LongValue(
                ((hours * 60 + minutes) * 60 + seconds) * MICROS_PER_SECOND + fraction);
    }

    static Parsed parseTimestamp(byte[] text, int from, int length) {
        int time = from + DateText.LENGTH + 1;
        int timeLength = length - DateText.LENGTH - 1;
        boolean form =
                timeLength > 0
                        && DateText.hasForm(text, from, DateText.LENGTH)
                        && (text[time - 1] == ' ' || text[time - 1] == 'T')
                        && hasForm(text, time, timeLength);
        if (!form) {
            return invalid(RejectReason.BAD_VALUE, timestampForm(text, from, length));
        }
        return switch (DateText.parse(text, from, DateText.LENGTH)) {
            case Parsed.LongValue(long days) ->
                    switch (parseTime(text, time, timeLength)) {
                        case Parsed.LongValue(long micros) ->
                                new Parsed.LongValue(days * MICROS_PER_DAY + micros);
                        case Parsed other -> other;
                    };
            case Parsed other -> other;
        };
    }

    private static String timestampForm(byte[] text, int from, int length) {
        String form = "a timestamp as yyyy-mm-dd hh:mm:ss or yyyy-mm-ddThh:mm:ss.ffffff";
        if (length == 0) {
            return form;
        }
        if (length == DateText.LENGTH && DateText.hasForm(text, from, length)) {
            return form + "; add the time, or declare the column DATE";
        }
        byte last = text[from + length - 1];
        boolean zone =
                length > DateText.LENGTH + LENGTH && (last == 'Z' || hasOffset(text, from, length));
        return form + (zone ? "; convert it to one time zone and leave the zone out" : "");
    }

    private static boolean hasOffset(byte[] text, int from, int length) {
        for (int i = from + DateText.LENGTH + LENGTH; i < from + length; i++) {
            if (text[i] == '+' || text[i] == '-') {
                return true;
            }
        }
        return false;
    }

    private static boolean hasForm(byte[] text, int from, int length) {
        return length >= LENGTH
                && Digits.run(text, from, from + 2) == 2
                && text[from + 2] == ':'
                && Digits.run(text, from + 3, from + 5) == 2
                && text[from + 5] == ':'
                && Digits.run(text, from + 6, from + 8) == 2
                && (length == LENGTH || hasDecimals(text, from + LENGTH, from + length));
    }

    private static boolean hasDecimals(byte[] text, int from, int to) {
        return text[from] == '.'
                && to - from > 1
                && Digits.run(text, from + 1, to) == to - from - 1;
    }

    private static boolean tooPrecise(byte[] text, int from, int length) {
        for (int i = from + LENGTH + 1 + MAX_DECIMALS; i < from + length; i++) {
            if (text[i] != '0') {
                return true;
            }
        }
        return false;
    }

    private static Parsed invalid(RejectReason reason, String expected) {
        return new Parsed.Invalid(reason, expected);
    }
}
