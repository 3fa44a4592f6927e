package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;

import java.util.Arrays;

/**
 * Finds the last line end outside of quotes by the quotes alone: for text in which each quote opens
 * a field, closes one or is doubled, as in nearly all files. Only LF ends lines; there are neither
 * escapes nor comments.
 *
 * <p>Phases of a text: {@link #begin}; {@link #look} as it is read, or never; {@link #lastLine}.
 * One per thread.
 */
final class QuotedTail {
    /** What {@link #lastLine} answers if only {@link QuotedScan} can tell. */
    static final int UNKNOWN = -1;

    static final int WINDOW_BYTES = 1 << 16;

    private static final int OUTSIDE = -1;

    /** Bytes after a quote that say what it does. */
    private static final int BYTES_AFTER = 2;

    private final byte delimiter;
    private final byte quote;
    private final int windowBytes;
    private final long[] masks;
    private final QuotedBlocks many;

    /** After a line end outside of quotes, if one is known already. */
    private int lineKnown;

    // Starts and ends of what lies outside of quotes behind it, up to the last opening.
    private int[] gaps = new int[64];
    private int gapCount;

    private byte[] text = new byte[0];
    private int from;
    private int to;
    private int lookedTo;
    private boolean regular;
    private int resumed;
    private int opening;
    private int doubled;
    private QuotePlaces places = new QuotePlaces();

    QuotedTail(Dialect dialect, int windowBytes) {
        this.delimiter = dialect.delimiter();
        this.quote = (byte) dialect.quote();
        this.windowBytes = windowBytes;
        int blocks = (windowBytes + 63) >> 6;
        this.masks = new long[blocks + ScanKernels.MASK_SLACK];
        this.many = new QuotedBlocks(delimiter, blocks);
    }

    /**
     * Begins with a text, of which a record begins at {@code start}.
     *
     * @param found gets the quotes
     */
    void begin(byte[] source, int start, QuotePlaces found) {
        text = source;
        from = start;
        lookedTo = start;
        regular = true;
        lineKnown = start;
        gapCount = 0;
        resumed = start;
        opening = OUTSIDE;
        doubled = OUTSIDE;
        places = found;
        places.forget();
    }

    /** The text is there up to {@code end}, and goes on. */
    void look(int end) {
        to = Integer.MAX_VALUE;
        while (regular && lookedTo + windowBytes <= end - BYTES_AFTER) {
            lookAt(lookedTo + windowBytes);
        }
    }

    private void lookAt(int windowTo) {
        int quotes = ScanKernels.masks(text, lookedTo, windowTo, quote, masks);
        int blocks = (windowTo - lookedTo + 63) >> 6;
        if (quotes > 0) {
            regular =
                    QuotedBlocks.manyQuotes(quotes, blocks)
                            ? scanBlocks(lookedTo, windowTo, blocks, quotes)
                            : pairQuotes(lookedTo, blocks);
        }
        lookedTo = windowTo;
    }

    /** The same as {@link #pairQuotes} of a window with many quotes. */
    private boolean scanBlocks(int window, int windowTo, int blocks, int quotes) {
        places.addAll(window, masks, blocks, quotes);
        boolean again = doubled == window;
        if (opening == OUTSIDE) {
            addGap(window);
        }
        boolean inside = opening != OUTSIDE && !again;
        boolean begins = window == from || beginsAfter(window - 1);
        if (!many.scan(text, window, windowTo, to, masks, inside, again, begins)) {
            return false;
        }
        if (many.lastLine() >= 0) {
            lineKnown = many.lastLine();
            gapCount = 0;
        }
        resumed = windowTo;
        doubled = OUTSIDE;
        opening = many.inside() || many.closing() ? windowTo - 1 : OUTSIDE;
        return !many.closing() || close(windowTo - 1);
    }

    /**
     * The position after the last line end in {@code [start, end)} of the text that certainly ends
     * a record, or {@code start} if there is none, or {@link #UNKNOWN}.
     */
    int lastLine(int end) {
        to = end;
        while (regular && lookedTo < end) {
            lookAt(Math.min(end, lookedTo + windowBytes));
        }
        if (!regular) {
            return UNKNOWN;
        }
        places.complete();
        if (opening == OUTSIDE) {
            addGap(end);
        }
        return lastLineOfGaps();
    }

    /** Whether all quotes of a window are where they should be. */
    private boolean pairQuotes(int window, int blocks) {
        for (int block = 0; block < blocks; block++) {
            for (long rest = masks[block]; rest != 0; rest &= rest - 1) {
                int at = window + (block << 6) + Long.numberOfTrailingZeros(rest);
                places.add(at);
                if (at != doubled && !(opening == OUTSIDE ? open(at) : close(at))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean open(int at) {
        addGap(at);
        opening = at;
        return at == from || beginsAfter(at - 1);
    }

    /** Whether a field begins after a byte outside of quotes. */
    private boolean beginsAfter(int at) {
        return text[at] == delimiter || text[at] == '\n';
    }

    /** A quote at the end of the text, or before a CR there, closes nothing yet. */
    private boolean close(int at) {
        int next = at + 1;
        boolean last = next == to || (text[next] == '\r' && next + 1 == to);
        if (last) {
            return true;
        }
        if (text[next] == quote) {
            doubled = next;
            return true;
        }
        opening = OUTSIDE;
        resumed = next;
        return text[next] == delimiter || text[next] == '\n' || RecordWalker.isCrLf(text, next, to);
    }

    private void addGap(int end) {
        if (gapCount + 2 > gaps.length) {
            gaps = Arrays.copyOf(gaps, 2 * gaps.length);
        }
        gaps[gapCount++] = resumed;
        gaps[gapCount++] = end;
    }

    private int lastLineOfGaps() {
        for (int gap = gapCount - 2; gap >= 0; gap -= 2) {
            for (int i = gaps[gap + 1] - 1; i >= gaps[gap]; i--) {
                if (text[i] == '\n') {
                    return i + 1;
                }
            }
        }
        return lineKnown;
    }
}
