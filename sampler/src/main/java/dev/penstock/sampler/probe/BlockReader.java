package dev.penstock.sampler.probe;

import dev.penstock.parse.RecordBoundary;
import dev.penstock.step.Deserialize;

import java.util.Arrays;
import java.util.List;

/**
 * Reads the blocks of a plan in order and finds whole records in them.
 *
 * <p>A block that follows the one before without a gap continues where that one's last whole record
 * ended, and a block at its source's first record starts there: both are exact. Any other block
 * starts within some record; then {@link #start} is only the position after the next line end. That
 * is a record's start in dialects without quotes; in quoted ones it may lie within a quoted field,
 * so the caller tries {@link #nextStart} until the records make sense.
 *
 * <p>The text stays valid until the next call of {@link #read}. Owned by one thread.
 */
public final class BlockReader {
    private static final int MAX_EXTENDED_BYTES = 1 << 20;

    /** A record that is longer is left out of the sample; less where the heap is small. */
    private static final int MAX_CARRY_BYTES =
            (int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 16);

    private final List<? extends SampleSource> sources;
    private final RecordBoundary boundary;
    private byte[] text = new byte[256 << 10];
    private int length;
    private int start;
    private boolean exact;
    private boolean endOfSource;
    private int lastSource = -1;
    private long lastEnd = -1;
    private int carryFrom;

    /** So much of {@link #text} is known to have no whole record, and begins with a record. */
    private int lookedThrough;

    public BlockReader(List<? extends SampleSource> sources, RecordBoundary boundary) {
        this.sources = sources;
        this.boundary = boundary;
    }

    /**
     * Reads one block; false if there is no whole record in it. The end of a long one is looked for
     * only when there is half as much again as when it was looked for last, or as much as is kept,
     * so that a record of many blocks is not looked through once for each.
     */
    public boolean read(ProbeBlock block) {
        SampleSource source = sources.get(block.source());
        boolean continues = block.source() == lastSource && block.from() == lastEnd;
        exact = continues || block.from() == source.dataStart();
        int carried = continues ? keepCarry() : 0;
        length = carried;
        fill(source, block.from(), block.length());
        lastSource = block.source();
        lastEnd = block.from() + length - carried;
        int looked = Math.min(carried, lookedThrough);
        if (length < looked + looked / 2 && length <= MAX_CARRY_BYTES && !endOfSource) {
            carryFrom = 0;
            return false;
        }
        lookedThrough = 0;
        start = exact ? 0 : nextStart(0);
        if (!exact && start < 0) {
            return extend(source);
        }
        carryFrom = exact ? end() : length;
        if (exact && carryFrom == start) {
            lookedThrough = length;
            return false;
        }
        return true;
    }

    public byte[] text() {
        return text;
    }

    /** Where the first record starts in {@link #text}. */
    public int start() {
        return start;
    }

    /** Whether {@link #start} is known to be a record's start. */
    public boolean exact() {
        return exact;
    }

    /** Position after the next line end at or after {@code from}, or -1. */
    public int nextStart(int from) {
        return boundary.nextLine(text, from, length, false);
    }

    /** End of the last whole record, if a record starts at {@code from}. */
    public int endFrom(int from) {
        return boundary.last(text, from, length, endOfSource);
    }

    private int end() {
        return endFrom(start);
    }

    private int keepCarry() {
        int carried = length - carryFrom;
        if (carried > MAX_CARRY_BYTES) {
            exact = false;
            return 0;
        }
        System.arraycopy(text, carryFrom, text, 0, carried);
        return carried;
    }

    private boolean extend(SampleSource source) {
        while (length < MAX_EXTENDED_BYTES && !endOfSource && source.seekable()) {
            int before = length;
            fill(source, lastEnd, before);
            lastEnd += length - before;
            start = nextStart(0);
            if (start >= 0 && endFrom(start) > start) {
                carryFrom = length;
                return true;
            }
        }
        carryFrom = length;
        return false;
    }

    private void fill(SampleSource source, long position, int count) {
        int needed = length + count + Deserialize.PADDING;
        if (text.length < needed) {
            text = Arrays.copyOf(text, Math.max(needed, text.length + (text.length >> 1)));
        }
        int read = source.read(position, text, length, count);
        length += read;
        endOfSource = read < count || position + read >= source.size() && source.seekable();
    }
}
