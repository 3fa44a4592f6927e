package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** Text in which a byte, such as a quote between quotes, is written twice. */
public final class DoubledBytes {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = ONES << 7;

    private DoubledBytes() {}

    /**
     * Copies {@code text[from, to)} to {@code out} at {@code at}, with one byte for each two that
     * are {@code doubled}. {@link CopyKernels#SLACK} bytes are readable after {@code to}, and may
     * be overwritten after the copy.
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
