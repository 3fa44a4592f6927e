package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * The scalar forms of {@link ScanKernels}; also the tails of the vector forms.
 *
 * <p>Text is taken stretch by stretch: loops that do little and have no branch, so that the JVM
 * makes vectors of them, make eight bits of eight bytes; another one joins them to words of 64.
 */
final class ScalarScan {
    private static final long ONES = 0x0101010101010101L;
    private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
    private static final long HIGH_BITS = ~LOW_BITS;
    private static final long LINE_FEEDS = ONES * '\n';
    private static final long RETURNS = ONES * '\r';

    /** Words of eight bytes in a stretch: what is made of one stays in the first-level cache. */
    static final int STRETCH = 512;

    /** Multiplying by it collects the lowest bits of eight bytes in the topmost one. */
    static final long GATHER_BITS = 0x0102040810204080L;

    /** So few that a byte can count them. */
    private static final int SUMMED_WORDS = 128;

    private static final long EVEN_BYTES = 0x00FF00FF00FF00FFL;
    private static final long ONES_OF_PAIRS = 0x0001000100010001L;

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

    /** {@code scratch} of {@link #STRETCH} words. */
    static long lines(
            byte[] text, int from, int to, byte delimiter, int[] out, int at, long[] scratch) {
        int count = at;
        int lines = 0;
        int i = from;
        while (i <= to - 64) {
            int blocks = Math.min(STRETCH >> 3, (to - i) >> 6);
            lines += fieldEnds(text, i, blocks, delimiter, scratch, 0, 0);
            count = positions(scratch, blocks, i, out, count);
            i += blocks << 6;
        }
        return lineTail(text, i, to, delimiter, out, count, lines);
    }

    /**
     * Writes the mask words of delimiters and LFs from {@code out[word]} on; overwrites {@link
     * #STRETCH} more words than the text has blocks.
     */
    static int fieldEnds(byte[] text, int from, int to, byte delimiter, long[] out) {
        int lines = 0;
        int word = 0;
        int i = from;
        int marks = (to - from + 63) >> 6;
        while (i <= to - 64) {
            int blocks = Math.min(STRETCH >> 3, (to - i) >> 6);
            lines += fieldEnds(text, i, blocks, delimiter, out, marks, word);
            word += blocks;
            i += blocks << 6;
        }
        return i < to ? lines + lastFieldEnds(text, i, to, delimiter, out, word) : lines;
    }

    static int lastFieldEnds(byte[] text, int from, int to, byte delimiter, long[] out, int word) {
        int lines = lastMask(text, from, to, (byte) '\n', out, word);
        long lineEnds = out[word];
        lastMask(text, from, to, delimiter, out, word);
        out[word] |= lineEnds;
        return lines;
    }

    /** The masks of one stretch, and its number of LFs; {@code marks} is where words are free. */
    private static int fieldEnds(
            byte[] text, int from, int blocks, byte delimiter, long[] out, int marks, int word) {
        int words = blocks << 3;
        differ(text, from, words, LINE_FEEDS, out, marks);
        int lines = zeroHighBits(out, marks, marks + words);
        differAlso(text, from, words, ONES * (delimiter & 0xFF), out, marks);
        gatherBits(out, marks, marks + words);
        join(out, marks, blocks, word);
        return lines;
    }

    static long lineTail(
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

    /** The high bit of each byte that is not the pattern's; other bits mean nothing. */
    private static void differ(byte[] text, int from, int words, long pattern, long[] out, int at) {
        for (int i = 0; i < words; i++) {
            long word = ByteAccess.getLong(text, from + 8 * i) ^ pattern;
            out[at + i] = (word & LOW_BITS) + LOW_BITS | word;
        }
    }

    private static void differAlso(
            byte[] text, int from, int words, long pattern, long[] out, int at) {
        for (int i = 0; i < words; i++) {
            long word = ByteAccess.getLong(text, from + 8 * i) ^ pattern;
            out[at + i] &= (word & LOW_BITS) + LOW_BITS | word;
        }
    }

    /** The high bits that are 0, as eight bits. */
    static void gatherBits(long[] words, int from, int to) {
        for (int i = from; i < to; i++) {
            words[i] = ((~words[i] & HIGH_BITS) >>> 7) * GATHER_BITS >>> 56;
        }
    }

    /** Eight of {@link #gatherBits}' words as one. */
    private static long joined(long[] marks, int at) {
        return marks[at]
                | marks[at + 1] << 8
                | marks[at + 2] << 16
                | marks[at + 3] << 24
                | marks[at + 4] << 32
                | marks[at + 5] << 40
                | marks[at + 6] << 48
                | marks[at + 7] << 56;
    }

    /** Joins eight of {@link #gatherBits}' words each; the results may replace the first ones. */
    static void join(long[] words, int marks, int blocks, int at) {
        int word = at;
        int end = marks + (blocks << 3);
        for (int k = marks; k < end; k += 8) {
            words[word++] = joined(words, k);
        }
    }

    /**
     * How many high bits are 0: counted in the bytes of one word, which the JVM makes a sum of
     * vectors of, where not every processor counts the bits of one.
     */
    private static int zeroHighBits(long[] words, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i += SUMMED_WORDS) {
            long sums = zeroHighBitsByByte(words, i, Math.min(to, i + SUMMED_WORDS));
            long pairs = (sums & EVEN_BYTES) + (sums >>> 8 & EVEN_BYTES);
            count += (int) (pairs * ONES_OF_PAIRS >>> 48);
        }
        return count;
    }

