package dev.penstock.kv.compact;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.UncaughtError;
import dev.penstock.kv.region.Region;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks after all regions of a server in a background thread of its own, one region after the
 * other, round after round whatever happens in one. A region whose compaction fails stays readable
 * as it is; {@link FailedCompactions} says when it is tried again.
 */
public final class CompactionLoop implements AutoCloseable {
    private final Compactor compactor;
    private final Supplier<? extends Collection<Region>> regions;
    private final FailedCompactions failed;
    private final Consumer<String> log;
    private final ScheduledExecutorService executor;
    private String lastFailure = "";
    private volatile boolean closing;

    /**
     * Begins after one period.
     *
     * @param log takes a line about regions that cannot be compacted
     */
    public CompactionLoop(
            Compactor compactor,
            Supplier<? extends Collection<Region>> regions,
            Duration period,
            Consumer<String> log) {
        this.compactor = compactor;
        this.regions = regions;
        this.log = log;
        this.failed = new FailedCompactions(log);
        this.executor =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("compaction").factory());
        executor.scheduleWithFixedDelay(
                this::survivingRound, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A round that threw would be the last. */
    private void survivingRound() {
        try {
            round();
            lastFailure = "";
        } catch (RuntimeException | Error e) {
            String failure = String.valueOf(UncaughtError.handOn(e).getMessage());
            if (!failure.equals(lastFailure)) {
                lastFailure = failure;
                log.accept("no region can be compacted now: " + failure);
            }
        }
    }

    private void round() {
        Collection<Region> all = regions.get();
        failed.keepOnly(
                all.stream()
                        .map(region -> region.descriptor().regionId())
                        .collect(Collectors.toSet()));
        for (Region region : all) {
            if (closing) {
                return;
            }
            if (!failed.passOver(region.descriptor().regionId())) {
                compact(region);
            }
        }
    }

    private void compact(Region region) {
        long regionId = region.descriptor().regionId();
        PenstockException failure;
        try {
            compactor.compact(region);
            failed.succeeded(regionId);
            return;
        } catch (PenstockException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            failure = UncaughtError.handOn(e);
        }
        // One that was dropped meanwhile need not be compacted.
        if (regions.get().contains(region)) {
            failed.failed(regionId, failure);
        }
    }

    /** Waits for a merge that runs. */
    @Override
    public void close() {
        closing = true;
        executor.close();
    }
}
