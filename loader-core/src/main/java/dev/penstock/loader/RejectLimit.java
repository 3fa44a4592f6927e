package dev.penstock.loader;

import dev.penstock.error.PenstockException;

import java.math.BigDecimal;

/**
 * How many records may be rejected before the load ends. A percentage is of all records of the
 * input: a load ends early only if so many are bad that it cannot be met whatever else is read.
 *
 * @param count most rejects allowed, or -1 if the limit is a percentage
 * @param percent most rejects allowed in percent of records, or -1 if the limit is a count
 */
public record RejectLimit(long count, double percent) {
    /** The first reject ends the load. */
    public static final RejectLimit NONE = new RejectLimit(0, -1);

    public static RejectLimit ofCount(long count) {
        if (count < 0) {
            throw PenstockException.usage("The reject limit " + count + " is negative.");
        }
        return new RejectLimit(count, -1);
    }

    public static RejectLimit ofPercent(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw PenstockException.usage("The reject limit " + percent + "% is not in 0%..100%.");
        }
        return new RejectLimit(-1, percent);
    }

    /** {@code 10} or {@code 0.5%}. */
    public static RejectLimit parse(String text) {
        try {
            String trimmed = text.trim();
            if (trimmed.endsWith("%")) {
                return ofPercent(Double.parseDouble(trimmed.substring(0, trimmed.length() - 1)));
            }
            return ofCount(Long.parseLong(trimmed));
        } catch (NumberFormatException e) {
            throw PenstockException.usage(
                    "'"
                            + text
                            + "' is no reject limit; write a number as 10 or a percentage as 1%.");
        }
    }

    public boolean isPercent() {
        return count < 0;
    }

    /** Whether the first reject ends the load. */
    public boolean none() {
        return count == 0 || percent == 0;
    }

    /**
     * Whether the load must end.
     *
     * @param records of the input, or the most that it can have if it has not all been read
     */
    public boolean exceeded(long rejects, long records) {
        return isPercent() ? exceedsPercent(rejects, records) : rejects > count;
    }

    /** Exactly: as floating-point numbers, 57 is more than 0.57 percent of 10,000. */
    private boolean exceedsPercent(long rejects, long records) {
        BigDecimal most = BigDecimal.valueOf(percent).multiply(BigDecimal.valueOf(records));
        return BigDecimal.valueOf(rejects).movePointRight(2).compareTo(most) > 0;
    }

    @Override
    public String toString() {
        return isPercent() ? percent + "%" : Long.toString(count);
    }
}
