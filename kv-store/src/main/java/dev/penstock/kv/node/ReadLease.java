package dev.penstock.kv.node;

import dev.penstock.kv.api.ReportReply;

/**
 * The leader's word that nothing is published without this server being told first. It counts from
 * before the leader was asked for it, so it has run out here before it has there. Thread-safe.
 */
final class ReadLease {
    private final long lengthNanos = ReportReply.LEASE.toNanos();
    private long revocations;
    private volatile boolean held;
    private volatile long endNanos;

    /**
     * A lease that the leader is about to be asked for.
     *
     * @param revocations how many there were: one more makes the answer worthless
     */
    record Application(long revocations, long nanos) {}

    synchronized Application apply() {
        return new Application(revocations, System.nanoTime());
    }

    /** The leader has said yes, and everything that it said with it is done. */
    synchronized void grant(Application application) {
        if (application.revocations() == revocations) {
            endNanos = application.nanos() + lengthNanos;
            held = true;
        }
    }

    synchronized void revoke() {
        revocations++;
        held = false;
    }

    boolean valid() {
        return held && System.nanoTime() - endNanos < 0;
    }
}
