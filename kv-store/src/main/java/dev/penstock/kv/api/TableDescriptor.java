package dev.penstock.kv.api;

import dev.penstock.schema.TableSchema;

/**
 * A table of the store.
 *
 * @param tableId unique in the store, never used again
 */
public record TableDescriptor(long tableId, TableSchema schema) {}
