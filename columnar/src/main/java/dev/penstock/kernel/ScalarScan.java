package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** The scalar forms of {@link ScanKernels}; also the tails of the vector forms. */
final class ScalarScan {
    private static final long ONES = 0x0101010101010101L;
    private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
    private static final long HIGH_BITS = ~LOW_BITS;
    private static final long LINE_FEEDS = ONES * '\n';
    private static final long RETURNS = ONES * '\r';

    /** Moves bit 8 i to bit 56 + i. */
    private static final long GATHER_BITS = 0x0102040810204080L;

    /** More matches than most blocks have: taken without a branch. */
    private static final int USUAL_MATCHES = 12;

    private ScalarScan() {}

    /** The matches in the 64 bytes from {@code from}: 0x0A.. repeated finds line feeds. */
    private static long matches(byte[] text, int from, long pattern) {
        long mask = 0;
        for (int k = 56; k >= 0; k -= 8) {
            long word = ByteAccess.getLong(text, from + k) ^ pattern;
            mask = mask << 8 | ((nonZero(word) ^ HIGH_BITS) >>> 7) * GATHER_BITS >>> 56;
        }
        return mask;
    }

    /** The high bit of each byte that is not 0. */
    private static long nonZero(long word) {
        return ((word & LOW_BITS) + LOW_BITS | word) & HIGH_BITS;
    }

    static long lines(
            byte[] text, int from, int to, byte delimiter, int[] out, int at, int lineCount) {
        int count = at;
        int lines = lineCount;
        int i = from;
        long delimiters = ONES * (delimiter & 0xFF);
        for (; i <= to - 64; i += 64) {
            long mask = 0;
            for (int k = 56; k >= 0; k -= 8) {
                long word = ByteAccess.getLong(text, i + k);
                long noFeed = nonZero(word ^ LINE_FEEDS);
                lines += 8 - Long.bitCount(noFeed);
                long others = noFeed & nonZero(word ^ delimiters);
                mask = mask << 8 | ((others ^ HIGH_BITS) >>> 7) * GATHER_BITS >>> 56;
            }
            count = bits(mask, i, out, count);
        }
        for (; i < to; i++) {
            byte b = text[i];
            out[count] = i;
            if (b == '\n') {
                lines++;
                count++;
            } else if (b == delimiter) {
                count++;
            }
        }
        return (long) lines << 32 | count;
    }

    /** {@code wasReturn}: whether the byte before {@code from} is a CR that ended a record. */
    static long anyLines(
            byte[] text,
            int from,
            int to,
            byte delimiter,
            int[] out,
            int at,
            int lineCount,
            boolean wasReturn) {
        int count = at;
        int lines = lineCount;
        boolean afterReturn = wasReturn;
        int i = from;
        long delimiters = ONES * (delimiter & 0xFF);
        for (; i <= to - 64; i += 64) {
            long returns = matches(text, i, RETURNS);
            long feeds = matches(text, i, LINE_FEEDS) & ~(returns << 1 | (afterReturn ? 1 : 0));
            afterReturn = returns < 0;
            lines += Long.bitCount(returns | feeds);
            count = bits(returns | feeds | matches(text, i, delimiters), i, out, count);
        }
        for (; i < to; i++) {
            byte b = text[i];
            out[count] = i;
            if (b == '\r' || (b == '\n' && !afterReturn)) {
                lines++;
                count++;
            } else if (b == delimiter) {
                count++;
            }
            afterReturn = b == '\r';
        }
        return (long) lines << 32 | count;
    }

    /** Writes mask words from {@code out[word]} on. */
    static long masks(byte[] text, int from, int to, byte wanted, long[] out, int word) {
        long all = 0;
        int at = word;
        for (int block = from; block < to; block += 64) {
            long mask = 0;
            if (block <= to - 64) {
                mask = matches(text, block, ONES * (wanted & 0xFF));
            } else {
                for (int i = 0; i < to - block; i++) {
                    mask |= (text[block + i] == wanted ? 1L : 0L) << i;
                }
            }
            out[at++] = mask;
            all |= mask;
        }
        return all;
    }

    static int positions(long[] masks, int blockCount, int base, int[] out, int at) {
        int count = at;
        for (int block = 0; block < blockCount; block++) {
            count = bits(masks[block], base + 64 * block, out, count);
        }
        return count;
    }

    /** Appends the positions of the set bits of one word; may write some more. */
    static int bits(long mask, int base, int[] out, int at) {
        int end = at + Long.bitCount(mask);
        long rest = mask;
        for (int k = 0; k < USUAL_MATCHES; k++) {
            out[at + k] = base + Long.numberOfTrailingZeros(rest);
            rest &= rest - 1;
        }
        for (int k = at + USUAL_MATCHES; k < end; k++) {
            out[k] = base + Long.numberOfTrailingZeros(rest);
            rest &= rest - 1;
        }
        return end;
    }

    static int indexOf(byte[] text, int from, int to, byte wanted) {
        int i = from;
        while (i < to && text[i] != wanted) {
            i++;
        }
        return Math.max(i, Math.min(from, to));
    }

    static boolean isAscii(byte[] text, int from, int to) {
        long bits = 0;
        int i = from;
        for (; i <= to - 8; i += 8) {
            bits |= ByteAccess.getLong(text, i);
        }
        for (; i < to; i++) {
            bits |= text[i];
        }
        return (bits & 0x8080808080808080L) == 0;
    }
}
