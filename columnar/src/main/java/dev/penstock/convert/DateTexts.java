package dev.penstock.convert;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/**
 * Texts of the days that were asked for lately: a table has some thousand different ones, and each
 * many times. Owned by one thread.
 */
final class DateTexts {
    private static final int SLOTS = 1 << 12;

    /** No day: no year with four digits has it. */
    private static final long NONE = Long.MIN_VALUE;

    /** Length of a text that is kept: of a year with four digits. */
    private static final int KEPT_BYTES = 10;

    private final long[] days = new long[SLOTS];

    /** The first eight bytes, and the other two. */
    private final long[] heads = new long[SLOTS];

    private final short[] tails = new short[SLOTS];

    DateTexts() {
        Arrays.fill(days, NONE);
    }

    /** Writes the text of a day since 1970-01-01; returns where it ends. */
    int put(long day, byte[] target, int at) {
        int slot = (int) day & SLOTS - 1;
        if (days[slot] != day) {
            int end = ValueFormatter.putDate(day, target, at);
            if (end - at != KEPT_BYTES) {
                return end;
            }
            days[slot] = day;
            heads[slot] = ByteAccess.getLong(target, at);
            tails[slot] = (short) ByteAccess.getShort(target, at + 8);
            return end;
        }
        ByteAccess.putLong(target, at, heads[slot]);
        ByteAccess.putShort(target, at + 8, tails[slot]);
        return at + KEPT_BYTES;
    }
}
