package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Takes one of each two bytes out that stand for one, such as quotes between quotes. */
public final class DoubledBytes {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = ONES << 7;

    private DoubledBytes() {}

    /**
     * Copies {@code text[from, to)} to {@code out} at {@code at}, eight bytes at a time: up to and
     * with a doubled byte, and on after its second half. {@link CopyKernels#SLACK} bytes are
     * readable after {@code to}, and may be overwritten after the copy.
     *
     * @param doubled always comes in twos
     * @return the end of the copy
     */
    public static int halve(byte[] text, int from, int to, byte doubled, byte[] out, int at) {
        long wanted = (doubled & 0xFF) * ONES;
        int next = at;
        int i = from;
        while (i < to) {
            long word = ByteAccess.getLong(text, i);
            ByteAccess.putLong(out, next, word);
            long other = word ^ wanted;
            // The lowest bit is exact: nothing is borrowed from bytes before the first match.
            long found = other - ONES & ~other & HIGHS;
            int run = found == 0 ? 8 : (Long.numberOfTrailingZeros(found) >> 3) + 1;
            next += Math.min(run, to - i);
            i += found == 0 ? run : run + 1;
        }
        return next;
    }
}
