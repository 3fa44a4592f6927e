package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.SumsCodec;
import dev.penstock.kv.storage.LoadLog;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.Storage;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

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

    private final LoadLog log;

    private FragmentLog(LoadLog log) {
        this.log = log;
    }

    /** Bytes of the log that a load has in a folder of its own; 0 if there is none. */
    static long bytes(Storage storage, Path folder) {
        Path path = path(folder);
        try {
            return storage.exists(path) ? storage.size(path) : 0;
        } catch (PenstockException e) {
            return 0; // It has just gone, with its load.
        }
    }

    private static Path path(Path folder) {
        return folder.resolve("fragments");
    }

    /**
     * Reads the log of a load and goes on with it, or makes one if there is none.
     *
     * @param folder of the load, which is made if it is missing
     * @throws PenstockException of category {@code CORRUPT} if something that was forced is damaged
     */
    static FragmentLog open(Storage storage, Path folder, String loadId, Consumer consumer) {
        Path path = path(folder);
        return new FragmentLog(
                LoadLog.open(
                        storage,
                        path,
                        LogKind.FRAGMENTS,
                        loadId,
                        (sequence, payload) ->
                                consumer.fragment(
                                        entry(payload, "record " + sequence + " of " + path))));
    }

    /** Reads back what {@link #append} wrote. */
    static Entry entry(byte[] payload, String name) {
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
        putHead(chunkId, regionId, rowCount, sums, rejects, head);
        log.append(head.array(), head.length(), image, length);
    }

    /** What stands before a fragment's image. */
    static void putHead(
            int chunkId,
            long regionId,
            int rowCount,
            ColumnSums sums,
            List<Reject> rejects,
            ByteBuilder head) {
        head.putInt(chunkId).putLong(regionId).putInt(rowCount);
        SumsCodec.put(sums, head);
        RejectCodec.put(rejects, head);
    }

    /** Whether a write has failed for good, so that the log has to be opened anew. */
    boolean isBroken() {
        return log.isBroken();
    }

    /** What was appended before survives on return. */
    void force() {
        log.force();
    }

    @Override
    public void close() {
        log.close();
    }
}
