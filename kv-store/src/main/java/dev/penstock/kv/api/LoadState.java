package dev.penstock.kv.api;

/** What became of a load. */
public enum LoadState {
    RUNNING,
    PUBLISHED,
    ABORTED,
    /** Never heard of; whatever a server still keeps of it may go. */
    UNKNOWN
}
