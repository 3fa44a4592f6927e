package dev.penstock.kv.node;

import dev.penstock.kv.ingest.LoadIntake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A load that is open on this server, and who uses it. It can be ended for good by {@link
 * #endIfIdle} only while nobody does, so that nothing is taken by an intake that is being closed.
 * Thread-safe.
 */
final class OpenLoad {
    /** A server looks whether a load's loader is gone after so long without a request for it. */
    static final Duration IDLE = Duration.ofSeconds(60);

    private final LoadIntake intake;
    private final InstantSource clock;

    // Guarded by this
    private int users;
    private boolean ended;

    /** When the last use ended, or when it was found last that it should stay open. */
    private Instant idleSince;

    OpenLoad(LoadIntake intake, InstantSource clock) {
        this.intake = intake;
        this.clock = clock;
        this.idleSince = clock.instant();
    }

    LoadIntake intake() {
        return intake;
    }

    /** Empty if it has been ended. The use lasts until it is closed, by the same thread. */
    synchronized Optional<Use> use() {
        if (ended) {
            return Optional.empty();
        }
        users++;
        return Optional.of(new Use());
    }

    /** Of one request. */
    final class Use implements AutoCloseable {
        LoadIntake intake() {
            return intake;
        }

        @Override
        public void close() {
            synchronized (OpenLoad.this) {
                users--;
                idleSince = clock.instant();
            }
        }
    }

    /** It stays open for another {@link #IDLE} at least. */
    synchronized void touch() {
        idleSince = clock.instant();
    }

    synchronized boolean isIdle() {
        return users == 0 && !idleSince.plus(IDLE).isAfter(clock.instant());
    }

    /** Whether nobody used it lately, and nobody will from now on. */
    synchronized boolean endIfIdle() {
        ended |= isIdle();
        return ended;
    }
}
