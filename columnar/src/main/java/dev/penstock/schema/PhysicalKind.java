package dev.penstock.schema;

/** How a column's values lie in memory. Two shapes keep every kernel to two forms. */
public enum PhysicalKind {
    /** One {@code long} a value, signed order = value order. */
    LONG,
    /** Offsets into bytes, unsigned byte order = value order. */
    BYTES
}
