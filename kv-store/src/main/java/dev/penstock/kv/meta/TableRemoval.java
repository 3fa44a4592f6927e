package dev.penstock.kv.meta;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.TableDescriptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Removes a table if it is empty: closes all its regions, so that none takes a row any more, and
 * only then writes the record. If one of them holds rows or cannot be asked, those that were closed
 * are opened again. Dropping the regions is left to the caller.
 */
final class TableRemoval {
    private final MetadataState state;
    private final RegionServiceLocator locator;
    private final Consumer<MetadataRecord> commit;

    TableRemoval(
            MetadataState state, RegionServiceLocator locator, Consumer<MetadataRecord> commit) {
        this.state = state;
        this.locator = locator;
        this.commit = commit;
    }

    /**
     * @return whether the table is gone
     * @throws PenstockException if a server cannot be reached; then it is as it was
     */
    boolean removeIfEmpty(TableDescriptor table) {
        List<RegionAssignment> closed = new ArrayList<>();
        boolean removed = false;
        try {
            boolean empty = true;
            for (RegionAssignment region : state.regions(table.tableId())) {
                empty = locator.locate(region.server()).closeIfEmpty(region.regionId());
                if (!empty) {
                    break;
                }
                closed.add(region);
            }
            if (empty) {
                commit.accept(new MetadataRecord.TableDropped(table.tableId()));
                removed = true;
            }
            return removed;
        } finally {
            if (!removed) {
                closed.forEach(region -> reopen(table, region));
            }
        }
    }

    private void reopen(TableDescriptor table, RegionAssignment region) {
        locator.locate(region.server())
                .createRegions(
                        List.of(
                                new RegionDescriptor(
                                        region.regionId(),
                                        table.tableId(),
                                        table.schema(),
                                        region.range())));
    }
}
