package dev.penstock.loader.file;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.parse.QuotePlaces;
import dev.penstock.step.Deserialize;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The text of one chunk, part by part: whole records in {@code text()[from(), to())}, with padding
 * after. {@link #next} goes on to the next part; chunks that do not come from a {@link ChunkReader}
 * have one only. Reused: a thread owns one and has it filled again and again.
 */
public final class Chunk {
    /** Several threads have one each, and a longer one is a copy. */
    private static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 6;

    private static final long MEBIBYTE = 1 << 20;

    private byte[] text = new byte[0];
    private int chunkId;
    private int source;
    private int from;
    private int to;
    private long position;
    private final QuotePlaces quotes = new QuotePlaces();
    private @Nullable ChunkReader reader;
    private @Nullable ChunkLease lease;
    private boolean guessed;

    public byte[] text() {
        return text;
    }

    public int chunkId() {
        return chunkId;
    }

    /** Index of the input. */
    public int source() {
        return source;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** Position in the input of the byte at {@link #from}. */
    public long position() {
        return position;
    }

    /** Where the quotes in {@link #text} are, if whoever cut the chunk has found them. */
    public QuotePlaces quotes() {
        return quotes;
    }

    /** Bytes of the part. */
    public int length() {
        return to - from;
    }

    /** Bytes of the chunk that are in none of the parts until now. */
    public long bytesLeft() {
        ChunkReader more = reader;
        return more == null ? 0 : more.bytesLeft(this);
    }

    /** What a {@link ChunkSupply} has handed out. */
    public ChunkLease lease() {
        ChunkLease given = lease;
        if (given == null) {
            throw new IllegalStateException("the chunk was not handed out by a supply");
        }
        return given;
    }

    void setLease(ChunkLease given) {
        lease = given;
    }

    /**
     * Whether the borders of {@link #lease} follow from guesses: it has not been read, and unless
     * its supply repeats another, its records are nobody's to judge before they are proved.
     */
    public boolean isGuessed() {
        return guessed;
    }

    void setGuessed(boolean isGuessed) {
        guessed = isGuessed;
    }

    /** Reads the next part in place of this one; false if this is the last. */
    public boolean next() {
        ChunkReader more = reader;
        if (more == null || !more.hasMore()) {
            return false;
        }
        more.readNext(this);
        return true;
    }

    /** Makes all of the chunk one part; only before {@link #next}. */
    public void readAll() {
        ChunkReader more = reader;
        if (more != null && more.hasMore()) {
            more.readRest(this);
        }
    }

    /** Makes room for {@code bytes} and the padding, keeping what is there. */
    byte[] ensure(long bytes) {
        long needed = bytes + Deserialize.PADDING;
        if (needed > Math.min(MAX_BYTES, Integer.MAX_VALUE - 64)) {
            throw new PenstockException(
                    ErrorCategory.LIMIT,
                    "A chunk or record of the input needs more than "
                            + MAX_BYTES / MEBIBYTE
                            + " MiB at once, a sixth of this process's heap. A quote that is never"
                            + " closed or a file without line ends looks like this; otherwise use a"
                            + " smaller --chunk-size or more heap (PENSTOCK_HEAP=1g).");
        }
        if (text.length < needed) {
            text = Arrays.copyOf(text, (int) needed);
        }
        return text;
    }

    /** Begins a chunk that comes in parts. */
    void begin(int newChunkId, int newSource, ChunkReader newReader, long newPosition) {
        set(newChunkId, newSource, 0, 0, newPosition);
        quotes.forget();
        reader = newReader;
    }

    void setPart(int newFrom, int newTo, long newPosition) {
        from = newFrom;
        to = newTo;
        position = newPosition;
    }

    /** A chunk that is all there. */
    void set(int newChunkId, int newSource, int newFrom, int newTo, long newPosition) {
        chunkId = newChunkId;
        source = newSource;
        reader = null;
        setPart(newFrom, newTo, newPosition);
    }
}
