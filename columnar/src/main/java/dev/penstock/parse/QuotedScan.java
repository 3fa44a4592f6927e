package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.ScanKernels;

import java.util.Arrays;

/**
 * The structure of a window of text that may hold quoted fields, as masks of one bit a byte.
 *
 * <p>Vector compares find quotes, delimiters and line ends; which of them lie inside quotes follows
 * from the parity of the quotes before them (a prefix xor), as long as each opening quote follows a
 * delimiter, a line end or a closing quote (then the pair is a doubled quote), and each closing
 * quote precedes one of these. Blocks without quotes outside of quotes need none of that. The first
 * byte that breaks the rule, an escape, a comment or a record that is too long sends its record to
 * the exact {@link RecordWalker}, whose answer is entered in the masks; the fast way resumes after
 * that record. Windows with few quotes are tried with {@link QuotePairs} first.
 *
 * <p>One per thread; results are valid until the next {@link #scan}.
 */
final class QuotedScan {
    /** Windows whose masks are scanned at once after one whose quotes were not regular. */
    private static final int PAUSE = 15;

    private final byte delimiter;
    private final byte quote;
    private final int escape;
    private final int comment;
    private final boolean anyNewline;
    private final boolean special;
    private final boolean plain;
    private final int maxRecordBytes;
    private final RecordWalker walker;
    private final QuotePairs pairs;
    private int pause;

    private long[] quotes = new long[0];
    private long[] delimiters = new long[0];
    private long[] feeds = new long[0];
    private long[] returns = new long[0];
    private long[] escapes = new long[0];
    private long[] comments = new long[0];
    private long[] structure = new long[0];
    private long[] lineEnds = new long[0];

    private QuotePlaces places = new QuotePlaces();
    private byte[] text = new byte[0];
    private int from;
    private int blockCount;
    private int quoteCount;
    private int lineCount;
    private int recordsEnd;
    private boolean irregular;
    private boolean escaped;
    private boolean walked;

    // Fields that begin with a quote, those that hold doubled ones, and the positions found before
    // the block at hand.
    private final FieldMarks opened;
    private final FieldMarks doubled;
    private int positionCount;

    // State between blocks: what the last byte was, and where the current record began.
    private long inside;
    private long afterBoundary;
    private long afterLine;
    private long afterClose;
    private long afterReturn;
    private int recordStart;
    private long broken;

    /**
     * @param fields positions of a regular record; 0 if nobody asks which fields have quotes
     */
    QuotedScan(Dialect dialect, int fields, int maxRecordBytes) {
        this.delimiter = dialect.delimiter();
        this.quote = (byte) dialect.quote();
        this.escape = dialect.escape() == dialect.quote() ? Dialect.NONE : dialect.escape();
        this.comment = dialect.comment();
        this.special = escape != Dialect.NONE || comment != Dialect.NONE;
        this.anyNewline = dialect.newline() == Dialect.Newline.ANY;
        this.plain = !special && !anyNewline;
        this.maxRecordBytes = maxRecordBytes;
        this.walker = new RecordWalker(dialect, maxRecordBytes);
        this.opened = new FieldMarks(fields);
        this.doubled = new FieldMarks(fields);
        this.pairs = new QuotePairs(dialect, opened, doubled);
    }

    byte quote() {
        return quote;
    }

    /** Says where the quotes of the text are that windows are of from now on, if that is known. */
    void begin(QuotePlaces known) {
        places = known;
    }

    /** Whether the window holds a quote at all; if not, nothing else has been computed. */
    boolean findQuotes(byte[] source, int windowFrom, int windowTo) {
        text = source;
        from = windowFrom;
        blockCount = (windowTo - windowFrom + 63) >> 6;
        if (lineEnds.length < blockCount) {
            quotes = new long[blockCount + ScanKernels.MASK_SLACK];
            delimiters = new long[blockCount + ScanKernels.MASK_SLACK];
            feeds = new long[blockCount + ScanKernels.MASK_SLACK];
            structure = new long[blockCount + ScanKernels.MASK_SLACK];
            lineEnds = new long[blockCount];
        }
        quoteCount =
                places.areKnown()
                        ? places.masks(windowFrom, windowTo, quotes)
                        : ScanKernels.masks(source, windowFrom, windowTo, quote, quotes);
        return quoteCount != 0;
    }

    /**
     * Finds the structure of the window that {@link #findQuotes} saw.
     *
     * @param windowTo end of the window
     * @param to end of the text; records are followed up to it
     * @param endOfInput whether nothing follows {@code to}
     */
    void scan(int windowTo, int to, boolean endOfInput) {
        irregular = false;
        walked = false;
        if (!pairQuotes(windowTo, to)) {
            scanMasks(windowTo, to, endOfInput);
        }
    }

