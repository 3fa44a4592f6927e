package dev.penstock.kv.ingest;

import dev.penstock.bytes.MemoryCopy;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ingest.Staging.Part;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSource;
import dev.penstock.step.Merge;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fragments of a {@link Staging} as runs of one merge. Of those that are in the file only the
 * ends are read at first. Then, in key order, which is the order in which a merge needs runs that
 * follow each other, they come back to memory in the background, a few ahead of the merge, while
 * the memory of those that the merge is done with is used again. Runs that overlap are needed all
 * at once and come back as fast as the merge asks for them.
 *
 * <p>Phases: the constructor opens all runs; the merge's threads read them; {@link #close} waits
 * for the background. The staging is not closed.
 */
final class StagedRuns implements AutoCloseable {
    /** How much is brought back before the merge asks for it. */
    private static final long AHEAD_BYTES = 16 << 20;

    /** Most footers are not longer, so that one access reads them. */
    private static final int END_BYTES = 1 << 15;

    private enum State {
        ABSENT,
        PRESENT,
        GONE
    }

    private final Staging staging;
    private final boolean pinned;
    private final List<Merge.Run> runs = new ArrayList<>();

    /** Runs that come back, in key order. */
    private final List<Absent> order = new ArrayList<>();

    // Guarded by this

    /** So many of {@link #order} have been asked for, and those before them. */
    private int asked;

    private long askedBytes;

    /** So many have been brought back or are coming. */
    private int begun;

    private long begunBytes;
    private boolean reading;

    /** No memory was free for what nobody has asked for yet. */
    private boolean noMemory;

    private boolean closed;
    private @Nullable RuntimeException failure;

    /** Ends the staging's arrival, unless it is pinned. */
    StagedRuns(Staging staging, TableSchema schema, TokenTables tokens) {
        this.staging = staging;
        this.pinned = staging.isPinned();
        if (!pinned) {
            staging.seal();
        }
        for (Part part : staging.parts()) {
            String name = "staged fragment " + part.chunkId();
            SegmentReader reader;
            if (staging.isAbsent(part)) {
                Absent absent = new Absent(part);
                reader = SegmentReader.open(schema, absent, name, tokens);
                absent.opened(reader.firstKey());
                order.add(absent);
            } else {
                reader = SegmentReader.open(schema, new InMemory(part), name, tokens);
            }
            runs.add(new Merge.Run(reader, part.chunkId()));
        }
        order.sort((a, b) -> Arrays.compareUnsigned(a.firstKey, b.firstKey));
        for (int i = 0; i < order.size(); i++) {
            order.get(i).number = i;
        }
        readOn();
    }

    List<Merge.Run> runs() {
        return runs;
    }

    // In the background

    /** Has runs brought back if some are due and nobody does. */
    private synchronized void readOn() {
        if (!reading && isOneDue()) {
            // Begins when this lock is free; a task that is refused is not waited for.
            staging.readBack(this::read);
            reading = true;
        }
    }

    private boolean isOneDue() {
        return !closed
                && failure == null
                && begun < order.size()
                && (begun < asked || !noMemory && begunBytes - askedBytes < AHEAD_BYTES);
    }

    private void read() {
        while (true) {
            Absent run;
            synchronized (this) {
                if (!isOneDue()) {
                    reading = false;
                    notifyAll();
                    return;
                }
                run = order.get(begun);
            }
            boolean present = false;
            RuntimeException fault = null;
            try {
                present = staging.bringBack(run.part);
            } catch (RuntimeException e) {
                fault = e;
            } catch (Error e) {
                // Whatever it is, the merge that waits must hear of it.
                fault = PenstockException.internal("a fragment did not come back: " + e);
            }
            arrived(run, present, fault);
        }
    }

    private synchronized void arrived(
            Absent run, boolean present, @Nullable RuntimeException fault) {
        failure = fault;
        if (present) {
            run.state = State.PRESENT;
            begun++;
            begunBytes += run.part.length();
        } else if (fault == null) {
            noMemory(run);
        }
        notifyAll();
    }

    /**
     * What the merge waits for is mapped, but not if more comes after that. More comes back when
     * something has been let go of.
     */
    private void noMemory(Absent run) {
        if (run.number >= asked) {
            noMemory = true;
            return;
        }
        if (pinned) {
            failure = PenstockException.conflict("there is no memory for a merge that can wait");
            return;
        }
        try {
            staging.map();
            while (begun < order.size()) {
                order.get(begun).state = State.PRESENT;
                begun++;
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Waits until nothing is being brought back. */
    @Override
    public synchronized void close() {
        closed = true;
        while (reading) {
            awaitChange();
        }
    }

    private void awaitChange() {
        boolean interrupted = false;
        while (true) {
            try {
                wait();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // By the merge

    private synchronized void await(Absent run) {
        while (asked <= run.number) {
            askedBytes += order.get(asked).part.length();
            asked++;
        }
        readOn();
        while (run.state == State.ABSENT && failure == null) {
            awaitChange();
        }
        RuntimeException fault = failure;
        if (run.state != State.PRESENT) {
            throw fault != null ? fault : new IllegalStateException("the merge let go of a run");
        }
    }

    private synchronized void letGo(Part part) {
        staging.letGo(part);
        noMemory = false;
        readOn();
    }

    /** A fragment that was in memory when the merge began. */
    private final class InMemory implements SegmentSource {
        private final Part part;
        private final MemorySegment memory;

        InMemory(Part part) {
            this.part = part;
            memory = staging.bytes(part);
        }

        @Override
        public long byteSize() {
            return part.length();
        }

        @Override
        public void copyEnd(long offset, byte[] target) {
            MemoryCopy.read(memory, offset, target);
        }

        @Override
        public MemorySegment bytes() {
            return memory;
        }

        @Override
        public void letGo() {
            StagedRuns.this.letGo(part);
        }
    }

    /** A fragment that was in the file only. */
    private final class Absent implements SegmentSource {
        private final Part part;
        private byte[] firstKey = new byte[0];
        private int number;

        /** The last bytes, to be read with one access. */
        private byte[] end = new byte[0];

        /** Found by whichever thread of the merge is the first to ask. */
        private volatile @Nullable MemorySegment memory;

        // Guarded by the StagedRuns
        private State state = State.ABSENT;

        Absent(Part part) {
            this.part = part;
        }

        @Override
        public long byteSize() {
            return part.length();
        }

        @Override
        public void copyEnd(long offset, byte[] target) {
            int from = part.length() - END_BYTES;
            if (offset < from) {
                staging.readSome(part, (int) offset, target);
                return;
            }
            if (end.length == 0) {
                end = new byte[END_BYTES];
                staging.readSome(part, from, end);
            }
            System.arraycopy(end, (int) offset - from, target, 0, target.length);
        }

        /** Its key and place among the others are known now. */
        void opened(byte[] key) {
            firstKey = key;
            end = new byte[0];
        }

        @Override
        public MemorySegment bytes() {
            MemorySegment known = memory;
            if (known == null) {
                await(this);
                known = staging.bytes(part);
                memory = known;
            }
            return known;
        }

        @Override
        public void letGo() {
            memory = null;
            synchronized (StagedRuns.this) {
                state = State.GONE;
            }
            StagedRuns.this.letGo(part);
        }
    }
}
