package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.dialect.Dialect;
import dev.penstock.parse.QuotedProbe;
import dev.penstock.parse.RecordProbe;

/**
 * Cuts files of quoted text where a record seems to end, of which only a little is read. That each
 * cut is right follows once every chunk has been read from its beginning to its end and no record
 * was open there: then the next one begins with a record too.
 *
 * <p>Phases: it guesses; it has ended, because it was told to or cannot tell where a record ends;
 * then chunks are to be cut exactly, but not before the guesses are {@link #proved}. Used under the
 * lock of its {@link ChunkSupply}, but for what any thread may call.
 */
final class GuessingCutter {
    /** Read at a place where a chunk might end. */
    private static final int WINDOW_BYTES = 64 << 10;

    /** Where a chunk may end, if one after the other cannot be told. */
    private static final int PLACES = 8;

    private final Dialect dialect;
    private final int fieldCount;
    private final RecordProbe probe;
    private final PositionalReader reader = new PositionalReader(WINDOW_BYTES);
    private final byte[] window = new byte[WINDOW_BYTES];

    /** Whether its guesses have been proved already. */
    private final boolean repeats;

    private int firstExact;
    private boolean over;
    private boolean waits;
    private volatile boolean hasGuessed;
    private volatile boolean ends;

    /**
     * @param dialect one that can be guessed
     * @param fieldCount fields of a record
     */
    GuessingCutter(Dialect dialect, int fieldCount) {
        this(dialect, fieldCount, ChunkSupply.MAX_CHUNKS, false);
    }

    private GuessingCutter(Dialect dialect, int fieldCount, int firstExact, boolean repeats) {
        this.dialect = dialect;
        this.fieldCount = fieldCount;
        this.probe = new QuotedProbe(dialect, fieldCount);
        this.firstExact = firstExact;
        this.repeats = repeats;
    }

    /** One that guesses the same, and whose guesses are proved. */
    GuessingCutter repeated() {
        return new GuessingCutter(dialect, fieldCount, firstExact, true);
    }

    /** One for the records at the edges of a chunk. By any thread. */
    RecordProbe probe() {
        return new QuotedProbe(dialect, fieldCount);
    }

    /** There are to be no more guesses. By any thread. */
    void end() {
        ends = true;
    }

    /** Whether something was guessed that has not been proved. By any thread. */
    boolean isUnproved() {
        return hasGuessed;
    }

    /** Whether the next chunk may not be handed out yet. */
    boolean holdsBack(int chunkId) {
        if (ends || chunkId >= firstExact) {
            endBefore(chunkId);
        }
        return waits;
    }

    /** Whether chunks are to be cut exactly. */
    boolean isOver() {
        return over;
    }

    /**
     * All that has been guessed was right.
     *
     * @return whether a chunk was held back until now
     */
    boolean proved() {
        boolean waited = waits;
        waits = false;
        hasGuessed = false;
        return waited;
    }

    private void endBefore(int chunkId) {
        if (!over) {
            over = true;
            firstExact = Math.min(firstExact, chunkId);
            waits = hasGuessed && !repeats;
        }
    }

    /**
     * Where the chunk that begins at {@code from} ends: at most {@code chunkBytes} behind, or at
     * the end of the file; -1 if that cannot be told, which ends all guesses.
     */
    long cut(int chunkId, FileText text, long from, long size, int chunkBytes) {
        long to = size - from <= chunkBytes ? size : within(text, from, chunkBytes);
        if (to < 0) {
            endBefore(chunkId);
        } else {
            hasGuessed = true;
        }
        return to;
    }

    private long within(FileText text, long from, int chunkBytes) {
        int length = Math.min(WINDOW_BYTES, chunkBytes / 2);
        for (int places = PLACES; places > 0; places--) {
            long place = from + (long) (chunkBytes - length) * places / PLACES;
            int read = text.read(reader, place, window, 0, length);
            int start = probe.startAfter(window, 0, read);
            if (start > 0) {
                return place + start;
            }
        }
        return -1;
    }
}
