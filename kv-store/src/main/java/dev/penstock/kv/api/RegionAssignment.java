package dev.penstock.kv.api;

import dev.penstock.key.KeyRange;

/** Which server hosts a region. */
public record RegionAssignment(long regionId, KeyRange range, ServerDescriptor server) {
    /** The region as its server is told of it. */
    public RegionDescriptor of(TableDescriptor table) {
        return new RegionDescriptor(regionId, table.tableId(), table.schema(), range);
    }
}
