package dev.penstock.loader.report;

import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;

import java.util.Locale;

/** Numbers as people read and write them. */
public final class Quantities {
    private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};

    private Quantities() {}

    /** Bytes in powers of 1000 with three digits or so: {@code 724.7 MB}. */
    public static String bytes(long count) {
        double value = count;
        int unit = 0;
        while (Math.abs(value) >= 999.95 && unit < BYTE_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        String pattern = unit == 0 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, pattern, value, BYTE_UNITS[unit]);
    }

    /** A count with thousands separators: {@code 6,001,215}. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** The same of things: {@code 1 row}, {@code 6,001,215 rows}. */
    public static String count(long value, String one) {
        return count(value) + " " + Counted.noun(value, one);
    }

    /** {@code 1.25 s}, {@code 2:05 min} or {@code 3:07:00 h}. */
    public static String seconds(double value) {
        if (value < 60) {
            return String.format(Locale.ROOT, "%.2f s", value);
        }
        long whole = Math.round(value);
        if (whole < 3600) {
            return String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60);
        }
        return String.format(
                Locale.ROOT, "%d:%02d:%02d h", whole / 3600, whole / 60 % 60, whole % 60);
    }

    public static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    /**
     * Bytes as a user writes them: a number with an optional unit. {@code k}, {@code M}, {@code G},
     * {@code T}, with or without {@code iB}, are powers of 1024; with {@code B} alone powers of
     * 1000.
     */
    public static long parseBytes(String option, String text) {
        String trimmed = text.strip();
        int digits = 0;
        while (digits < trimmed.length() && "0123456789.".indexOf(trimmed.charAt(digits)) >= 0) {
            digits++;
        }
        String unit = trimmed.substring(digits).strip().toLowerCase(Locale.ROOT);
        int power = unit.isEmpty() || unit.equals("b") ? 0 : 1 + "kmgt".indexOf(unit.charAt(0));
        String suffix = power == 0 ? "" : unit.substring(1);
        boolean known =
                (power > 0 || unit.isEmpty() || unit.equals("b"))
                        && (suffix.isEmpty() || suffix.equals("b") || suffix.equals("ib"));
        try {
            double number = Double.parseDouble(trimmed.substring(0, digits));
            double bytes = number * Math.pow(suffix.equals("b") ? 1000 : 1024, power);
            if (known && bytes >= 1 && bytes < Long.MAX_VALUE) {
                return (long) bytes;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message below.
        }
        throw PenstockException.usage(
                option + " '" + text + "' is no size; write a number of bytes, or 8MiB, or 2G.");
    }
}
