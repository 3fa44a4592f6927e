package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.parse.QuotedProbe;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.step.ChunkText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Hands out the chunks of all inputs in order, to any number of threads. Chunk ids and borders
 * depend on the inputs and the chunk size alone, but for where guesses end.
 *
 * <p>Files in a dialect without quotes are cut by arithmetic: a lease costs nothing, and each
 * thread reads and aligns its own chunk. Everything else is cut by whoever asks, under the lock: it
 * reads the next chunk's bytes and finds the last record border in them, then works on them outside
 * the lock. So there is no queue, and no more chunks are in memory than threads.
 *
 * <p>Where chunks are read by others anyway, quoted text may be cut by {@link #guess}. What follows
 * from guesses is not proved before all chunks have been read: until then nobody may say anything
 * about records. Once there are to be no more guesses, or one cannot be made, nothing is handed out
 * until {@link #prove} has been called; from there on chunks are cut exactly.
 *
 * <p>At the beginning and every few seconds some inputs are looked at again, and whoever asks for a
 * chunk hears that one of them has changed.
 */
public final class ChunkSupply {
    /** Chunk ids take 21 bits of a hidden row id. */
    public static final int MAX_CHUNKS = 1 << 21;

    /** So often some inputs are looked at again: seldom enough for disks that answer slowly. */
    private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Inputs inputs;
    private final long[] dataStarts;
    private final Dialect dialect;
    private final int chunkBytes;
    private final RecordBoundary boundary;
    private final boolean arithmetic;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private int source;
    private long position;
    private int nextChunkId;
    private int numberStep = 1;
    private Map<Integer, ChunkLease> done = Map.of();
    private final ArrayDeque<ChunkLease> again = new ArrayDeque<>();

    /** Whether chunks are handed out that another supply has cut. */
    private boolean isAgain;

    /** Those of {@link #done} that have been passed. */
    private int leftOut;

    /** Of quoted text that may be cut by guesses. */
    private volatile @Nullable GuessingCutter guesses;

    private @Nullable SequentialCutter cutter;

    /** Of all files that are cut under the lock. */
    private @Nullable PositionalReader cutterReader;

    private @Nullable TextStream stream;
    private long storedBytesOfEndedStreams;
    private volatile boolean stopped;

    private final LongSupplier clock;
    private long nextLookNanos;

    // Changed under the lock, read without.
    private final AtomicLong progress = new AtomicLong();

    /**
     * @param dataStarts for each input the position of its first record
     * @param chunkBytes bytes of a chunk, about
     */
    public ChunkSupply(Inputs inputs, Dialect dialect, long[] dataStarts, int chunkBytes) {
        this(inputs, dialect, dataStarts, chunkBytes, System::nanoTime);
    }

    /**
     * The same.
     *
     * @param clock nanoseconds since whenever
     */
    ChunkSupply(
            Inputs inputs, Dialect dialect, long[] dataStarts, int chunkBytes, LongSupplier clock) {
        this.clock = clock;
        this.nextLookNanos = clock.getAsLong();
        this.inputs = inputs;
        this.dataStarts = dataStarts.clone();
        this.dialect = dialect;
        this.chunkBytes = chunkBytes;
        this.boundary = new RecordBoundary(dialect, RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
        this.arithmetic = dialect.recordsAreLines();
        beginSource();
    }

    /**
     * Of some chunks only, which another supply has handed out.
     *
     * @param chunks of files that can be sought, in the order of the input
     */
    public ChunkSupply only(List<ChunkLease> chunks) {
        ChunkSupply rest = new ChunkSupply(inputs, dialect, dataStarts, chunkBytes, clock);
        rest.source = inputs.count();
        rest.isAgain = true;
        rest.again.addAll(chunks);
        return rest;
    }

    /** Chunks of one file that is cut by arithmetic. */
    public static long chunkCount(long bytes, long chunkBytes) {
        return bytes <= 0 ? 0 : (bytes + chunkBytes - 1) / chunkBytes;
    }

    /**
     * Leaves out chunks that have been done before; before any is handed out. What can be sought is
     * not read again.
     *
     * @param chunks as they were handed out, by number
     */
    public void leaveOut(Map<Integer, ChunkLease> chunks) {
        lock.lock();
        try {
            done = Map.copyOf(chunks);
        } finally {
            lock.unlock();
        }
    }

    /** Fills {@code chunk} with the next chunk; false when all inputs have been handed out. */
    public boolean next(Chunk chunk, ChunkReader reader) {
        boolean more = take(chunk);
        if (more) {
            readTaken(chunk.lease(), chunk, reader);
        }
        return more;
    }

    /**
     * The same, but what is cut by arithmetic or guesses is not read before {@link #readTaken}.
     *
     * @param chunk gets its {@link Chunk#lease}
     */
    public boolean take(Chunk chunk) {
        ChunkLease lease = lease(chunk);
        if (lease == null) {
            return false;
        }
        chunk.setLease(lease);
        return true;
    }

    /**
     * Reads what was taken, if that has not happened.
     *
     * @param lease the chunk's, or the last part of it
     */
    public void readTaken(ChunkLease lease, Chunk chunk, ChunkReader reader) {
        boolean part = !lease.equals(chunk.lease());
        chunk.setLease(lease);
        if (!lease.exact() || isAgain || chunk.isGuessed()) {
            read(lease, chunk, reader);
        } else if (part) {
            int before = (int) (lease.from() - chunk.position());
            chunk.set(
                    lease.chunkId(),
                    lease.source(),
                    chunk.from() + before,
                    chunk.to(),
                    lease.from());
        }
    }

    /**
     * Looks at the edges of a chunk of a file that was taken, or of a part of it.
     *
     * @param chunk has been read, if the lease is exact and not guessed
     * @return false if they cannot be found so, or the text between is too long to travel
     */
    public boolean find(ChunkLease lease, Chunk chunk, ChunkEdges edges) {
        return findEdges(lease, chunk, edges) && edges.to() - edges.from() <= ChunkText.MOST_BYTES;
    }

    private boolean findEdges(ChunkLease lease, Chunk chunk, ChunkEdges edges) {
        InputFile file = inputs.file(lease.source());
        GuessingCutter guessing = guesses;
        if (guessing != null && chunk.isGuessed()) {
            return edges.findExact(lease, text(lease), guessing.probe());
        }
        if (!lease.exact()) {
            return edges.find(lease, text(lease), dataStarts[lease.source()], file.bytes());
        }
        return file.seekable()
                && dialect.quotesAloneHideLines()
                && edges.findIn(chunk, lease, new QuotedProbe(dialect, 0));
    }

    /**
     * Guesses where quoted text can be cut, if its dialect allows that; before any chunk is handed
     * out.
     *
     * @param fields of a record
     */
    public void guess(int fields) {
        if (dialect.quotesAloneHideLines() && fields >= QuotedProbe.LEAST_FIELDS) {
            guesses = new GuessingCutter(dialect, fields);
        }
    }

    /**
     * Cuts the same chunks as a supply whose guesses, if there were any, have been proved; before
     * any is handed out.
     */
    public void repeat(ChunkSupply proved) {
        proved.lock.lock();
        try {
            GuessingCutter before = proved.guesses;
            guesses = before == null ? null : before.repeated();
        } finally {
            proved.lock.unlock();
        }
    }

    /** There are to be no more guesses. By any thread; does not wait. */
    public void endGuesses() {
        GuessingCutter guessing = guesses;
        if (guessing != null) {
            guessing.end();
        }
    }

    /** Whether something that was handed out follows from a guess that has not been proved. */
    public boolean isGuessed() {
        GuessingCutter guessing = guesses;
        return guessing != null && guessing.isUnproved();
    }

    /**
     * Proves the guesses and goes on, by what others have found: all chunks but {@code left} ended
     * with a record if they began with one. Once it is stopped nothing is proved any more.
     *
     * @return whether there may be more chunks
     * @throws WrongGuess if one of these does not
     */
    public boolean prove(List<ChunkLease> left) {
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        for (ChunkLease lease : left) {
            if (stopped) {
                return false;
            }
            read(lease, chunk, reader);
            boolean last = lease.to() == inputs.file(lease.source()).bytes();
            if (boundary.last(chunk.text(), chunk.from(), chunk.to(), last) != chunk.to()) {
                throw new WrongGuess(
                        inputs.file(lease.source()).name()
                                + " was cut within a record, at byte "
                                + lease.to());
            }
        }
        return goOn();
    }

    private boolean goOn() {
        lock.lock();
        try {
            GuessingCutter guessing = guesses;
            return guessing != null && guessing.proved();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Leaves a number free after that of each chunk, so that it may be handled as two; before any
     * is handed out.
     */
    public void leaveNumbersFree() {
        numberStep = 2;
    }

    /** The file of a leased chunk, if it can be sought. */
    public FileText text(ChunkLease lease) {
        return inputs.text(lease.source());
    }

    /**
     * The next chunk as a range for another process to read; null at the end. {@code scratch} is
     * where inputs are read that must be read to be cut.
     */
    public @Nullable ChunkLease lease(Chunk scratch) {
        boolean whole = false;
        lock.lock();
        try {
            ChunkLease lease = advance(scratch);
            whole = true;
            return lease;
        } finally {
            // Who fails may have taken text along that the next one would miss.
            stopped |= !whole;
            lock.unlock();
        }
    }

    /**
     * Reads a leased chunk of a file; of a line that is longer than any record may be only as much
     * as shows that.
     */
    public void read(ChunkLease lease, Chunk chunk, ChunkReader reader) {
        boolean endless =
                lease.exact() && lease.to() - lease.from() > SequentialCutter.mostBytes(chunkBytes);
        InputFile file = inputs.file(lease.source());
        reader.read(
                endless ? lease.beginning(RecordBoundary.DEFAULT_MAX_RECORD_BYTES + 1L) : lease,
                inputs.text(lease.source()),
                dataStarts[lease.source()],
                file.bytes(),
                chunk);
    }

    /**
     * No further chunk is handed out. Does not wait for whoever is about to get one, who may read a
     * disk that does not answer.
     */
    public void stop() {
        stopped = true;
    }

    /**
     * Bytes of the inputs handed out so far, as stored. Without the lock, so a moment old: a reader
     * of a slow pipe may hold it for long.
     */
    public long storedBytes() {
        return progress.get();
    }

    private @Nullable ChunkLease advance(Chunk chunk) {
        chunk.setGuessed(false);
        if (!stopped && !again.isEmpty()) {
            return again.poll();
        }
        GuessingCutter guessing = guesses;
        while (!stopped && source < inputs.count()) {
            if (guessing != null && guessing.holdsBack(nextChunkId)) {
                return null;
            }
            long now = clock.getAsLong();
            if (now - nextLookNanos >= 0) {
                nextLookNanos = now + LOOK_EVERY_NANOS;
                inputs.checkSome(source);
            }
            InputFile file = inputs.file(source);
            ChunkLease before = done.get(nextChunkId);
            if (before != null && before.source() == source && file.seekable()) {
                seek(before);
                continue;
            }
            ChunkLease lease = nextOf(file, chunk);
            if (lease == null) {
                // If there is more, only that it cannot be guessed.
                if (!file.seekable() || position >= file.bytes()) {
                    nextSource();
                }
                continue;
            }
            nextChunkId += numberStep;
            if (nextChunkId > MAX_CHUNKS) {
                throw PenstockException.usage(
                        "The input has more than "
                                + MAX_CHUNKS
                                + " chunks; use a larger --chunk-size.");
            }
            if (before == null) {
                return lease;
            }
            leave(before, before.equals(lease));
        }
        if (!stopped && leftOut < done.size()) {
            throw elsewhere("there are more of them than the input has");
        }
        return null;
    }

    /** Goes on behind a chunk. */
    private void seek(ChunkLease chunk) {
        leave(chunk, chunk.from() == position);
        position = chunk.to();
        cutter = null;
        progress.addAndGet(chunk.to() - chunk.from());
        nextChunkId++;
    }

    /** Bytes between two chunks would be lost, and nobody would miss them: their sums are right. */
    private void leave(ChunkLease chunk, boolean inPlace) {
        if (!inPlace) {
            throw elsewhere(
                    "chunk "
                            + chunk.chunkId()
                            + " of "
                            + inputs.file(source).name()
                            + " does not begin where the one before it ends, at byte "
                            + position);
        }
        leftOut++;
    }

    private static PenstockException elsewhere(String what) {
        return PenstockException.conflict(
                "The unfinished load cannot go on, because the input is not cut into the chunks"
                        + " that are done already: "
                        + what
                        + ". Leave out --resume to begin anew.");
    }

    private @Nullable ChunkLease nextOf(InputFile file, Chunk chunk) {
        if (arithmetic && file.seekable()) {
            return leaseRange(file);
        }
        GuessingCutter guessing = guesses;
        return guessing == null || guessing.isOver() || !file.seekable()
                ? cut(file, chunk)
                : guess(file, guessing, chunk);
    }

    private @Nullable ChunkLease guess(InputFile file, GuessingCutter guessing, Chunk chunk) {
        long from = position;
        if (from >= file.bytes()) {
            return null;
        }
        long to = guessing.cut(nextChunkId, inputs.text(source), from, file.bytes(), chunkBytes);
        if (to < 0) {
            return null;
        }
        chunk.setGuessed(true);
        position = to;
        progress.addAndGet(to - from);
        return new ChunkLease(nextChunkId, source, from, to, true);
    }

    private @Nullable ChunkLease leaseRange(InputFile file) {
        if (position >= file.bytes()) {
            return null;
        }
        long from = position;
        long to = Math.min(file.bytes(), from + chunkBytes);
        position = to;
        progress.addAndGet(to - from);
        return new ChunkLease(nextChunkId, source, from, to, false);
    }

    private @Nullable ChunkLease cut(InputFile file, Chunk chunk) {
        SequentialCutter current = cutter;
        if (current == null) {
            current = openCutter(file);
            cutter = current;
        }
        if (!current.next(chunk, nextChunkId, source, chunkBytes)) {
            return null;
        }
        TextStream open = stream;
        if (open != null) {
            progress.set(storedBytesOfEndedStreams + open.storedBytes());
        } else {
            progress.addAndGet(current.position() - chunk.position());
        }
        position = current.position();
        return new ChunkLease(nextChunkId, source, chunk.position(), position, true);
    }

    private SequentialCutter openCutter(InputFile file) {
        if (file.seekable()) {
            PositionalReader reader = cutterReader;
            if (reader == null) {
                reader = new PositionalReader();
                cutterReader = reader;
            }
            return SequentialCutter.of(inputs.text(source), reader, boundary, position);
        }
        storedBytesOfEndedStreams = progress.get();
        TextStream opened = inputs.stream(source);
        stream = opened;
        return SequentialCutter.of(opened, boundary, dataStarts[source]);
    }

    private void nextSource() {
        TextStream open = stream;
        if (open != null) {
            progress.set(storedBytesOfEndedStreams + open.storedBytes());
            open.close();
            stream = null;
        }
        cutter = null;
        source++;
        beginSource();
    }

    /** What lies before the data of a file is done; a stream counts what is read of it. */
    private void beginSource() {
        position = source < inputs.count() ? dataStarts[source] : 0;
        if (source < inputs.count() && inputs.file(source).seekable()) {
            progress.addAndGet(position);
        }
    }
}
