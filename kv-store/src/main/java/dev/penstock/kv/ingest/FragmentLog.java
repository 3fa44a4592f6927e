package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.SumsCodec;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogReader;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.Storage;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one server has taken of a load that can be resumed, all its regions in one log, so that one
 * force makes it durable. A fragment is appended before it is staged: what is staged is in the log,
 * perhaps twice if staging failed in between, and whoever reads the log takes the first.
 *
 * <p>Acknowledging a fragment promises nothing; {@link #force} does. Threads that force at the same
 * time share one force. Thread-safe.
 */
final class FragmentLog implements AutoCloseable {
    /** One fragment as it was staged, with the sums of its rows as they were parsed. */
    record Entry(
            int chunkId,
            long regionId,
            int rowCount,
            ColumnSums sums,
            List<Reject> rejects,
            byte[] image) {}

    /** Takes what a log holds, in its order. */
    @FunctionalInterface
    interface Consumer {
        void fragment(Entry entry);
    }

    private final LogWriter writer;
    private final ReentrantLock forcing = new ReentrantLock();

    /** Guarded by {@link #forcing}. */
    private boolean closed;

    private FragmentLog(LogWriter writer) {
        this.writer = writer;
    }

    /**
     * Reads the log of a load and goes on with it, or makes one if there is none.
     *
     * @param folder of the load, which is made if it is missing
     * @throws PenstockException of category {@code CORRUPT} if something that was forced is damaged
     */
    static FragmentLog open(Storage storage, Path folder, String loadId, Consumer consumer) {
        Path path = folder.resolve("fragments");
        long identity = identity(loadId);
        if (!storage.exists(path)) {
            storage.createDirectories(folder);
            return new FragmentLog(LogWriter.create(storage, path, LogKind.FRAGMENTS, identity));
        }
        LogReader.Outcome outcome =
                LogReader.recover(
                        storage,
                        path,
                        LogKind.FRAGMENTS,
                        identity,
                        (sequence, payload) ->
                                consumer.fragment(
                                        entry(payload, "record " + sequence + " of " + path)));
        return new FragmentLog(
                LogWriter.resume(
                        storage, path, LogKind.FRAGMENTS, identity, outcome.lastSequence()));
    }

    private static long identity(String loadId) {
        UUID id = UUID.fromString(loadId);
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }

    private static Entry entry(byte[] payload, String name) {
        ByteParser in = new ByteParser(payload, name);
        int chunkId = in.getInt();
        long regionId = in.getLong();
        int rowCount = in.getInt();
        ColumnSums sums = SumsCodec.get(in);
        List<Reject> rejects = RejectCodec.get(in);
        return new Entry(
                chunkId,
                regionId,
                rowCount,
                sums,
                rejects,
                Arrays.copyOfRange(payload, in.position(), payload.length));
    }

    void append(
            int chunkId,
            long regionId,
            int rowCount,
            ColumnSums sums,
            List<Reject> rejects,
            byte[] image,
            int length) {
        ByteBuilder head = new ByteBuilder(64);
        head.putInt(chunkId).putLong(regionId).putInt(rowCount);
        SumsCodec.put(sums, head);
        RejectCodec.put(rejects, head);
        writer.append(head.array(), head.length(), image, length);
    }

    /** What was appended before survives on return. */
    void force() {
        long wanted = writer.lastSequence();
        forcing.lock();
        try {
            if (closed) {
                throw PenstockException.conflict("the load has ended on this server");
            }
            if (writer.forcedSequence() < wanted) {
                writer.force();
            }
        } finally {
            forcing.unlock();
        }
    }

    @Override
    public void close() {
        forcing.lock();
        try {
            closed = true;
            writer.close();
        } finally {
            forcing.unlock();
        }
    }
}
