package dev.penstock.loader;

import dev.penstock.error.PenstockException;

/**
 * How many records may be rejected before the load ends. A percentage is of all records read and is
 * decided when all of them have been read; from {@link #MIN_RECORDS_FOR_PERCENT} records on a load
 * that is far beyond it ends early.
 *
 * @param count most rejects allowed, or -1 if the limit is a percentage
 * @param percent most rejects allowed in percent of records, or -1 if the limit is a count
 */
public record RejectLimit(long count, double percent) {
    /** The first reject ends the load. */
    public static final RejectLimit NONE = new RejectLimit(0, -1);

    static final long MIN_RECORDS_FOR_PERCENT = 100_000;

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

    /** Whether the load must end now, with {@code records} read so far. */
    public boolean exceededSoFar(long rejects, long records) {
        if (!isPercent()) {
            return rejects > count;
        }
        return records >= MIN_RECORDS_FOR_PERCENT && rejects > records * percent / 100 * 2 + 100;
    }

    /** Whether the load must end, all {@code records} having been read. */
    public boolean exceeded(long rejects, long records) {
        return isPercent() ? rejects > records * percent / 100 : rejects > count;
    }

    @Override
    public String toString() {
        return isPercent() ? percent + "%" : Long.toString(count);
    }
}
