package dev.penstock.kv.ingest;

import dev.penstock.bytes.MemoryCopy;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ingest.SlabPool.Slab;
import dev.penstock.kv.storage.BlockFile;
import dev.penstock.kv.storage.Storage;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fragments of one region of one load, in memory as long as there is enough of it, the others in a
 * file. Not durable: if the server stops, the load has to begin again.
 *
 * <p>Phases: fragments are appended, by many threads, while {@link StagingMemory} may have any of
 * them written to the file; {@link #load} ends that and brings all into reach; then one thread
 * reads; {@link #close} gives all memory back and removes the file.
 *
 * <p>Before the arrival has ended one thread may read all that has come so far, between {@link
 * #pin} and {@link #unpin}; meanwhile nothing is appended or written to the file. What it has made
 * of them may stand for them from then on ({@link Need#NONE}): if memory gets scarce they are
 * dropped, and whoever has a further fragment learns of it by {@link #reopen}.
 *
 * <p>What is written at a time is an <i>extent</i>: one large fragment, or many small ones.
 */
final class Staging implements AutoCloseable {
    /** A fragment of at least this size is an extent. */
    static final int LARGE_BYTES = 1 << 18;

    private static final int FIRST_SHARED_BYTES = 1 << 16;

    /** Who needs the parts that have come so far. */
    enum Need {
        /** The merge at the end. */
        MERGE,
        /** Nobody as long as no more come, as all of them have been merged; then they all do. */
        IN_CASE,
        /** Nobody any more, as all of them have been merged, and more can be merged with that. */
        NONE
    }

    /** Where one fragment lies. */
    record Part(int chunkId, int extent, int offset, int length) {}

    private static final class Extent {
        /** Null while the bytes are in the file only. */
        @Nullable Slab slab;

        /** Whether it is one large fragment. */
        final boolean alone;

        int length;
        long position = -1;

        Extent(Slab slab, int length, boolean alone) {
            this.slab = slab;
            this.length = length;
            this.alone = alone;
        }
    }

    /** Bytes that will be appended: a copy in memory of this staging if they are many. */
    final class Incoming implements AutoCloseable {
        private final byte[] bytes;
        private final int length;
        private @Nullable Slab slab;

        private Incoming(byte[] bytes, int length, @Nullable Slab slab) {
            this.bytes = bytes;
            this.length = length;
            this.slab = slab;
        }

        /** Gives memory back that was not appended. */
        @Override
        public void close() {
            Slab unused = slab;
            slab = null;
            if (unused != null) {
                memory.giveBack(unused);
            }
        }
    }

    private final StagingMemory memory;
    private final StagedFile file;

    // Guarded by this
    private final List<Part> parts = new ArrayList<>();
    private final List<Extent> extents = new ArrayList<>();

    /** Takes small fragments; the last of its kind. */
    private @Nullable Extent shared;

    private int sharedNumber;

    /** Extents before this one are in the file or being written. */
    private int firstInMemory;

    private int writes;
    private long spillableBytes;
    private long bytes;
    private long fileBytes;
    private @Nullable PenstockException failure;
    private boolean loaded;
    private boolean pinned;

    private Need need = Need.MERGE;

    /** Whether parts have been dropped of which no {@link #reopen} has told. */
    private boolean dropped;

    private int droppedParts;
    private long droppedBytes;

    /** Whether a merge has begun that cannot begin again. */
    private boolean anyLetGo;

    private boolean closed;

    /**
     * @param path for the file, which is made when it is needed, and its folder too
     */
    Staging(StagingMemory memory, Storage storage, Path path) {
        this.memory = memory;
        this.file = new StagedFile(storage, path);
        memory.add(this);
    }

    // While fragments arrive

    /** The first half of appending, which threads can do at the same time. */
    Incoming copy(byte[] source, int length) {
        if (length < LARGE_BYTES) {
            return new Incoming(source, length, null);
        }
        Slab slab = memory.take(length);
        MemoryCopy.write(source, slab.memory(), 0, length);
        return new Incoming(source, length, slab);
    }

    /** Appends a fragment; of one that fails nothing stays. {@link #relieve} comes after. */
    synchronized void append(int chunkId, Incoming incoming) {
        checkOpen();
        Slab slab = incoming.slab;
        int offset = 0;
        if (slab != null) {
            extents.add(new Extent(slab, incoming.length, true));
            incoming.slab = null;
            parts.add(new Part(chunkId, extents.size() - 1, 0, incoming.length));
        } else {
            Extent extent = shared(incoming.length);
            offset = extent.length;
            MemorySegment target = slab(extent).memory();
            MemoryCopy.write(incoming.bytes, target, offset, incoming.length);
            extent.length += incoming.length;
            parts.add(new Part(chunkId, sharedNumber, offset, incoming.length));
        }
        spillableBytes += incoming.length;
        bytes += incoming.length;
    }

    /** Appends for one thread. */
    void append(int chunkId, byte[] source, int length) {
        try (Incoming incoming = copy(source, length)) {
            append(chunkId, incoming);
        }
        memory.relieve();
    }

    /** Lets memory be freed if there is too little; nobody may hold a lock. */
    void relieve() {
        memory.relieve();
    }

    private Extent shared(int length) {
        Extent open = shared;
        if (open != null && slab(open).bytes() - open.length >= length) {
            return open;
        }
        int size = open == null ? FIRST_SHARED_BYTES : LARGE_BYTES;
        Extent fresh = new Extent(memory.take(Math.max(size, length)), 0, false);
        extents.add(fresh);
        shared = fresh;
        sharedNumber = extents.size() - 1;
        return fresh;
    }

    private static Slab slab(Extent extent) {
        Slab slab = extent.slab;
        if (slab == null) {
            throw new IllegalStateException("an extent is not in memory");
        }
        return slab;
    }

    private void checkOpen() {
        checkIntact();
        if (loaded || closed) {
            throw new IllegalStateException(file + " takes no more fragments");
        }
    }

    /** Whether a write to the file has failed, so that nothing is appended or read any more. */
    synchronized boolean hasFailed() {
        return failure != null && !closed;
    }

    private void checkIntact() {
        if (failure != null) {
            throw new PenstockException(
                    failure.category(), String.valueOf(failure.getMessage()), failure);
        }
    }

    // When memory gets scarce

    /** What can be written to the file. */
    synchronized long spillableBytes() {
        return loaded || pinned || closed || failure != null ? 0 : spillableBytes;
    }

    /** Writes one extent to the file; whether there was one. A failure is told to the next call. */
    boolean spill() {
        Extent extent;
        BlockFile target;
        long position;
        synchronized (this) {
            if (spillableBytes() == 0) {
                return false;
            }
            target = openFile();
            if (target == null) {
                return true;
            }
            extent = nextInMemory();
            writes++;
            position = fileBytes;
            fileBytes += BlockFile.wholeBlocks(extent.length);
        }
        PenstockException fault = null;
        try {
            int length = BlockFile.wholeBlocks(extent.length);
            target.write(position, slab(extent).memory().asSlice(0, length));
        } catch (PenstockException e) {
            fault = e;
        } catch (RuntimeException | Error e) {
            written(extent, position, PenstockException.internal("cannot write to " + file));
            throw e;
        }
        written(extent, position, fault);
        return true;
    }

    private @Nullable BlockFile openFile() {
        try {
            return file.made();
        } catch (PenstockException e) {
            failure = e;
            return null;
        }
    }

    private Extent nextInMemory() {
        Extent extent = extents.get(firstInMemory);
        firstInMemory++;
        if (extent == shared) {
            shared = null;
        }
        spillableBytes -= extent.length;
        return extent;
    }

    /** The slab is free now, unless the reader has come meanwhile. */
    private void written(Extent extent, long position, @Nullable PenstockException fault) {
        Slab free = null;
        synchronized (this) {
            writes--;
            if (fault != null) {
                failure = fault;
            } else if (!loaded && !closed) {
                free = extent.slab;
                extent.slab = null;
                extent.position = position;
            }
            notifyAll();
        }
        if (free != null) {
            memory.giveBack(free);
        }
    }

    // Before all have arrived

    /**
     * Makes all parts readable that have come so far but those that {@link #isAbsent}; false if
     * there is not enough memory.
     */
    boolean pin() {
        for (Extent extent : pinAll()) {
            if (!extent.alone && !bringBack(extent)) {
                return false;
            }
        }
        return true;
    }

    private synchronized List<Extent> pinAll() {
        checkOpen();
        pinned = true;
        awaitWrites();
        checkIntact();
        return absentExtents();
    }

    /** The arrival goes on; memory of what is in the file too is given back. Idempotent. */
    synchronized void unpin() {
        for (Extent extent : extents) {
            if (pinned && extent.position >= 0) {
                free(extent);
            }
        }
        pinned = false;
    }

    private void free(Extent extent) {
        Slab slab = extent.slab;
        extent.slab = null;
        if (slab != null) {
            memory.giveBack(slab);
        }
    }

    synchronized boolean isPinned() {
        return pinned;
    }

    /** All parts have been merged: says who needs them now. */
    synchronized void merged(Need stillNeeded) {
        need = stillNeeded;
    }

    /** Whether all parts have been merged. */
    synchronized boolean isMerged() {
        return need != Need.MERGE;
    }

    /** Gives back all memory, and removes the file, if nobody needs the parts; else false. */
    synchronized boolean drop() {
        boolean inUse = loaded || pinned || closed || failure != null || writes > 0;
        if (need != Need.NONE || inUse || extents.isEmpty()) {
            return false;
        }
        dropped = true;
        droppedParts = parts.size();
        droppedBytes = bytes;
        parts.clear();
        extents.forEach(this::free);
        extents.clear();
        shared = null;
        firstInMemory = 0;
        spillableBytes = 0;
        fileBytes = 0;
        removeFile();
        return true;
    }

    /**
     * A further fragment is about to come, and the merge at the end will need it.
     *
     * @return whether the parts before it have been dropped, so that what was made of them is
     *     needed as well
     */
    synchronized boolean reopen() {
        boolean without = dropped;
        need = Need.MERGE;
        dropped = false;
        return without;
    }

    // When all have arrived

    /**
     * Ends the arrival and makes all parts readable: from the file they come back to memory or, if
     * there is not enough, it is mapped. Idempotent; by one thread.
     */
    void load() {
        for (Extent extent : absent()) {
            if (!bringBack(extent)) {
                map();
                return;
            }
        }
    }

    /** Ends the arrival and makes all parts readable but those that {@link #isAbsent}. */
    void seal() {
        for (Extent extent : absent()) {
            if (!extent.alone && !bringBack(extent)) {
                map();
                return;
            }
        }
    }

    private synchronized List<Extent> absent() {
        checkIntact();
        if (anyLetGo || dropped) {
            throw PenstockException.conflict(
                    file + " has been merged in part before; the load has to begin again");
        }
        loaded = true;
        return absentExtents();
    }

    private List<Extent> absentExtents() {
        return extents.stream().filter(extent -> extent.slab == null).toList();
    }

    /** Whether only the file has a part, which is large, and alone in its extent. */
    synchronized boolean isAbsent(Part part) {
        return !file.isMapped() && extents.get(part.extent()).slab == null;
    }

    /**
     * Reads bytes of an absent part.
     *
     * @param offset in the part
     */
    void readSome(Part part, int offset, byte[] target) {
        Extent extent = extents.get(part.extent());
        int from = offset & -BlockFile.BLOCK_BYTES;
        int length = BlockFile.wholeBlocks(offset + target.length - from);
        Slab scratch = memory.take(length);
        try {
            MemorySegment blocks = scratch.memory().asSlice(0, length);
            file().read(extent.position + from, blocks);
            MemoryCopy.read(blocks, offset - from, target);
        } finally {
            memory.giveBack(scratch);
        }
    }

    /** Brings an absent part back to memory; false if there is not enough. By one thread each. */
    boolean bringBack(Part part) {
        return bringBack(extents.get(part.extent()));
    }

    /**
     * Gives back the memory of a part that is alone in its extent, and not read any more; while
     * pinned only if the file has it.
     */
    synchronized void letGo(Part part) {
        Extent extent = extents.get(part.extent());
        if (pinned && extent.position < 0) {
            return;
        }
        // A write that began before may still read it; then closing gives it back.
        if (extent.alone && extent.slab != null && writes == 0) {
            anyLetGo |= !pinned;
            free(extent);
        }
    }

    private boolean bringBack(Extent extent) {
        Optional<Slab> slab = memory.takeIfFree(extent.length);
        if (slab.isEmpty()) {
            return false;
        }
        extent.slab = read(file(), extent, slab.get());
        return true;
    }

    private synchronized BlockFile file() {
        return file.written();
    }

    /** Has tasks run by the threads that read fragments back. */
    void readBack(Runnable task) {
        memory.readBack(task);
    }

    private Slab read(BlockFile source, Extent extent, Slab slab) {
        try {
            int length = BlockFile.wholeBlocks(extent.length);
            source.read(extent.position, slab.memory().asSlice(0, length));
            return slab;
        } catch (RuntimeException e) {
            memory.giveBack(slab);
            throw e;
        }
    }

    /** Makes whatever is in the file readable. */
    synchronized void map() {
        file.map();
    }

    /** The bytes of a part, once all is loaded. */
    MemorySegment bytes(Part part) {
        Extent extent = extents.get(part.extent());
        Slab slab = extent.slab;
        if (slab != null) {
            return slab.memory().asSlice(part.offset(), part.length());
        }
        return file.bytes(extent.position + part.offset(), part.length());
    }

    synchronized List<Part> parts() {
        return List.copyOf(parts);
    }

    /** Dropped ones included. */
    synchronized int partCount() {
        return droppedParts + parts.size();
    }

    /** Of all parts, dropped ones included. */
    synchronized long bytes() {
        return bytes;
    }

    /** Of the parts that have not been dropped. */
    synchronized long heldBytes() {
        return bytes - droppedBytes;
    }

    /** Gives back the memory and removes the file; waits for a write that runs. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        awaitWrites();
        extents.forEach(this::free);
        memory.remove(this);
        removeFile();
    }

    private void awaitWrites() {
        boolean interrupted = false;
        while (writes > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One that cannot be deleted goes with its folder, now or at the next start. */
    private void removeFile() {
        try {
            file.remove();
        } catch (PenstockException e) {
            // Nobody reads it.
        }
    }
}
