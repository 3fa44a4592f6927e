package dev.penstock.kv.region;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kv.storage.LogWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One write-ahead log file with group commit: of the threads whose records are to be durable one
 * forces for all that have appended; meanwhile the others wait. When it is done, all whose records
 * are covered go on at once, and one of the others forces next. Thread-safe.
 */
final class WriteAheadLog implements AutoCloseable {
    private final LogWriter writer;

    /** Guards what follows. */
    private final Object monitor = new Object();

    private List<Waiter> waiters = new ArrayList<>();
    private boolean forcing;

    /** A thread that waits while another forces. */
    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private final long sequence;
        private volatile boolean woken;

        Waiter(long sequence) {
            this.sequence = sequence;
        }

        /** Even when interrupted: what was appended will be durable. */
        void await() {
            boolean interrupted = false;
            while (!woken) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                thread.interrupt();
            }
        }

        void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    WriteAheadLog(LogWriter writer) {
        this.writer = writer;
    }

    /** Appends a record; it counts only after {@link #commit}. */
    long append(WriteOperation operation) {
        ByteBuilder payload = new ByteBuilder(512);
        operation.put(payload);
        return writer.append(payload.array(), payload.length());
    }

    /** Returns when the record is durable. */
    void commit(long sequence) {
        while (writer.forcedSequence() < sequence) {
            Waiter waiter = waitOrLead(sequence);
            if (waiter == null) {
                lead();
            } else {
                waiter.await();
            }
        }
    }

    /** Null if nobody forces: then the caller does. */
    private @Nullable Waiter waitOrLead(long sequence) {
        synchronized (monitor) {
            if (!forcing) {
                forcing = true;
                return null;
            }
            Waiter waiter = new Waiter(sequence);
            waiters.add(waiter);
            return waiter;
        }
    }

    private void lead() {
        try {
            writer.force();
        } finally {
            after(writer.forcedSequence()).forEach(Waiter::wake);
        }
    }

    /** Who goes on after a force, successful or not: the covered ones and one to force next. */
    private List<Waiter> after(long forced) {
        List<Waiter> awake = new ArrayList<>();
        synchronized (monitor) {
            forcing = false;
            List<Waiter> left = new ArrayList<>();
            boolean led = false;
            for (Waiter waiter : waiters) {
                if (waiter.sequence <= forced || !led) {
                    led |= waiter.sequence > forced;
                    awake.add(waiter);
                } else {
                    left.add(waiter);
                }
            }
            waiters = left;
        }
        return awake;
    }

    @Override
    public void close() {
        writer.close();
    }
}
