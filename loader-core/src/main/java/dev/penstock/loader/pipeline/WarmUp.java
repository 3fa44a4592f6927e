package dev.penstock.loader.pipeline;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Leaves a processor to the JIT while this JVM's code is cold. Loader threads that run interpreted
 * code on every processor hold up the compiler that would make them several times as fast; on two
 * processors one thread alone reads the first part of an input in the same time as two do.
 *
 * <p>Some threads begin at once; the others, {@link #awaitTurn}, when the code is warm, when the
 * first ones have ended, or after {@link #MAX_HELD_NANOS}: they may be wanted because the first
 * ones wait for a slow region. Thread-safe.
 */
final class WarmUp {
    /** Text that this JVM has to have read until its code is warm. */
    static final long WARM_BYTES = 64L << 20;

    static final long MAX_HELD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Text that this JVM has read. */
    private static final AtomicLong READ_BYTES = new AtomicLong();

    private final int firstThreads;

    private final AtomicLong readBytes;

    // Guarded by this.
    private boolean held;

    WarmUp(int processors) {
        this(processors, READ_BYTES);
    }

    /**
     * @param readBytes text read so far, to be added to
     */
    WarmUp(int processors, AtomicLong readBytes) {
        this.firstThreads = Math.max(1, processors - 1);
        this.readBytes = readBytes;
        this.held = readBytes.get() < WARM_BYTES;
    }

    /** Text that this JVM has read until now. */
    static long readBytes() {
        return READ_BYTES.get();
    }

    /** Text has been worked through. */
    void add(long textBytes) {
        if (readBytes.addAndGet(textBytes) >= WARM_BYTES) {
            release();
        }
    }

    /** Lets all threads begin: a thread has ended, so there is no more to do, or it has failed. */
    synchronized void release() {
        held = false;
        notifyAll();
    }

    /**
     * Returns when the thread is to begin, or when it is interrupted.
     *
     * @param number of the thread, from 0
     */
    synchronized void awaitTurn(int number) {
        long start = System.nanoTime();
        long left = MAX_HELD_NANOS;
        while (number >= firstThreads && held && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            left = MAX_HELD_NANOS - (System.nanoTime() - start);
        }
    }
}
