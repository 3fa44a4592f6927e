package dev.penstock.kv.storage;

import dev.penstock.batch.ColumnSums;

/**
 * A segment file as manifests name it.
 *
 * @param name file name within its region's folder
 * @param bytes size of the file
 * @param sums of its rows, all columns, if a load has proved that they are those that it read; else
 *     none
 */
public record SegmentDescriptor(String name, long bytes, long rowCount, ColumnSums sums) {
    /** A segment that no load has made. */
    public SegmentDescriptor(String name, long bytes, long rowCount) {
        this(name, bytes, rowCount, ColumnSums.NONE);
    }
}
