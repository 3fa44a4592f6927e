package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.TableDescriptor;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes a table if it is empty: closes all its regions, so that none takes a row any more, and
 * only then writes the record. If one of them holds rows or cannot be asked, those that were closed
 * are opened again, but not if the record may have been written. Dropping the regions is left to
 * the caller, who lets nothing else change.
 */
final class TableRemoval {
    private final MetadataState state;
    private final RegionServiceLocator locator;
    private final SeenServers seen;
    private final InstantSource clock;
    private final Recorder recorder;

    /** Tables of aborted loads that others have stored rows in since; they stay. */
    private final Set<Long> inUse = new HashSet<>();

    private final Map<Long, RetryPause> failed = new HashMap<>();

    TableRemoval(
            MetadataState state,
            RegionServiceLocator locator,
            SeenServers seen,
            InstantSource clock,
            Recorder recorder) {
        this.state = state;
        this.locator = locator;
        this.seen = seen;
        this.clock = clock;
        this.recorder = recorder;
    }

    /**
     * Removes a table that a load created and that none was published into.
     *
     * @param now whether to try even if its servers do not report, or a pause is not over
     * @return its regions if it is gone, else nothing
     * @throws PenstockException as {@link #removeIfEmpty}
     */
    List<RegionAssignment> removeIfUnloaded(TableDescriptor table, boolean now) {
        long tableId = table.tableId();
        if (inUse.contains(tableId) || !state.unloadedTables().contains(table)) {
            return List.of();
        }
        List<RegionAssignment> regions = state.regions(tableId);
        if (!now && !isDue(tableId, regions)) {
            return List.of();
        }
        boolean removed;
        try {
            removed = removeIfEmpty(table);
        } catch (RuntimeException e) {
            failed.compute(tableId, (id, before) -> RetryPause.after(before, clock.instant()));
            throw e;
        }
        failed.remove(tableId);
        if (removed) {
            return regions;
        }
        inUse.add(tableId);
        return List.of();
    }

    /** Whoever waits for a server that is gone holds up all other changes. */
    private boolean isDue(long tableId, List<RegionAssignment> regions) {
        return RetryPause.isOver(failed.get(tableId), clock.instant())
                && regions.stream().allMatch(region -> seen.lately(region.server()));
    }

    /**
     * @return whether the table is gone
     * @throws PenstockException if a server cannot be reached; regions may stay closed then, until
     *     this is tried again or their servers ask
     */
    boolean removeIfEmpty(TableDescriptor table) {
        List<RegionAssignment> closed = new ArrayList<>();
        try {
            if (closeAll(table, closed)) {
                recorder.record(new MetadataRecord.TableDropped(table.tableId()));
                return true;
            }
        } catch (RuntimeException e) {
            if (!recorder.isInDoubt()) {
                reopen(table, closed);
            }
            throw e;
        }
        // Those too whose reopening failed when this was tried before.
        reopen(table, state.regions(table.tableId()));
        return false;
    }

    /**
     * Closes regions up to the first that holds rows; whether none does.
     *
     * @param closed those that may be closed are added
     */
    private boolean closeAll(TableDescriptor table, List<RegionAssignment> closed) {
        for (RegionAssignment region : state.regions(table.tableId())) {
            // First, since it may be closed although the answer does not come.
            closed.add(region);
            if (!locator.locate(region.server()).closeIfEmpty(region.regionId())) {
                return false;
            }
        }
        return true;
    }

    /** All that can be reached; fails if one cannot. */
    private void reopen(TableDescriptor table, List<RegionAssignment> closed) {
        List<PenstockException> failures = new ArrayList<>();
        for (RegionAssignment region : closed) {
            try {
                locator.locate(region.server()).createRegions(List.of(region.of(table)));
            } catch (PenstockException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }
}
