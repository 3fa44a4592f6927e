package dev.penstock.kv.ingest;

import org.roaringbitmap.RoaringBitmap;

import java.util.HashSet;
import java.util.Set;

/**
 * Which chunks have arrived for one region of one load. A chunk that is being worked on makes its
 * repetition wait, so that each is taken once and every sender gets the same answer. Rejects are
 * not kept for that, as there is no bound to those of a load: what is repeated has them in it.
 * Thread-safe.
 */
final class ChunkLedger {
    /** What a sender gets for a chunk. */
    enum Claim {
        /** It is to be taken. */
        NEW,
        TAKEN,
        /** What its answer says is in the fragment, and to be found again. */
        TAKEN_AND_FOUND
    }

    private final RoaringBitmap taken = new RoaringBitmap();
    private final RoaringBitmap found = new RoaringBitmap();
    private final Set<Integer> working = new HashSet<>();

    /**
     * Claims a chunk for the calling thread, unless it has been taken before. Who has got a new one
     * must call {@link #taken} or {@link #release}.
     */
    synchronized Claim claim(int chunkId) throws InterruptedException {
        while (working.contains(chunkId)) {
            wait();
        }
        if (found.contains(chunkId)) {
            return Claim.TAKEN_AND_FOUND;
        }
        if (taken.contains(chunkId)) {
            return Claim.TAKEN;
        }
        working.add(chunkId);
        return Claim.NEW;
    }

    /**
     * Ends the work on a chunk.
     *
     * @param anyFindings whether the answer has rejects, or sums, that were found here
     */
    synchronized void taken(int chunkId, boolean anyFindings) {
        taken.add(chunkId);
        if (anyFindings) {
            found.add(chunkId);
        }
        release(chunkId);
    }

    synchronized void release(int chunkId) {
        working.remove(chunkId);
        notifyAll();
    }
}