    private static long zeroHighBitsByByte(long[] words, int from, int to) {
        long sums = 0;
        for (int i = from; i < to; i++) {
            sums += (~words[i] & HIGH_BITS) >>> 7;
        }
        return sums;
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

    /**
     * Writes mask words from {@code out[0]} on; overwrites {@link #STRETCH} more words than the
     * text has blocks.
     */
    static int masks(byte[] text, int from, int to, byte wanted, long[] out) {
        int found = 0;
        int word = 0;
        int i = from;
        long pattern = ONES * (wanted & 0xFF);
        int marks = (to - from + 63) >> 6;
        boolean rare = true;
        while (i <= to - 64) {
            int blocks = Math.min(STRETCH >> 3, (to - i) >> 6);
            int words = blocks << 3;
            differ(text, i, words, pattern, out, marks);
            int before = found;
            if (rare) {
                found += joinRare(out, marks, blocks, word);
            } else {
                found += zeroHighBits(out, marks, marks + words);
                gatherBits(out, marks, marks + words);
                join(out, marks, blocks, word);
            }
            rare = found - before <= blocks >> 1;
            word += blocks;
            i += blocks << 6;
        }
        return i < to ? found + lastMask(text, i, to, wanted, out, word) : found;
    }

    /** As {@link #gatherBits} and {@link #join}, for few bits; their number. */
    private static int joinRare(long[] words, int marks, int blocks, int at) {
        int found = 0;
        int word = at;
        int end = marks + (blocks << 3);
        for (int k = marks; k < end; k += 8) {
            long none =
                    words[k]
                            & words[k + 1]
                            & words[k + 2]
                            & words[k + 3]
                            & words[k + 4]
                            & words[k + 5]
                            & words[k + 6]
                            & words[k + 7];
            long mask = 0;
            if ((none & HIGH_BITS) != HIGH_BITS) {
                mask = gathered(words, k);
                found += Long.bitCount(mask);
            }
            words[word++] = mask;
        }
        return found;
    }

    /** The mask of one block. */
    private static long gathered(long[] words, int at) {
        long mask = 0;
        for (int i = at + 7; i >= at; i--) {
            mask = mask << 8 | ((~words[i] & HIGH_BITS) >>> 7) * GATHER_BITS >>> 56;
        }
        return mask;
    }

    /** The mask word of the last bytes, fewer than 64; how many match. */
    static int lastMask(byte[] text, int from, int to, byte wanted, long[] out, int word) {
        long mask = 0;
        for (int i = from; i < to; i++) {
            mask |= (text[i] == wanted ? 1L : 0L) << (i - from);
        }
        out[word] = mask;
        return Long.bitCount(mask);
    }

    static int positions(long[] masks, int blockCount, int base, int[] out, int at) {
        int count = at;
        for (int block = 0; block < blockCount; block++) {
            count = bits(masks[block], base + 64 * block, out, count);
        }
        return count;
    }

    /**
     * Appends the positions of the set bits of one word; may write some more. Written out, since
     * the JVM of a short command does not unroll loops of this size.
     */
    static int bits(long mask, int base, int[] out, int at) {
        int end = at + Long.bitCount(mask);
        long rest = mask;
        out[at] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 1] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 2] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 3] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 4] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 5] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 6] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 7] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 8] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 9] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 10] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        out[at + 11] = base + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
        for (int k = at + USUAL_MATCHES; k < end; k++) {
            out[k] = base + Long.numberOfTrailingZeros(rest);
            rest &= rest - 1;
        }
        return end;
    }

    static int indexOf(byte[] text, int from, int to, byte wanted) {
        long pattern = ONES * (wanted & 0xFF);
        int i = from;
        for (; i <= to - 8; i += 8) {
            long word = ByteAccess.getLong(text, i) ^ pattern;
            // The lowest bit is right, whatever those of the bytes behind it say.
            long found = word - ONES & ~word & HIGH_BITS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
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
