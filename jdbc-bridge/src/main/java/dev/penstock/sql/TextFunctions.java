package dev.penstock.sql;

import org.apache.calcite.linq4j.function.Strict;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What generated code calls where a statement casts texts, see {@link NumberRules}. */
@Strict
public final class TextFunctions {
    private static final Pattern TIME =
            Pattern.compile("(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.\\d*)?)?");

    /** What SQL computes with of a second. */
    private static final int FRACTION_DIGITS = 3;

    private static final int HOURS = 24;
    private static final int SIXTIETHS = 60;

    private TextFunctions() {}

    /**
     * The text, if it is a time of a day, without what is less than a millisecond. Calcite makes
     * 11:01:00 of 10:61:00, and a time of the next day of 23:59:59.9999.
     *
     * @throws IllegalArgumentException in the words that Calcite has for dates
     */
    public static String timeOfDay(String text) {
        String trimmed = text.strip();
        Matcher parts = TIME.matcher(trimmed);
        if (!parts.matches()
                || !isBelow(HOURS, parts.group(1))
                || !isBelow(SIXTIETHS, parts.group(2))
                || parts.group(3) != null && !isBelow(SIXTIETHS, parts.group(3))) {
            throw new IllegalArgumentException("Invalid TIME value, '" + text + "'");
        }
        int point = trimmed.indexOf('.');
        return point < 0
                ? trimmed
                : trimmed.substring(0, Math.min(trimmed.length(), point + 1 + FRACTION_DIGITS));
    }

    private static boolean isBelow(int limit, String digits) {
        return Integer.parseInt(digits) < limit;
    }
}
