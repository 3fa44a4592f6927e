package dev.penstock.kv.node;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.UncaughtError;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.PreparedLoad;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Installs published loads region by region. A region for which that fails for now, as its disk is
 * full, is late: it answers nothing at the load's epoch or a later one until a further attempt,
 * made by whoever asks it and by each heartbeat of a server, has installed what it lacks, in order.
 * The other regions go on. What is damaged is left to {@link RegionTable}. Thread-safe.
 */
final class LateRegions {
    /** What one region lacks. */
    private static final class Lacking {
        /** Held while an attempt runs; who does not get it is told of the failure before. */
        private final ReentrantLock attempt = new ReentrantLock();

        /** Oldest first; not empty while the region is among the late ones. Guarded by itself. */
        private final Queue<PublishedLoad> loads = new ArrayDeque<>();

        private volatile PenstockException failure;

        private Lacking(PublishedLoad load, PenstockException failure) {
            loads.add(load);
            this.failure = failure;
        }

        /** Of the latest attempt; another thread's, whose exception others may not throw. */
        private PenstockException failed() {
            PenstockException latest = failure;
            return new PenstockException(
                    latest.category(), String.valueOf(latest.getMessage()), latest);
        }

        private Optional<PublishedLoad> oldest(long upToEpoch) {
            synchronized (loads) {
                return Optional.ofNullable(loads.peek()).filter(load -> load.epoch() <= upToEpoch);
            }
        }
    }

    private final RegionTable regions;
    private final Map<Long, Lacking> late = new ConcurrentHashMap<>();

    LateRegions(RegionTable regions) {
        this.regions = regions;
    }

    boolean isEmpty() {
        return late.isEmpty();
    }

    /**
     * Installs a load in a region, or notes that it is late; to be told to readers once {@link
     * RegionTable#force} has returned. Called for one load after the other, in the order of epochs.
     */
    void install(PublishedLoad load, long regionId) {
        Lacking lacking = late.get(regionId);
        if (lacking != null && addTo(lacking, load)) {
            return;
        }
        try {
            installNow(load, regionId);
        } catch (PenstockException e) {
            late.put(regionId, new Lacking(load, e));
        }
    }

    /** False if the region has caught up meanwhile. */
    private static boolean addTo(Lacking lacking, PublishedLoad load) {
        synchronized (lacking.loads) {
            if (lacking.loads.isEmpty()) {
                return false;
            }
            // This load may be among them: all of a page are installed anew if one has failed.
            boolean known = lacking.loads.stream().anyMatch(each -> each.epoch() == load.epoch());
            return known || lacking.loads.add(load);
        }
    }

    /**
     * Returns when a region has all that was published up to an epoch, as far as this server knows.
     *
     * @throws PenstockException what keeps it from that
     */
    void check(long regionId, long epoch) {
        Lacking lacking = late.get(regionId);
        if (lacking != null) {
            tryAgain(regionId, lacking, epoch);
        }
    }

    private void tryAgain(long regionId, Lacking lacking, long epoch) {
        if (lacking.oldest(epoch).isEmpty()) {
            return;
        }
        if (!lacking.attempt.tryLock()) {
            throw lacking.failed();
        }
        try {
            Optional<PublishedLoad> next = lacking.oldest(epoch);
            while (next.isPresent()) {
                installNow(next.get(), regionId);
                regions.force();
                forgetOldest(regionId, lacking);
                next = lacking.oldest(epoch);
            }
        } catch (PenstockException e) {
            lacking.failure = e;
            throw e;
        } finally {
            lacking.attempt.unlock();
        }
    }

    private void forgetOldest(long regionId, Lacking lacking) {
        synchronized (lacking.loads) {
            lacking.loads.remove();
            if (lacking.loads.isEmpty()) {
                late.remove(regionId, lacking);
            }
        }
    }

    /** Makes an attempt for all of them. */
    void tryAll() {
        late.forEach((regionId, lacking) -> {
            try {
                tryAgain(regionId, lacking, Long.MAX_VALUE);
            } catch (PenstockException e) {
                // It is kept as the region's, for whoever asks that.
            }
        });
    }

    /** What the latest attempt failed with in which region. */
    Map<Long, PenstockException> failures() {
        Map<Long, PenstockException> failures = new TreeMap<>();
        late.forEach((regionId, lacking) -> failures.put(regionId, lacking.failed()));
        return failures;
    }

    private void installNow(PublishedLoad load, long regionId) {
        Optional<Region> found = regions.find(regionId);
        if (found.isEmpty()) {
            return;
        }
        try {
            install(load, found.get());
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.CORRUPT) {
                regions.damaged(regionId, e);
            } else if (regions.find(regionId).isPresent()) {
                throw e;
            }
            // Else it has been dropped meanwhile.
        } catch (OutOfMemoryError e) {
            throw MemoryUsedUp.failure(e);
        } catch (RuntimeException | InternalError e) {
            // The other regions have nothing to do with it.
            throw UncaughtError.handOn(e);
        }
    }

    private static void install(PublishedLoad load, Region region) {
        Optional<PreparedLoad> prepared = region.prepared().get(load.loadId());
        if (prepared.isPresent()) {
            region.install(prepared.get(), load.epoch());
        } else if (region.installedEpoch() < load.epoch()) {
            throw PenstockException.corrupt(
                    "load "
                            + load.loadId()
                            + " was published at epoch "
                            + load.epoch()
                            + ", but its part for region "
                            + region.descriptor().regionId()
                            + " is missing in "
                            + region.files().directory());
        }
    }
}
