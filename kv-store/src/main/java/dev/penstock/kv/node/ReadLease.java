package dev.penstock.kv.node;

import dev.penstock.kv.api.ReportReply;

import org.jspecify.annotations.Nullable;

/**
 * The leader's word that nothing is published without this server being told first. It counts from
 * before the leader was asked for it, so it has run out here before it has there. It counts by the
 * time of day too: the other clock stands still while the machine is suspended. Thread-safe.
 */
final class ReadLease {
    private final long lengthNanos = ReportReply.LEASE.toNanos();
    private final long lengthMillis = ReportReply.LEASE.toMillis();
    private long revocations;
    private volatile @Nullable Application held;

    /**
     * A lease that the leader is about to be asked for.
     *
     * @param revocations how many there were: one more makes the answer worthless
     */
    record Application(long revocations, long nanos, long millisOfDay) {}

    synchronized Application apply() {
        return new Application(revocations, System.nanoTime(), System.currentTimeMillis());
    }

    /** The leader has said yes, and everything that it said with it is done. */
    synchronized void grant(Application application) {
        if (application.revocations() == revocations) {
            held = application;
        }
    }

    synchronized void revoke() {
        revocations++;
        held = null;
    }

    boolean valid() {
        Application since = held;
        return since != null
                && System.nanoTime() - since.nanos() < lengthNanos
                && System.currentTimeMillis() - since.millisOfDay() < lengthMillis;
    }
}