    /** The usual case: few quotes, all of them regular. False if it is another one. */
    private boolean pairQuotes(int windowTo, int to) {
        if (!plain
                || windowTo - from > maxRecordBytes
                || !QuotePairs.fewQuotes(quoteCount, blockCount)) {
            return false;
        }
        if (pause > 0) {
            pause--;
            return false;
        }
        if (!pairs.scan(text, from, windowTo, to, quotes, structure)) {
            pause = PAUSE;
            return false;
        }
        recordsEnd = pairs.cutAfterLastLine();
        lineCount = pairs.lineCount();
        return true;
    }

    private void scanMasks(int windowTo, int to, boolean endOfInput) {
        findMasks(windowTo);
        escaped = false;
        opened.clear();
        doubled.clear();
        positionCount = 0;
        startRecord(from);
        int block = 0;
        long skip = 0;
        while (block < blockCount) {
            block = scanBlocks(block, skip, to);
            if (block == blockCount) {
                break;
            }
            walked = true;
            int start = lastRecordStart(block, from + (block << 6), broken);
            forgetFrom(start, block);
            if (!walkRecord(start, windowTo, to, endOfInput)) {
                recordsEnd = start;
                countLines();
                return;
            }
            startRecord(walker.next());
            block = (walker.next() - from) >> 6;
            skip = RecordWalker.lowBits((walker.next() - from) & 63);
        }
        recordsEnd = Math.min(afterFeed(recordStart), to);
        forgetFrom(Math.min(recordsEnd, windowTo), blockCount - 1);
        countLines();
    }

    /** Delimiters and line ends outside of quotes, one word per block. */
    long[] structure() {
        return structure;
    }

    int blockCount() {
        return blockCount;
    }

    /** Where the first record starts that does not end within the window. */
    int recordsEnd() {
        return recordsEnd;
    }

    /** Whether there are comments, or records that are to be rejected. */
    boolean irregular() {
        return irregular;
    }

    /** Whether fields may hold doubled quotes or escapes, of a window that was {@link #walked}. */
    boolean escaped() {
        return escaped;
    }

    /** Whether records had to be walked: then not all fields are marked that are to be. */
    boolean walked() {
        return walked;
    }

    /** Fields that begin with a quote, if all records are regular. */
    FieldMarks opened() {
        return opened;
    }

    /** The same of fields that hold doubled quotes. */
    FieldMarks doubled() {
        return doubled;
    }

    int lineCount() {
        return lineCount;
    }

    private void countLines() {
        lineCount = 0;
        for (int i = 0; i < blockCount; i++) {
            lineCount += Long.bitCount(lineEnds[i]);
        }
    }

    private void findMasks(int windowTo) {
        ScanKernels.masks(text, from, windowTo, delimiter, delimiters);
        ScanKernels.masks(text, from, windowTo, (byte) '\n', feeds);
        if (anyNewline) {
            returns = sized(returns);
            ScanKernels.masks(text, from, windowTo, (byte) '\r', returns);
        }
        if (escape != Dialect.NONE) {
            escapes = sized(escapes);
            ScanKernels.masks(text, from, windowTo, (byte) escape, escapes);
        }
        if (comment != Dialect.NONE) {
            comments = sized(comments);
            ScanKernels.masks(text, from, windowTo, (byte) comment, comments);
        }
        Arrays.fill(structure, 0, blockCount, 0);
        Arrays.fill(lineEnds, 0, blockCount, 0);
    }

    private long[] sized(long[] words) {
        return words.length < quotes.length ? new long[quotes.length] : words;
    }

    private void startRecord(int start) {
        recordStart = start;
        inside = 0;
        afterBoundary = 1L << (start - from);
        afterLine = afterBoundary;
        afterClose = 0;
        afterReturn = 0;
    }

