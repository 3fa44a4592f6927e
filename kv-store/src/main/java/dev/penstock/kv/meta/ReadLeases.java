package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ReportReply;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who may answer reads without asking the leader for the latest epoch: each server that has
 * reported within the last seconds.
 *
 * <p>A load becomes visible in steps: its servers' leases are withheld and revoked, or, where a
 * server cannot be told, have run out; then the commit is written; then the servers are told to
 * install it, and get leases again. So between the first step and the last every read asks the
 * leader, and after the commit every read sees the load: none sees it and a later one, on whatever
 * server, does not. Leases are counted with this process's and the server's own monotonic clocks,
 * which may differ in rate by half.
 *
 * <p>Thread-safe.
 */
final class ReadLeases {
    /** When a lease has run out for certain, seen from here. */
    static final Duration RUN_OUT = Duration.ofNanos(ReportReply.LEASE.toNanos() / 2 * 3);

    private final long runOutNanos;
    private final Map<String, Long> grantedNanos = new HashMap<>();
    private final Map<String, Integer> withheld = new HashMap<>();

    /** What was granted before this process started is not known: it counts as granted now. */
    private final long startNanos = System.nanoTime();

    ReadLeases(Duration runOut) {
        this.runOutNanos = runOut.toNanos();
    }

    /** Whether the server gets a lease with the answer that is being made for it. */
    synchronized boolean grant(String serverId) {
        if (withheld.containsKey(serverId)) {
            return false;
        }
        grantedNanos.put(serverId, System.nanoTime());
        return true;
    }

    synchronized void withhold(List<String> serverIds) {
        serverIds.forEach(serverId -> withheld.merge(serverId, 1, Integer::sum));
    }

    /** Ends one {@link #withhold}. */
    synchronized void allow(List<String> serverIds) {
        for (String serverId : serverIds) {
            withheld.computeIfPresent(serverId, (id, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * Returns when a server that gets no lease now answers no reads any more without asking for the
     * epoch.
     *
     * @param revoke tells the server, if it can be told; that it objects, as {@code CONFLICT}, is
     *     passed on
     */
    void end(String serverId, Runnable revoke) {
        try {
            revoke.run();
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.CONFLICT) {
                throw e;
            }
            try {
                awaitRunOut(serverId);
            } catch (InterruptedException interruption) {
                Thread.currentThread().interrupt();
                throw PenstockException.io("publishing was interrupted", interruption);
            }
        }
    }

    synchronized void awaitRunOut(String serverId) throws InterruptedException {
        long end = grantedNanos.getOrDefault(serverId, startNanos) + runOutNanos;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
    }
}
