package dev.penstock.kv.storage;

/** What a log file holds; part of its header, so that one kind is never read as another. */
public enum LogKind {
    METADATA,
    WRITE_AHEAD,
    MANIFEST,
    JOURNAL,
    CLOSED,
    FRAGMENTS,
    CHECKPOINTS
}
