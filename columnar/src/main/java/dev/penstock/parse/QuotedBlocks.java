package dev.penstock.parse;

import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.ScanKernels;

/**
 * Looks at a window with many quotes 64 bytes at a time, as {@link QuotedScan} does, only to find
 * out whether each is where it should be, and where the last line ends outside of them. {@link
 * QuotedTail} owns it.
 */
final class QuotedBlocks {
    /** With fewer quotes in a window than this for each block, looking at each is faster. */
    private static final int LEAST_QUOTES = 2;

    private final byte delimiter;
    private final long[] delimiters;
    private final long[] feeds;

    private boolean inside;
    private boolean closing;
    private int lastLine;

    QuotedBlocks(byte delimiter, int blocks) {
        this.delimiter = delimiter;
        this.delimiters = new long[blocks + ScanKernels.MASK_SLACK];
        this.feeds = new long[blocks + ScanKernels.MASK_SLACK];
    }

    /** Whether a window of so many blocks has many quotes. */
    static boolean manyQuotes(int quoteCount, int blocks) {
        return quoteCount > LEAST_QUOTES * (long) blocks;
    }

    /**
     * Looks at {@code text[from, to)}.
     *
     * @param quotes mask words of the quotes
     * @param end of the text
     * @param startsInside whether the window begins between quotes
     * @param closed whether a quote before it closes a field, if it is not doubled in the window
     * @param begins whether a field may begin with it
     * @return false if a quote is where it should not be
     */
    boolean scan(
            byte[] text,
            int from,
            int to,
            int end,
            long[] quotes,
            boolean startsInside,
            boolean closed,
            boolean begins) {
        ScanKernels.masks(text, from, to, delimiter, delimiters);
        ScanKernels.masks(text, from, to, (byte) '\n', feeds);
        lastLine = -1;
        long in = startsInside ? -1 : 0;
        long close = closed ? 1 : 0;
        long boundary = begins ? 1 : 0;
        long closings = 0;
        for (int base = from, block = 0; base < to; base += 64, block++) {
            long within = BitRange.parity(quotes[block]) ^ in;
            long openings = quotes[block] & within;
            closings = quotes[block] & ~within;
            long afterClosings = (closings << 1 | close) & RecordWalker.lowBits(to - base);
            long lines = feeds[block] & ~within;
            long boundaries = delimiters[block] & ~within | lines;
            long others = afterClosings & ~(delimiters[block] | feeds[block] | quotes[block]);
            if ((openings & ~(boundaries << 1 | boundary | afterClosings)) != 0
                    || others != 0 && !areCrLf(text, others, base, end)) {
                return false;
            }
            lastLine = lines == 0 ? lastLine : base + 64 - Long.numberOfLeadingZeros(lines);
            // From the count, not from the prefix: that keeps the chain between blocks short.
            in ^= -(Long.bitCount(quotes[block]) & 1L);
            boundary = boundaries >>> 63;
            close = closings >>> 63;
        }
        inside = in != 0;
        closing = (closings >>> to - 1 - from & 1) != 0;
        return true;
    }

    /** Whether all are the CR of a CRLF, of which a text that goes on may have only the CR. */
    private static boolean areCrLf(byte[] text, long bits, int base, int end) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int at = base + Long.numberOfTrailingZeros(rest);
            boolean unfinished = at + 1 == end && text[at] == '\r';
            if (!unfinished && !RecordWalker.isCrLf(text, at, end)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the window ends between quotes. */
    boolean inside() {
        return inside;
    }

    /** Whether its last byte is a quote that closes a field, unless it is doubled. */
    boolean closing() {
        return closing;
    }

    /** The position after the last line end outside of quotes; -1 if there is none. */
    int lastLine() {
        return lastLine;
    }
}
