package dev.penstock.step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The buffers in which {@link RawRouter} collects the records of each region, kept from chunk to
 * chunk. A region that has records in one chunk after the other keeps its buffer; that of one which
 * has none is for whichever comes next, as when the input is in the order of its keys. All of them
 * together have room for a few times what the larger of the last two chunks had, whatever the
 * number of regions.
 *
 * <p>Phases: {@link #begin}, {@link #of} for each record, {@link #of} or {@link #used} for what was
 * collected, {@link #end}. Owned by one thread.
 */
final class RawBuilders {
    /**
     * A buffer, which grows by half, has up to 1.5 bytes for each that it was given: enough to keep
     * those of one chunk, and of the next one if that is all for other regions.
     */
    private static final int ROOM_PER_BYTE = 3;

    /** Kept whatever the chunks are like. */
    private static final long MIN_ROOM_BYTES = 1 << 20;

    private final RawFragment.@Nullable Builder[] regions;
    private final Deque<RawFragment.Builder> spare = new ArrayDeque<>();
    private long bytesBefore;

    RawBuilders(int regionCount) {
        regions = new RawFragment.@Nullable Builder[regionCount];
    }

    /** Empties all buffers. */
    void begin() {
        for (RawFragment.Builder builder : regions) {
            if (builder != null) {
                builder.clear();
            }
        }
    }

    /** The region's buffer. */
    RawFragment.Builder of(int region) {
        RawFragment.Builder builder = regions[region];
        if (builder == null) {
            builder = spare.isEmpty() ? new RawFragment.Builder() : spare.removeFirst();
            regions[region] = builder;
        }
        return builder;
    }

    /** The region's buffer if it has records. */
    RawFragment.@Nullable Builder used(int region) {
        RawFragment.Builder builder = regions[region];
        return builder == null || builder.count() == 0 ? null : builder;
    }

    /**
     * Lets go of buffers while they have more room together than there is use for: spare ones
     * first, then those with the most room unused.
     */
    void end() {
        long bytes = 0;
        for (int region = 0; region < regions.length; region++) {
            RawFragment.Builder builder = regions[region];
            if (builder != null) {
                bytes += builder.bytes();
                if (builder.count() == 0) {
                    regions[region] = null;
                    spare.addFirst(builder);
                }
            }
        }
        long excess =
                roomBytes()
                        - Math.max(MIN_ROOM_BYTES, ROOM_PER_BYTE * Math.max(bytes, bytesBefore));
        bytesBefore = bytes;
        while (excess > 0 && !spare.isEmpty()) {
            excess -= spare.removeLast().roomBytes();
        }
        if (excess > 0) {
            dropRoom(excess);
        }
    }

    private void dropRoom(long excessBytes) {
        List<Integer> mostUnusedFirst = new ArrayList<>();
        for (int region = 0; region < regions.length; region++) {
            if (regions[region] != null) {
                mostUnusedFirst.add(region);
            }
        }
        mostUnusedFirst.sort((a, b) -> Long.compare(unusedBytes(b), unusedBytes(a)));
        long excess = excessBytes;
        for (int region : mostUnusedFirst) {
            if (excess <= 0) {
                return;
            }
            excess -= of(region).roomBytes();
            regions[region] = null;
        }
    }

    private long unusedBytes(int region) {
        RawFragment.Builder builder = of(region);
        return builder.roomBytes() - builder.bytes();
    }

    /** Bytes of all buffers. */
    long roomBytes() {
        long total = 0;
        for (RawFragment.Builder builder : regions) {
            total += builder == null ? 0 : builder.roomBytes();
        }
        for (RawFragment.Builder builder : spare) {
            total += builder.roomBytes();
        }
        return total;
    }
}
