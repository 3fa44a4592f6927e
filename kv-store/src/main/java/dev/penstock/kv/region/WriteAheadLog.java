package dev.penstock.kv.region;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kv.storage.LogWriter;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One write-ahead log file with group commit: threads that wait for the disk while another forces
 * find their records covered, or one of them forces for all. Thread-safe.
 */
final class WriteAheadLog implements AutoCloseable {
    private final LogWriter writer;
    private final ReentrantLock forcing = new ReentrantLock();

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
        forcing.lock();
        try {
            if (writer.forcedSequence() < sequence) {
                writer.force();
            }
        } finally {
            forcing.unlock();
        }
    }

    @Override
    public void close() {
        writer.close();
    }
}
