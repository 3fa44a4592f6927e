package dev.penstock.kv.api;

import dev.penstock.key.KeyRange;
import dev.penstock.schema.TableSchema;

/**
 * All that a server needs to know to host a region.
 *
 * @param regionId unique in the store, never used again
 * @param tableId unique in the store, never used again
 */
public record RegionDescriptor(long regionId, long tableId, TableSchema schema, KeyRange range) {}
