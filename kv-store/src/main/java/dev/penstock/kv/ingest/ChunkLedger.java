package dev.penstock.kv.ingest;

import dev.penstock.target.FragmentAck;

import org.roaringbitmap.RoaringBitmap;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which chunks have arrived for one region of one load. A chunk that is being worked on makes its
 * repetition wait, so that each is taken once and every sender gets the same answer. Thread-safe.
 */
final class ChunkLedger {
    private final RoaringBitmap taken = new RoaringBitmap();
    private final Map<Integer, FragmentAck> answersWithRejects = new HashMap<>();
    private final Set<Integer> working = new HashSet<>();

    /** What a chunk's sender was told, as far as it does not follow from the fragment. */
    record Answer(boolean known, Optional<FragmentAck> withRejects) {
        static final Answer NEW = new Answer(false, Optional.empty());
    }

    /**
     * Claims a chunk for the calling thread, unless it has been taken before. Who claims must call
     * {@link #taken} or {@link #release}.
     */
    synchronized Answer claim(int chunkId) throws InterruptedException {
        while (working.contains(chunkId)) {
            wait();
        }
        if (taken.contains(chunkId)) {
            return new Answer(true, Optional.ofNullable(answersWithRejects.get(chunkId)));
        }
        working.add(chunkId);
        return Answer.NEW;
    }

    synchronized void taken(FragmentAck ack) {
        taken.add(ack.chunkId());
        if (!ack.rejects().isEmpty()) {
            answersWithRejects.put(ack.chunkId(), ack);
        }
        release(ack.chunkId());
    }

    synchronized void release(int chunkId) {
        working.remove(chunkId);
        notifyAll();
    }
}
