package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** The scalar forms of {@link ScanKernels}; also the tails of the vector forms. */
final class ScalarScan {
    private ScalarScan() {}

    static long lines(
            byte[] text, int from, int to, byte delimiter, int[] out, int at, int lineCount) {
        int count = at;
        int lines = lineCount;
        for (int i = from; i < to; i++) {
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
        for (int i = from; i < to; i++) {
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
            int end = Math.min(to - block, 64);
            long mask = 0;
            for (int i = 0; i < end; i++) {
                mask |= (text[block + i] == wanted ? 1L : 0L) << i;
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

    /** Appends the positions of the set bits of one word. */
    static int bits(long mask, int base, int[] out, int at) {
        int count = at;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            out[count++] = base + Long.numberOfTrailingZeros(rest);
        }
        return count;
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
