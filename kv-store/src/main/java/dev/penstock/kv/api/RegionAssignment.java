package dev.penstock.kv.api;

import dev.penstock.key.KeyRange;

/** Which server hosts a region. */
public record RegionAssignment(long regionId, KeyRange range, ServerDescriptor server) {}
