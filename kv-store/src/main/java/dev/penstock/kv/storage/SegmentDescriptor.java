package dev.penstock.kv.storage;

/**
 * A segment file as manifests name it.
 *
 * @param name file name within its region's folder
 * @param bytes size of the file
 */
public record SegmentDescriptor(String name, long bytes, long rowCount) {}