    /**
     * Enters blocks, the first one without the bits of {@code skip}, until one holds a byte that
     * needs the exact walk: the lowest bit of {@link #broken}. That block's words then hold what is
     * true below that bit, and the state is that before the block.
     *
     * @return the block, or {@link #blockCount}
     */
    private int scanBlocks(int firstBlock, long skip, int to) {
        long live = ~skip;
        long in = inside;
        long boundary = afterBoundary;
        long line = afterLine;
        long close = afterClose;
        long carriage = afterReturn;
        int start = recordStart;
        long reopened = 0;
        long bad = 0;
        int block = firstBlock;
        for (; block < blockCount; block++) {
            int base = from + (block << 6);
            long quoteBits = quotes[block] & live;
            long delimiterBits = delimiters[block] & live;
            long feedBits = feeds[block] & live;
            if (plain && (quoteBits | close) == 0 && (long) base + 64 - start <= maxRecordBytes) {
                long feedEnds = feedBits & ~in;
                long found = delimiterBits & ~in | feedEnds;
                structure[block] |= found;
                lineEnds[block] |= feedEnds;
                positionCount += Long.bitCount(found);
                boundary = found >>> 63;
                start = feedEnds == 0 ? start : base + 64 - Long.numberOfLeadingZeros(feedEnds);
                live = -1;
                continue;
            }
            long returnBits = anyNewline ? returns[block] & live : 0;

            long within = BitRange.parity(quoteBits) ^ in;
            long openings = quoteBits & within;
            long closings = quoteBits & ~within;
            long afterClosings = closings << 1 | close;
            long returnEnds = returnBits & ~within;
            long feedEnds = feedBits & ~within & ~(returnEnds << 1 | carriage);
            long ends = returnEnds | feedEnds;
            long lineBytes = (feedBits | returnBits) & ~within;
            long boundaries = delimiterBits & ~within | lineBytes;

            bad = openings & ~(boundaries << 1 | boundary | afterClosings);
            long others = afterClosings & ~(delimiterBits | feedBits | returnBits | quoteBits);
            if (others != 0) {
                bad |= withoutCrLf(others, base, to);
            }
            if (special) {
                long lineStarts = ~within & (lineBytes << 1 | line);
                bad |= specialBytes(block, live, lineStarts, (quoteBits | in) != 0);
            }
            if ((long) base + 64 - start > maxRecordBytes && (quoteBits | in) != 0) {
                bad |= Long.lowestOneBit(live);
            }
            long valid = bad == 0 ? live : live & (Long.lowestOneBit(bad) - 1);
            structure[block] |= (delimiterBits & ~within | ends) & valid;
            lineEnds[block] |= ends & valid;
            long again = openings & afterClosings & valid;
            reopened |= again;
            mark(again, structure[block], doubled);
            mark(openings & ~afterClosings & valid, structure[block], opened);
            positionCount += Long.bitCount(structure[block]);
            if (bad != 0) {
                break;
            }
            // From the count, not from the prefix: that keeps the chain between blocks short.
            in ^= -(Long.bitCount(quoteBits) & 1L);
            boundary = boundaries >>> 63;
            line = lineBytes >>> 63;
            close = closings >>> 63;
            carriage = returnEnds >>> 63;
            if (ends != 0) {
                start = base + 64 - Long.numberOfLeadingZeros(ends);
            }
            live = -1;
        }
        inside = in;
        afterBoundary = boundary;
        afterLine = line;
        afterClose = close;
        afterReturn = carriage;
        recordStart = start;
        escaped |= reopened != 0;
        broken = bad;
        return block;
    }

    /** Marks the fields that bytes of one block are in, each once. */
    private void mark(long bits, long positions, FieldMarks marks) {
        long rest = bits;
        while (rest != 0 && !marks.isFull()) {
            long first = Long.lowestOneBit(rest);
            marks.mark(positionCount + Long.bitCount(positions & first - 1));
            // What lies before the next position is in the same field.
            rest &= -Long.lowestOneBit(positions & -first);
        }
    }

    /** Comments that begin at a line's start, and escapes where there are quotes. */
    private long specialBytes(int block, long live, long lineStarts, boolean quoted) {
        long found = comment == Dialect.NONE ? 0 : comments[block] & live & lineStarts;
        return found | (escape == Dialect.NONE || !quoted ? 0 : escapes[block] & live);
    }

    /** Takes out the bytes that begin CRLF, where only LF ends lines. */
    private long withoutCrLf(long bits, int base, int to) {
        long kept = bits;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int bit = Long.numberOfTrailingZeros(rest);
            if (!anyNewline && RecordWalker.isCrLf(text, base + bit, to)) {
                kept &= ~(1L << bit);
            }
        }
        return kept;
    }

    /** Start of the record that holds the lowest bit of {@code broken}. */
    private int lastRecordStart(int block, int base, long broken) {
        long before = lineEnds[block] & (Long.lowestOneBit(broken) - 1);
        int start =
                before == 0
                        ? recordStart
                        : Math.max(recordStart, base + 64 - Long.numberOfLeadingZeros(before));
        return afterFeed(start);
    }

    /** Steps over the LF of a CRLF whose CR ended the record before. */
    private int afterFeed(int start) {
        boolean feed =
                anyNewline
                        && start > from
                        && start < text.length
                        && text[start] == '\n'
                        && text[start - 1] == '\r';
        return feed ? start + 1 : start;
    }

    /** Clears all bits from a position on, which lies in {@code lastBlock} or before it. */
    private void forgetFrom(int position, int lastBlock) {
        int first = (position - from) >> 6;
        for (int i = first; i <= lastBlock; i++) {
            long kept = i == first ? RecordWalker.lowBits((position - from) & 63) : 0;
            structure[i] &= kept;
            lineEnds[i] &= kept;
        }
    }

    /** Enters the record at {@code start} exactly; false if it does not end within the window. */
    private boolean walkRecord(int start, int windowTo, int to, boolean endOfInput) {
        RecordWalker.Outcome outcome = walker.walk(text, start, to, endOfInput);
        if (outcome == RecordWalker.Outcome.INCOMPLETE || walker.end() >= windowTo) {
            return false;
        }
        irregular |= outcome != RecordWalker.Outcome.FIELDS;
        escaped |= walker.escaped();
        for (int i = 0; i < walker.delimiterCount(); i++) {
            set(structure, walker.delimiters()[i]);
        }
        set(structure, walker.end());
        set(lineEnds, walker.end());
        return true;
    }

    private void set(long[] words, int position) {
        words[(position - from) >> 6] |= 1L << (position - from);
    }
}
