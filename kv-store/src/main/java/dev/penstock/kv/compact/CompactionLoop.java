package dev.penstock.kv.compact;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.Region;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Looks after all regions of a server in a background thread of its own, one region after the
 * other. A region whose compaction fails stays readable as it is and is left alone until the server
 * starts again; {@link #failures} says why.
 */
public final class CompactionLoop implements AutoCloseable {
    private final Compactor compactor;
    private final Supplier<Collection<Region>> regions;
    private final Map<Long, PenstockException> failures = new ConcurrentHashMap<>();
    private final ScheduledExecutorService executor;
    private volatile boolean closing;

    public CompactionLoop(
            Compactor compactor, Supplier<Collection<Region>> regions, Duration period) {
        this.compactor = compactor;
        this.regions = regions;
        this.executor =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("compaction").factory());
        executor.scheduleWithFixedDelay(
                this::round, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void round() {
        for (Region region : regions.get()) {
            long regionId = region.descriptor().regionId();
            if (closing || failures.containsKey(regionId)) {
                continue;
            }
            try {
                compactor.compact(region);
            } catch (PenstockException e) {
                failures.put(regionId, e);
            }
        }
    }

    /** Why regions are no longer compacted, by region id. */
    public Map<Long, PenstockException> failures() {
        return Map.copyOf(failures);
    }

    /** Waits for a merge that runs. */
    @Override
    public void close() {
        closing = true;
        executor.close();
    }
}
