package dev.penstock.kv.region;

import dev.penstock.key.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rows in memory, by key, every key with its versions newest first. Written by one thread at a time
 * (the region's write lock); a change is seen by readers only after {@link #advance}, which follows
 * the force of its log record. Then frozen, flushed and forgotten.
 */
final class Delta {
    /** Memory of one version besides key and row, about: map node, objects, array headers. */
    private static final int VERSION_BYTES = 120;

    /**
     * One version of a row.
     *
     * @param row null if the key was deleted
     */
    record Version(long sequence, byte @Nullable [] row, @Nullable Version older) {}

    /** What a reader sees: versions up to a sequence. */
    record Snapshot(Delta delta, long visible) {
        @Nullable Version get(byte[] key) {
            return at(delta.rows.get(key));
        }

        @Nullable Version at(@Nullable Version newest) {
            Version version = newest;
            while (version != null && version.sequence() > visible) {
                version = version.older();
            }
            return version;
        }

        ConcurrentNavigableMap<byte[], Version> range(KeyRange range) {
            return range.end().length == 0
                    ? delta.rows.tailMap(range.start(), true)
                    : delta.rows.subMap(range.start(), true, range.end(), false);
        }
    }

    private final ConcurrentSkipListMap<byte[], Version> rows =
            new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final AtomicLong visible = new AtomicLong();
    private final long firstLog;
    private final RowMemory.Share memory;
    private long lastSequence;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param firstLog number of the first write-ahead log that holds rows of this delta
     * @param memory where its rows count until they are flushed
     */
    Delta(long firstLog, RowMemory.Share memory) {
        this.firstLog = firstLog;
        this.memory = memory;
    }

    long firstLog() {
        return firstLog;
    }

    /** Starts a change; what follows until the next one becomes visible together. */
    long begin() {
        lastSequence++;
        return lastSequence;
    }

    long lastSequence() {
        return lastSequence;
    }

    /** All of the change begun last. */
    void apply(WriteOperation operation) {
        long grown = 0;
        for (WriteOperation.Change change : operation.changes()) {
            byte[] key = change.key();
            byte[] row = change.row();
            rows.put(key, new Version(lastSequence, row, rows.get(key)));
            grown += VERSION_BYTES + key.length + (row == null ? 0L : row.length);
        }
        bytes.addAndGet(grown);
        memory.grow(grown);
    }

    /** Its rows are in a segment; once, after the last change. */
    void flushed() {
        memory.shrink(bytes.get());
    }

    /** Makes all changes up to the sequence visible. */
    void advance(long sequence) {
        visible.accumulateAndGet(sequence, Math::max);
    }

    Snapshot snapshot() {
        return new Snapshot(this, visible.get());
    }

    /** What a writer has to know: also changes that are not durable yet. */
    Snapshot everything() {
        return new Snapshot(this, Long.MAX_VALUE);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Keys, deleted ones included. */
    long keyCount() {
        return rows.size();
    }

    /** Heap, about. */
    long bytes() {
        return bytes.get();
    }
}
