package dev.penstock.loader.pipeline;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.report.Quantities;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.target.DuplicatePolicy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The keys of which regions reject rows, as far as the heap has room for them and for what {@link
 * DuplicateFinder} finds of them: each region names a bounded number, and there may be any number
 * of regions. Filled by the threads that hear from regions, read by one thread after that.
 */
public final class RefusedKeys {
    /** This part of the heap may be taken; the rest is for chunks and answers of regions. */
    private static final int HEAP_SHARE = 3;

    /** Objects of one key, and of what is known of it, besides characters and bytes. */
    private static final int OVERHEAD_BYTES = 320;

    /** Bytes of a character, at most. */
    private static final int CHAR_BYTES = 2;

    private final long maxBytes;
    private final List<DuplicateKey> keys = new ArrayList<>();
    private long bytes;
    private boolean regionsNameMore;
    private boolean isFull;

    /**
     * Of one load.
     *
     * @param maxBytes of heap that they may take
     */
    RefusedKeys(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Of one load, with room by the heap of this process. */
    public static RefusedKeys inHeap() {
        return new RefusedKeys(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** Adds those keys that are among the rejects of a region. */
    public synchronized void add(List<Reject> rejects) {
        for (Reject reject : rejects) {
            if (DuplicateKey.isMore(reject)) {
                regionsNameMore = true;
            } else if (DuplicateKey.is(reject)) {
                add(DuplicateKey.of(reject));
            }
        }
    }

    private void add(DuplicateKey key) {
        long needed = OVERHEAD_BYTES + key.key().length + (long) CHAR_BYTES * key.text().length();
        if (grow(needed)) {
            keys.add(key);
        }
    }

    /** Takes room for something that is found; false if there is none, now and later. */
    synchronized boolean grow(long moreBytes) {
        isFull |= moreBytes > maxBytes - bytes;
        if (!isFull) {
            bytes += moreBytes;
        }
        return !isFull;
    }

    /** Those there was room for. */
    public synchronized List<DuplicateKey> keys() {
        return Collections.unmodifiableList(keys);
    }

    /** Whether these are all. */
    public synchronized boolean isComplete() {
        return !regionsNameMore && !isFull;
    }

    /**
     * Of a load that would need the keys that are missing: of category CONFLICT if only this loader
     * has no room for them, so that one with more can go on, else DATA.
     */
    public synchronized PenstockException tooMany(DuplicatePolicy policy) {
        String leaveOut = "Leave such rows out with keep-first or keep-last";
        if (isFull) {
            return new PenstockException(
                    ErrorCategory.CONFLICT,
                    "The regions have more keys, twice or in the table already, than the loader can"
                            + " hold: too many to save their records with --on-duplicate "
                            + policy.word()
                            + ". Give the loader more heap. "
                            + leaveOut
                            + " if they are not needed.");
        }
        return PenstockException.data(
                "A region has more than "
                        + DuplicateKey.MAX_PER_REGION
                        + " keys, or "
                        + Quantities.bytes(DuplicateKey.MAX_BYTES_PER_REGION)
                        + " of keys, twice or in the table already: too many to save their records"
                        + " with --on-duplicate "
                        + policy.word()
                        + "; nothing was loaded. "
                        + leaveOut
                        + ", or load with more --regions.");
    }
}
