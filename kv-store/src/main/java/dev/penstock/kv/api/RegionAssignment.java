package dev.penstock.kv.api;

import dev.penstock.key.KeyRange;

/** Which server hosts a region, and of which table it is. */
public record RegionAssignment(
        long regionId, long tableId, KeyRange range, ServerDescriptor server) {
    /** The region as its server is told of it. */
    public RegionDescriptor of(TableDescriptor table) {
        return new RegionDescriptor(regionId, table.tableId(), table.schema(), range);
    }
}
