package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.ServerDescriptor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers servers that join or report, which must not wait while a change waits for another server:
 * their leases would run out, and they would hold the threads that answer everybody's questions.
 *
 * <p>So only a server that the change in hand has told something comes after that change, and tries
 * again later if it takes long: what it was told no record says yet. It may have started anew
 * since, and would drop a region that it was given, or open one that was closed so that it could
 * go. If it is not known whether the change was recorded, such a server comes after the leader's
 * next start.
 *
 * <p>Thread-safe.
 */
final class ServerJoins {
    /** A server's next report comes in about the same time as one that waited for longer. */
    private static final long LONGEST_WAIT_MILLIS = 200;

    private final MetadataState state;
    private final SeenServers seen;
    private final ReadLeases leases;
    private final ReentrantLock changes;
    private final Recorder recorder;

    /** What servers the change in hand has told something, by id; added to before they are. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * @param changes held by whoever changes something
     */
    ServerJoins(
            MetadataState state,
            SeenServers seen,
            ReadLeases leases,
            ReentrantLock changes,
            Recorder recorder) {
        this.state = state;
        this.seen = seen;
        this.leases = leases;
        this.changes = changes;
        this.recorder = recorder;
    }

    /** The way to servers for a change, until {@link #endChange}. */
    RegionServiceLocator duringChange(RegionServiceLocator locator) {
        return server -> {
            told.add(server.serverId());
            return locator.locate(server);
        };
    }

    /**
     * What servers were told is recorded or taken back, unless that is in doubt. Under the lock,
     * which ends here.
     */
    void endChange() {
        if (!recorder.isInDoubt()) {
            told.clear();
        }
        changes.unlock();
    }

    /**
     * The regions of a server that starts, too, or that has closed regions and does not know what
     * became of the change for which it did so.
     *
     * @throws PenstockException of category {@code RETRY} if a change takes long, or if it is not
     *     known whether one was recorded of which the server was told
     */
    JoinReply join(ServerDescriptor server) {
        // In this order: what was told before is recorded by the time the state is read.
        boolean inChange = told.contains(server.serverId());
        if (!inChange && state.servers().contains(server)) {
            return joined(server.serverId());
        }
        awaitChange();
        try {
            recorder.check();
            admit(server);
            return joined(server.serverId());
        } finally {
            changes.unlock();
        }
    }

    /**
     * Of a server that goes on, so that it need not be known what it was told.
     *
     * @throws PenstockException of category {@code RETRY} if it is unknown and a change takes long
     */
    ReportReply report(ServerDescriptor server) {
        if (!state.servers().contains(server)) {
            awaitChange();
            try {
                admit(server);
            } finally {
                changes.unlock();
            }
        }
        return reported(server.serverId());
    }

    private void admit(ServerDescriptor server) {
        if (!state.servers().contains(server)) {
            recorder.record(new MetadataRecord.ServerJoined(server));
        }
    }

    private JoinReply joined(String serverId) {
        return new JoinReply(state.hosted(serverId), reported(serverId));
    }

    private ReportReply reported(String serverId) {
        seen.see(serverId);
        // Before the epoch is read: a load that is published after that withholds the lease or
        // revokes it, and one that was published before is in the epoch.
        boolean lease = leases.grant(serverId);
        return new ReportReply(
                state.epoch(),
                state.runningLoads().stream().map(LoadDescriptor::loadId).toList(),
                lease);
    }

    private void awaitChange() {
        if (changes.tryLock()) {
            return;
        }
        try {
            if (changes.tryLock(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new PenstockException(
                ErrorCategory.RETRY, "the leader is changing tables; try again");
    }
}
