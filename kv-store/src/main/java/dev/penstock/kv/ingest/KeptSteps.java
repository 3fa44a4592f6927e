package dev.penstock.kv.ingest;

import dev.penstock.kv.api.LoadDescriptor;

import org.jspecify.annotations.Nullable;

import java.lang.ref.SoftReference;
import java.time.Duration;
import java.time.Instant;

/**
 * The steps of the last load that was published, for a minute: a table is often loaded file by
 * file. They have grown to what such a load needs, hundreds of megabytes if it is wide, and to make
 * them anew collections copy all of that while everybody waits. They go as soon as another kind of
 * load begins, or when memory gets scarce. Thread-safe.
 */
public final class KeptSteps {
    private static final Duration UNUSED = Duration.ofSeconds(60);

    // Guarded by this; both null or both not.
    private @Nullable SoftReference<IdleSteps> kept;
    private @Nullable Instant since;

    /** Steps for a load that begins: those that were kept if they fit, which nobody else gets. */
    synchronized IdleSteps take(LoadDescriptor load) {
        IdleSteps before = kept == null ? null : kept.get();
        forget();
        return before != null && before.fit(load) ? before.handedOn(load) : new IdleSteps(load);
    }

    /** Keeps the steps of a load that has ended well. */
    synchronized void keep(IdleSteps ended, Instant now) {
        kept = new SoftReference<>(ended);
        since = now;
    }

    /** Forgets what no load has asked for in a while; to be called every few seconds. */
    public synchronized void forgetUnused(Instant now) {
        if (since != null && !now.isBefore(since.plus(UNUSED))) {
            forget();
        }
    }

    public synchronized void forget() {
        kept = null;
        since = null;
    }
}
