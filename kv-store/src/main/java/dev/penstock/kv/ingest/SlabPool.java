package dev.penstock.kv.ingest;

import dev.penstock.kv.storage.BlockFile;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Memory in slabs that are used again, because memory that is new to the process is slow.
 *
 * <p>What is kept lies in areas, from which slabs of any size are cut anew for each load. Only what
 * is taken beyond that are slabs with memory of their own. Thread-safe.
 */
final class SlabPool {
    private static final int SMALLEST_BYTES = 1 << 16;

    /** A load that brings little gets little memory; of what is used a quarter more comes. */
    private static final int SMALLEST_AREA_BYTES = 1 << 20;

    private static final int LARGEST_AREA_BYTES = 1 << 24;
    private static final int GROWTH = 4;

    /** Memory at the start of a block, so that it can be written as it is. */
    sealed interface Slab {
        MemorySegment memory();

        default int bytes() {
            return (int) memory().byteSize();
        }
    }

    private record Cut(SlabArea area, MemorySegment memory) implements Slab {}

    private record Own(Arena arena, MemorySegment memory) implements Slab {}

    private final long keptBytes;

    // Guarded by this
    private boolean keeping;
    private final List<SlabArea> areas = new ArrayList<>();

    /** Of the areas, and of those that are about to be. */
    private long areaBytes;

    private long cutBytes;
    private final TreeMap<Integer, Deque<Own>> idleOwn = new TreeMap<>();
    private long idleOwnBytes;
    private long ownBytes;

    /**
     * Of all areas: they go at once, since each arena that is closed holds up every thread of the
     * process for a moment.
     */
    private @Nullable Arena common;

    /**
     * @param keptBytes idle at most
     */
    SlabPool(long keptBytes) {
        this.keptBytes = keptBytes;
    }

    static int size(int bytes) {
        int wanted = Math.max(bytes, SMALLEST_BYTES);
        return Math.toIntExact((wanted + SlabArea.CELL_BYTES - 1L) & -SlabArea.CELL_BYTES);
    }

    /** A slab of at least so many bytes. */
    Slab take(int bytes) {
        int size = size(bytes);
        int newAreaBytes;
        Arena arena;
        synchronized (this) {
            Optional<Slab> known = known(size);
            if (known.isPresent()) {
                return known.get();
            }
            newAreaBytes = newAreaBytes(size);
            arena = newAreaBytes > 0 ? common() : Arena.ofShared();
            reserve(newAreaBytes, size);
            freeExcess();
        }
        try {
            int length = Math.max(newAreaBytes, size);
            MemorySegment memory = arena.allocate(length, BlockFile.BLOCK_BYTES);
            return newAreaBytes > 0 ? firstOf(memory, size) : new Own(arena, memory);
        } catch (RuntimeException | OutOfMemoryError e) {
            notTaken(newAreaBytes, size);
            if (newAreaBytes == 0) {
                arena.close();
            }
            throw e;
        }
    }

    private Optional<Slab> known(int size) {
        for (SlabArea area : areas) {
            Optional<MemorySegment> memory = area.take(size);
            if (memory.isPresent()) {
                cutBytes += size;
                return Optional.of(new Cut(area, memory.get()));
            }
        }
        // Not one that is far larger.
        Map.Entry<Integer, Deque<Own>> fitting = idleOwn.ceilingEntry(size);
        if (fitting == null || fitting.getKey() > 2L * size) {
            return Optional.empty();
        }
        Own own = removeFrom(fitting);
        ownBytes += own.bytes();
        return Optional.of(own);
    }

    /** One of the idle slabs of a size. */
    private Own removeFrom(Map.Entry<Integer, Deque<Own>> ofSize) {
        Own own = ofSize.getValue().removeFirst();
        if (ofSize.getValue().isEmpty()) {
            idleOwn.remove(ofSize.getKey());
        }
        idleOwnBytes -= own.bytes();
        return own;
    }

    /** How large an area for a slab and others after it is; 0 if there must not be one more. */
    private int newAreaBytes(int size) {
        if (areaBytes + size > keptBytes && cutBytes == 0) {
            // What is idle is in areas that are too small.
            freeIdle();
        }
        long left = keptBytes - areaBytes & -SlabArea.CELL_BYTES;
        if (size > left) {
            return 0;
        }
        long grown = Math.clamp(areaBytes / GROWTH, SMALLEST_AREA_BYTES, LARGEST_AREA_BYTES);
        return (int) Math.min(left, Math.max(size, grown & -SlabArea.CELL_BYTES));
    }

    private Arena common() {
        Arena arena = common == null ? Arena.ofShared() : common;
        common = arena;
        return arena;
    }

    /**
     * Before memory is allocated.
     *
     * @param newAreaBytes 0 if the slab has memory of its own
     */
    private synchronized void reserve(int newAreaBytes, int size) {
        areaBytes += newAreaBytes;
        if (newAreaBytes == 0) {
            ownBytes += size;
        } else {
            cutBytes += size;
        }
    }

    /** Takes {@link #reserve} back; meanwhile somebody may have said that nothing is kept. */
    private synchronized void notTaken(int newAreaBytes, int size) {
        reserve(-newAreaBytes, -size);
        if (!keeping) {
            freeIdle();
        }
    }

    private synchronized Slab firstOf(MemorySegment memory, int size) {
        SlabArea area = new SlabArea(memory);
        areas.add(area);
        return new Cut(area, area.take(size).orElseThrow());
    }

    void giveBack(Slab slab) {
        Optional<Arena> unused;
        synchronized (this) {
            unused =
                    switch (slab) {
                        case Cut cut -> {
                            cut.area().giveBack(cut.memory());
                            cutBytes -= cut.bytes();
                            yield Optional.empty();
                        }
                        case Own own -> cameBack(own);
                    };
            if (!keeping) {
                freeIdle();
            }
            freeExcess();
        }
        unused.ifPresent(Arena::close);
    }

    /** The arena of one that is not kept. */
    private Optional<Arena> cameBack(Own own) {
        ownBytes -= own.bytes();
        if (!keeping || idleBytes() + own.bytes() > keptBytes) {
            return Optional.of(own.arena());
        }
        idleOwn.computeIfAbsent(own.bytes(), size -> new ArrayDeque<>()).addFirst(own);
        idleOwnBytes += own.bytes();
        return Optional.empty();
    }

    /** Frees idle slabs with memory of their own until there are not too many. */
    private void freeExcess() {
        while (idleBytes() > keptBytes && !idleOwn.isEmpty()) {
            removeFrom(idleOwn.firstEntry()).arena().close();
        }
    }

    /** Bytes of the slabs that are taken. */
    synchronized long usedBytes() {
        return cutBytes + ownBytes;
    }

    /** Bytes that wait to be taken. */
    synchronized long idleBytes() {
        return areaBytes - cutBytes + idleOwnBytes;
    }

    /** Says whether what comes back is kept from now on; if not, what is idle goes too. */
    synchronized void keep(boolean isKept) {
        keeping = isKept;
        if (!isKept) {
            freeIdle();
        }
    }

    /** Frees what nobody has; the areas when nobody has anything of them. */
    synchronized void freeIdle() {
        idleOwn.values().forEach(slabs -> slabs.forEach(own -> own.arena().close()));
        idleOwn.clear();
        idleOwnBytes = 0;
        Arena arena = common;
        if (arena != null && cutBytes == 0) {
            common = null;
            areas.clear();
            areaBytes = 0;
            arena.close();
        }
    }
}
