package dev.penstock.kv.node;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of day when it was made, and what has passed since. Who sets the machine's clock does
 * not move it: everything that a server measures is how long something took or has been silent, and
 * loads would be given up because somebody corrected the time. It stands still with the machine.
 */
final class SteadyClock implements InstantSource {
    private final Instant begin;
    private final LongSupplier nanos;
    private final long beginNanos;

    private SteadyClock(Instant begin, LongSupplier nanos) {
        this.begin = begin;
        this.nanos = nanos;
        this.beginNanos = nanos.getAsLong();
    }

    static SteadyClock ofThisMachine() {
        return from(Instant.now(), System::nanoTime);
    }

    /**
     * @param nanos only ever grows, from anywhere
     */
    static SteadyClock from(Instant begin, LongSupplier nanos) {
        return new SteadyClock(begin, nanos);
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(nanos.getAsLong() - beginNanos);
    }
}
