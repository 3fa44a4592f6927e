package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;

/**
 * The structure of a window of text with few quotes: all delimiters and line ends, less those
 * between the quotes of a pair. Each quote is looked at by itself; if one neither opens a field nor
 * closes one nor is doubled, nothing is known. Only LF ends lines; there are neither escapes nor
 * comments, and no record of the window is too long. Otherwise it answers as {@link QuotedScan},
 * which owns it.
 */
final class QuotePairs {
    /** With more quotes in a window than this many blocks for each, another way is faster. */
    private static final int BLOCKS_PER_QUOTE = 2;

    private static final int OUTSIDE = -1;

    private final byte delimiter;
    private final byte quote;

    private byte[] text = new byte[0];
    private long[] structure = new long[0];
    private int from;
    private int windowTo;
    private int to;

    private int lineCount;
    private final FieldMarks opened;
    private final FieldMarks doubled;

    // The opening quote of the field at hand, the second of a doubled quote, and the positions
    // counted so far: those in the blocks before one.
    private int opening;
    private int second;
    private int countedBlocks;
    private int countedPositions;

    /**
     * @param opened gets the fields that begin with a quote
     * @param doubled gets those that hold doubled ones
     */
    QuotePairs(Dialect dialect, FieldMarks opened, FieldMarks doubled) {
        this.delimiter = dialect.delimiter();
        this.quote = (byte) dialect.quote();
        this.opened = opened;
        this.doubled = doubled;
    }

    /** Whether a window of so many blocks has few quotes. */
    static boolean fewQuotes(int quoteCount, int blockCount) {
        return (long) quoteCount * BLOCKS_PER_QUOTE <= blockCount;
    }

    /**
     * Writes the structure of {@code source[windowFrom, windowEnd)} to {@code out}; false if quotes
     * are not regular.
     *
     * @param quotes mask words of the quotes
     * @param end of the text
     */
    boolean scan(byte[] source, int windowFrom, int windowEnd, int end, long[] quotes, long[] out) {
        text = source;
        from = windowFrom;
        windowTo = windowEnd;
        to = end;
        structure = out;
        opened.clear();
        doubled.clear();
        opening = OUTSIDE;
        second = OUTSIDE;
        countedBlocks = 0;
        countedPositions = 0;
        lineCount = ScanKernels.fieldEnds(source, windowFrom, windowEnd, delimiter, out);
        int blocks = (windowEnd - windowFrom + 63) >> 6;
        for (int block = 0; block < blocks; block++) {
            if (quotes[block] != 0 && !pair(quotes[block], windowFrom + (block << 6))) {
                return false;
            }
        }
        if (opening != OUTSIDE) {
            clear(opening, windowTo);
        }
        return true;
    }

    int lineCount() {
        return lineCount;
    }

    /** Clears all bits after the last line end and answers the position after that. */
    int cutAfterLastLine() {
        for (int block = (windowTo - from - 1) >> 6; block >= 0; block--) {
            for (long rest = structure[block]; rest != 0; ) {
                long bit = Long.highestOneBit(rest);
                int at = from + (block << 6) + Long.numberOfTrailingZeros(bit);
                if (text[at] == '\n') {
                    structure[block] = rest;
                    return at + 1;
                }
                rest ^= bit;
            }
            structure[block] = 0;
        }
        return from;
    }

    private boolean pair(long quotes, int base) {
        for (long rest = quotes; rest != 0; rest &= rest - 1) {
            int at = base + Long.numberOfTrailingZeros(rest);
            if (at != second && !(opening == OUTSIDE ? open(at) : close(at))) {
                return false;
            }
        }
        return true;
    }

    private boolean open(int at) {
        opening = at;
        opened.mark(positionsBefore(at));
        return at == from || text[at - 1] == delimiter || text[at - 1] == '\n';
    }

    /** A quote that ends the window closes nothing that ends within it. */
    private boolean close(int at) {
        int next = at + 1;
        if (next >= windowTo) {
            return true;
        }
        if (text[next] == quote) {
            second = next;
            doubled.mark(opened.last());
            return true;
        }
        clear(opening, at);
        opening = OUTSIDE;
        return text[next] == delimiter || text[next] == '\n' || RecordWalker.isCrLf(text, next, to);
    }

    /** Positions before a byte, outside of quotes. */
    private int positionsBefore(int at) {
        int block = (at - from) >> 6;
        int count = countedPositions;
        for (int i = countedBlocks; i < block; i++) {
            count += Long.bitCount(structure[i]);
        }
        countedBlocks = block;
        countedPositions = count;
        return count + Long.bitCount(structure[block] & RecordWalker.lowBits((at - from) & 63));
    }

    /** Takes the bits of {@code text[start, end)} out. */
    private void clear(int start, int end) {
        int last = (end - from) >> 6;
        for (int block = (start - from) >> 6; block <= last; block++) {
            int base = from + (block << 6);
            long kept = base < start ? RecordWalker.lowBits(start - base) : 0;
            long beyond = base + 64 > end ? ~RecordWalker.lowBits(end - base) : 0;
            long inside = block < structure.length ? structure[block] & ~(kept | beyond) : 0;
            if (inside != 0) {
                structure[block] ^= inside;
                lineCount -= lines(inside, base);
            }
        }
    }

    private int lines(long bits, int base) {
        int count = 0;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            count += text[base + Long.numberOfTrailingZeros(rest)] == '\n' ? 1 : 0;
        }
        return count;
    }
}
