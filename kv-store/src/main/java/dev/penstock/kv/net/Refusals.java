package dev.penstock.kv.net;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Notes what was refused, a line a second at most, so that nobody can fill a log. Thread-safe. */
final class Refusals {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<String> log;
    private final LongSupplier nanos;
    private long lastNanos;
    private long untold;

    /**
     * @param nanos a clock as {@link System#nanoTime} is one
     */
    Refusals(Consumer<String> log, LongSupplier nanos) {
        this.log = log;
        this.nanos = nanos;
        this.lastNanos = nanos.getAsLong() - PAUSE_NANOS;
    }

    void add(String line) {
        String told;
        synchronized (this) {
            long now = nanos.getAsLong();
            if (now - lastNanos < PAUSE_NANOS) {
                untold++;
                return;
            }
            told = untold == 0 ? line : line + "; " + untold + " more since the last such line";
            untold = 0;
            lastNanos = now;
        }
        log.accept(told);
    }
}
