package dev.penstock.loader.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a worker has been waited for, in intervals that are counted and not measured: a driver
 * that was itself stopped for a while has counted nothing meanwhile. One thread waits, another one
 * counts.
 */
final class Patience {
    /** A worker says that it is there once in each, and the driver counts one. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    /** Enough for a worker that collects garbage, or gets no processor, for a while. */
    static final int MOST_INTERVALS = 12;

    private final AtomicInteger intervals = new AtomicInteger();
    private volatile boolean waiting;

    /** Waits from now on. */
    void begin() {
        intervals.set(0);
        waiting = true;
    }

    /** Has heard what it waited for. */
    void end() {
        waiting = false;
    }

    /** Counts an interval, if anybody waits; whether there have been too many. */
    boolean count() {
        return waiting && intervals.incrementAndGet() > MOST_INTERVALS;
    }
}
