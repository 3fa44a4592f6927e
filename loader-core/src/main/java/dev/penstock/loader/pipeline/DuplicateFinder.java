package dev.penstock.loader.pipeline;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.loader.report.RejectMessage;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Finds the records of keys that regions have refused ({@link DuplicateKey}): a region knows keys
 * and not where rows came from, so the inputs are read once more, in order, on the calling thread.
 * Takes as long as reading them with one thread, and memory for one entry a key, with {@code
 * keep-last} for its last record too, as far as {@link RefusedKeys} have room; a load without such
 * keys does not come here.
 */
public final class DuplicateFinder {
    /** Objects of a reject. */
    private static final int REJECT_BYTES = 128;

    /** Heap for records that wait where keys have taken all room: so many pass most limits. */
    private static final int RESERVE_BYTES = 1 << 20;

    private final LoadSetup setup;
    private final Inputs inputs;
    private final LineFinder lines;
    private final RejectCollector rejects;
    private final RefusedKeys keys;
    private final LongPredicate wouldEnd;
    private final KeySearch<Wanted> search;
    private final String keyColumns;
    private long count;

    /** Records that wait for the end of the input. */
    private long waiting;

    private long reserveBytes = RESERVE_BYTES;
    private boolean isFull;

    /** A key, and what has been seen of it. */
    private static final class Wanted {
        private final String text;
        private boolean stored;
        private boolean within;
        private boolean seen;
        private int source;
        private long line;
        private long position;
        private @Nullable Reject last;
        private int lastChunk;

        Wanted(String text) {
            this.text = text;
        }
    }

    /**
     * @param lines for this alone, since it is asked in input order
     * @param rejects takes the records
     * @param keys to look for
     * @param wouldEnd whether so many more rejects end the load
     */
    public DuplicateFinder(
            LoadSetup setup,
            Inputs inputs,
            LineFinder lines,
            RejectCollector rejects,
            RefusedKeys keys,
            LongPredicate wouldEnd) {
        this.setup = setup;
        this.inputs = inputs;
        this.lines = lines;
        this.rejects = rejects;
        this.keys = keys;
        this.wouldEnd = wouldEnd;
        search = new KeySearch<>(setup);
        keyColumns = search.keyColumns();
        keys.keys().forEach(this::add);
    }

    private void add(DuplicateKey named) {
        Wanted entry = search.add(named.key(), () -> new Wanted(named.text()));
        entry.stored |= named.stored();
        entry.within |= !named.stored();
    }

    /**
     * Looks through all chunks; returns how many records were rejected.
     *
     * @throws PenstockException if there is no room for the records that have to wait for the end
     *     of the input, and those that wait are not too many already
     */
    public long find(ChunkSupply chunks) {
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        while (!isFull && chunks.next(chunk, reader)) {
            rejects.begin(chunk.chunkId());
            search.visit(chunk, (entry, from, to) -> visit(chunk, entry, from, to));
            rejects.flush();
        }
        if (isFull && !wouldEnd.test(waiting)) {
            throw keys.tooMany(setup.duplicates());
        }
        for (Wanted entry : search.entries()) {
            Reject last = entry.last;
            if (last != null) {
                rejects.begin(entry.lastChunk);
                reject(last);
                rejects.flush();
            }
        }
        return count;
    }

    private void visit(Chunk chunk, Wanted entry, int from, int to) {
        boolean first = !entry.seen;
        long position = chunk.position() + from - chunk.from();
        if (first) {
            entry.seen = true;
            entry.source = chunk.source();
            entry.position = position;
            entry.line = entry.within ? lines.lineAt(chunk.source(), position) : 0;
        }
        DuplicatePolicy policy = setup.duplicates();
        boolean rejected =
                switch (policy.within()) {
                    case REJECT -> !first || entry.stored;
                    case KEEP_LAST -> true;
                    case KEEP_FIRST, ERROR -> first;
                };
        if (!rejected) {
            return;
        }
        Reject reject = reject(chunk, entry, position, from, to);
        if (policy.within() == DuplicatePolicy.Within.KEEP_LAST) {
            keep(entry, reject, chunk.chunkId());
        } else {
            reject(reject);
        }
    }

    /** Until there is a later one; nothing more once there is no room. */
    private void keep(Wanted entry, Reject reject, int chunkId) {
        Reject before = entry.last;
        long more = bytes(reject) - (before == null ? 0 : bytes(before));
        if (!keys.grow(more)) {
            reserveBytes -= more;
            isFull |= reserveBytes < 0;
        }
        if (isFull) {
            return;
        }
        waiting += before == null ? 1 : 0;
        entry.last = reject;
        entry.lastChunk = chunkId;
    }

    /** Heap of one that waits, besides what its key has too. */
    private static long bytes(Reject reject) {
        return (long) REJECT_BYTES + reject.expected().length() + reject.record().length;
    }

    private void reject(Reject reject) {
        count++;
        rejects.accept(reject);
    }

    private Reject reject(Chunk chunk, Wanted entry, long position, int from, int to) {
        String expected =
                entry.stored
                        ? "a key that table " + setup.schema().name() + " does not have yet"
                        : "a key that no other record has; "
                                + RejectMessage.place(
                                        inputs.file(entry.source).name(),
                                        entry.line,
                                        entry.position)
                                + " has it too";
        return new Reject(
                RejectReason.DUPLICATE_KEY,
                chunk.source(),
                position,
                Reject.LINE_UNKNOWN,
                keyColumns,
                entry.text,
                expected,
                Arrays.copyOfRange(
                        chunk.text(), from, Math.min(to, from + Reject.MAX_RECORD_BYTES)));
    }
}
