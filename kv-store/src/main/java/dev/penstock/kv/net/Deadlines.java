package dev.penstock.kv.net;

import java.time.Duration;

/**
 * How long a client waits for a reply. A dead server is noticed much sooner, by its silence; these
 * bounds are for servers that live and do not get ahead.
 */
final class Deadlines {
    /** What needs no more than a few writes to disk. */
    static final Duration SHORT = Duration.ofSeconds(60);

    /** What reads or writes much, or waits behind loads. */
    static final Duration LONG = Duration.ofMinutes(30);

    /** The merge of some regions at the end of a load. */
    static final Duration MERGE = Duration.ofHours(12);

    private Deadlines() {}
}
