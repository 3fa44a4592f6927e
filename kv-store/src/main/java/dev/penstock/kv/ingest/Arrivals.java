package dev.penstock.kv.ingest;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells which regions of a load have all their fragments, as far as one can know while the load
 * runs. If the input is in the order of the keys, regions are filled one after another. So a region
 * is taken for complete when the chunks of other regions have got further ahead than any fragment
 * has ever come late, with a margin. Where the input is in another order every region goes on
 * getting something of most chunks and none looks complete; a first wrong guess is the last one.
 * Thread-safe.
 */
final class Arrivals {
    /** Chunks by which others are ahead, besides the double of what fragments come late. */
    private static final int MARGIN = 3;

    private final long leastBytes;

    // Guarded by this
    private final List<RegionIntake> candidates = new ArrayList<>();
    private int newestChunk = -1;
    private int mostLate;
    private boolean over;

    /**
     * @param leastBytes regions with fewer bytes of fragments are not worth it
     */
    Arrivals(long leastBytes) {
        this.leastBytes = leastBytes;
    }

    /** Notes a fragment; returns regions that look complete now, each once. */
    synchronized List<RegionIntake> arrived(int chunkId, RegionIntake region) {
        if (over) {
            return List.of();
        }
        mostLate = Math.max(mostLate, newestChunk - chunkId);
        if (region.stagedBytes() >= leastBytes && region.nominate()) {
            candidates.add(region);
        }
        if (chunkId <= newestChunk) {
            return List.of();
        }
        newestChunk = chunkId;
        int oldest = newestChunk - 2 * mostLate - MARGIN;
        List<RegionIntake> complete = new ArrayList<>();
        candidates.removeIf(candidate -> {
            boolean left = candidate.newestChunk() < oldest;
            if (left) {
                complete.add(candidate);
            }
            return left;
        });
        return complete;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** A guess was wrong, or the load is ending. */
    synchronized void end() {
        over = true;
        candidates.clear();
    }
}
