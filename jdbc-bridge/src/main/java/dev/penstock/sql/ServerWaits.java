package dev.penstock.sql;

import org.jspecify.annotations.Nullable;

/**
 * How the thread of a statement that is stopped is kept from waiting for a server any longer: it is
 * interrupted while it plans or reads. Not while it changes rows, as nobody would know then how
 * many it has changed, and not where the store is in this process, as that would close its files.
 * Thread-safe.
 */
public final class ServerWaits {
    /** Those of the statement that the thread runs. */
    private static final ThreadLocal<@Nullable ServerWaits> RUNNING = new ThreadLocal<>();

    private final boolean remote;
    private @Nullable Thread waiting;
    private boolean changing;

    /** Since the statement began. */
    private boolean stopped;

    /** The same, and a thread was interrupted for that. */
    private boolean ended;

    /** The thread has been interrupted, and may still be. */
    private boolean interrupted;

    /**
     * Of a statement.
     *
     * @param remote whether its store is on servers
     */
    public ServerWaits(boolean remote) {
        this.remote = remote;
    }

    /** The statement begins to run: nobody has stopped it yet. */
    public synchronized void begin() {
        stopped = false;
        ended = false;
    }

    /**
     * From here on to {@link #leave} the thread may be interrupted; false if nobody interrupts it,
     * or another one of the statement instead: then it is not to leave.
     */
    public boolean enter() {
        return remote && entered();
    }

    private synchronized boolean entered() {
        if (waiting != null) {
            return false;
        }
        waiting = Thread.currentThread();
        RUNNING.set(this);
        interruptIfStopped();
        return true;
    }

    /** From here on nobody is interrupted; who was, by this, is no more. */
    public synchronized void leave() {
        waiting = null;
        RUNNING.remove();
        clear();
    }

    /**
     * Ends the wait for a server, if there is one that may be ended, or the next. By any thread.
     */
    public synchronized void end() {
        stopped = true;
        interruptIfStopped();
    }

    private void interruptIfStopped() {
        Thread thread = waiting;
        if (stopped && !changing && thread != null) {
            ended = true;
            interrupted = true;
            thread.interrupt();
        }
    }

    @SuppressWarnings("ThreadInterrupted") // clears what was set here
    private void clear() {
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
    }

    /** Whether a wait was ended since the statement began. */
    public synchronized boolean wereEnded() {
        return ended;
    }

    /** Runs what changes rows, or gives up a change, and is not to be interrupted. */
    static void uninterrupted(Runnable change) {
        ServerWaits own = RUNNING.get();
        if (own == null) {
            change.run();
            return;
        }
        own.beginChange();
        try {
            change.run();
        } finally {
            own.endChange();
        }
    }

    private synchronized void beginChange() {
        changing = true;
        clear();
    }

    private synchronized void endChange() {
        changing = false;
        interruptIfStopped();
    }
}
