package dev.penstock.kv.ingest;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells which regions of a load have all their fragments, as far as one can know while the load
 * runs. If the input is in the order of the keys, regions are filled one after another. So a region
 * is taken for complete when the chunks of other regions have got further ahead than any fragment
 * has ever come late, with a margin. Where the input is in another order every region goes on
 * getting something of most chunks and none looks complete; if some do all the same, these guesses
 * are wrong, and with too many of them nobody guesses any more. Thread-safe.
 *
 * @param <R> a region
 */
final class Arrivals<R extends Arrivals.Candidate> {
    /**
     * Numbers of chunks by which others are ahead, besides the double of what fragments come late.
     * Most chunks of text have two numbers.
     */
    private static final int MARGIN = 8;

    /** One guess of so many may be wrong: a thread waited for longer than ever before. */
    private static final int GUESSES_FOR_A_WRONG_ONE = 32;

    private final long leastBytes;

    // Guarded by this
    private final List<R> candidates = new ArrayList<>();
    private int newestChunk = -1;
    private int mostLate;
    private int guesses;
    private int wrongGuesses;
    private boolean over;

    /** A region of the load. */
    interface Candidate {
        /** Of its fragments. */
        long stagedBytes();

        /** The highest number of a chunk that has brought it rows. */
        int newestChunk();

        /** Whether this is the first call, so that it becomes a candidate once at most. */
        boolean nominate();
    }

    /**
     * @param leastBytes regions with fewer bytes of fragments are not worth it
     */
    Arrivals(long leastBytes) {
        this.leastBytes = leastBytes;
    }

    /** Notes a fragment; returns regions that look complete now, each once. */
    synchronized List<R> arrived(int chunkId, R region) {
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
        List<R> complete = new ArrayList<>();
        candidates.removeIf(candidate -> {
            boolean left = candidate.newestChunk() < oldest;
            if (left) {
                complete.add(candidate);
            }
            return left;
        });
        guesses += complete.size();
        return complete;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** A region that looked complete has got another fragment. */
    synchronized void guessedWrong() {
        wrongGuesses++;
        if ((long) wrongGuesses * GUESSES_FOR_A_WRONG_ONE > guesses) {
            end();
        }
    }

    /** The load is ending. */
    synchronized void end() {
        over = true;
        candidates.clear();
    }
}
