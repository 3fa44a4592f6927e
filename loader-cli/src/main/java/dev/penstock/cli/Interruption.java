package dev.penstock.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C (or a polite kill) during a command that must clean up. At once it says that the command
 * is stopping and asks it to; then it keeps the process alive until the command has ended, so that
 * nothing half done stays behind. The process then ends with 130 (or 143), unless it was too late:
 * who is told that a load was interrupted may load again, and a server that has stopped has done
 * what it was to do. Where that takes long, as a server does not answer, a second Ctrl-C ends the
 * process at once.
 *
 * <p>Open one for the time of the command; {@link #close} when everything is cleaned up.
 */
final class Interruption implements AutoCloseable {
    /** Longest time that cleaning up may take; a store also cleans up when it is next opened. */
    private static final long GRACE_SECONDS = 60;

    /**
     * After these it is said that a second signal ends the process, and it does so. Not before:
     * some that hand signals on send them twice.
     */
    private static final long LONG_SECONDS = 2;

    /** How long what is said may take before it goes on without that. */
    private static final Duration WORDS = Duration.ofSeconds(1);

    /** A process is interrupted once, and says so once. */
    private static final AtomicBoolean SAID = new AtomicBoolean();

    /** The same of a second signal. */
    private static final AtomicBoolean OFFERED = new AtomicBoolean();

    /**
     * The end of a process that is ended at once.
     *
     * @param code its exit code; -1: that of the signal
     * @param words what is said of what it leaves
     */
    private record AtOnce(int code, String words) {}

    private final Console console;

    private volatile AtOnce atOnce;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean requested;

    /** Of a command that has come to its end; -1: it has not. */
    private volatile int exitCode = -1;

    private volatile Runnable cancel = () -> {};

    /**
     * @param left what to say of what a command leaves that is ended at once, after {@code ended at
     *     once; }
     * @throws TooLate if the process is ending already
     */
    Interruption(Console console, String left) {
        this.console = console;
        this.atOnce = new AtOnce(-1, left);
        this.hook = new Thread(this::interrupt, "interruption");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            throw new TooLate(e);
        }
    }

    /** The process has been interrupted before the command had begun: it ends without a word. */
    static final class TooLate extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLate(IllegalStateException cause) {
            super(cause);
        }
    }

    /** What to do when the user interrupts; returns quickly. */
    void cancels(Runnable action) {
        cancel = action;
        if (requested) {
            action.run();
        }
    }

    /** The command has done what it was to do, interrupted or not, and ends with this code. */
    void hasComeToItsEnd(int code) {
        exitCode = code;
    }

    /**
     * What matters is done, and cannot be undone; to tell of it, and to clean up, is still to come.
     *
     * @param code of a process that is ended at once
     * @param said in this case
     */
    void isDone(int code, String said) {
        atOnce = new AtOnce(code, said);
    }

    /** Whether the user has interrupted. */
    boolean requested() {
        return requested;
    }

    private void interrupt() {
        requested = true;
        try {
            if (SAID.compareAndSet(false, true)) {
                say("", "penstock: stopping ...");
            }
            cancel.run();
            if (!endsWithin(LONG_SECONDS)) {
                offerToEndAtOnce();
            }
            if (!endsWithin(GRACE_SECONDS - LONG_SECONDS)) {
                say("penstock: gave up waiting; the next start cleans up.");
            } else if (exitCode >= 0) {
                // The signal's own code would say that nothing was done.
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean endsWithin(long seconds) throws InterruptedException {
        return ended.await(seconds, TimeUnit.SECONDS);
    }

    private void offerToEndAtOnce() throws InterruptedException {
        if (OFFERED.compareAndSet(false, true) && LaterSignals.take(this::endAtOnce)) {
            say("", "penstock: waiting for what is under way; Ctrl-C or kill again ends at once.");
        }
    }

    private void endAtOnce(int signalCode) {
        AtOnce end = atOnce;
        int code = Math.max(exitCode, end.code());
        try {
            say("", "penstock: ended at once; " + end.words());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(code >= 0 ? code : signalCode);
        }
    }

    /** By a thread of its own: whoever reads standard error may have stopped. */
    private void say(String... lines) throws InterruptedException {
        Thread words =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            for (String line : lines) {
                                console.say(line);
                            }
                        });
        words.join(WORDS);
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, which is what the hook is for.
        }
    }
}
