package dev.penstock.kv.node;

import dev.penstock.kv.ingest.StagingLimits;

import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What may differ from server to server and from test to test.
 *
 * @param flushBytes memory that the rows of one region may take before they go to a segment
 * @param mergesAtOnce merges that may run at a time, of loads and compactions together
 * @param staging memory for fragments that wait for their merge
 * @param receiptBytes heap for the rejects and named keys in receipts of loads that are not
 *     published yet, of all loads together
 * @param readerBytes heap for what is known of the segments that are not being read
 * @param snapshotRetention how long readers may stay at an epoch that is no longer the latest
 * @param compactionPeriod pause between looks for something to compact; zero: never by itself
 * @param unfinishedLoads how long loads wait to be resumed; zero: until somebody aborts them
 * @param clock for installation times
 * @param ids for servers and loads
 */
public record NodeOptions(
        long flushBytes,
        int mergesAtOnce,
        StagingLimits staging,
        long receiptBytes,
        long readerBytes,
        Duration snapshotRetention,
        Duration compactionPeriod,
        Duration unfinishedLoads,
        InstantSource clock,
        Supplier<UUID> ids) {
    /** Heap that a merge may need. */
    private static final long MERGE_BYTES = 192L << 20;

    /** Receipts get half of the heap; the other half is for messages and merges. */
    private static final int RECEIPTS_SHARE = 2;

    /** Readers that nobody uses get little: a reader takes a millisecond to open. */
    private static final int READERS_SHARE = 8;

    public static NodeOptions defaults() {
        return new NodeOptions(
                64L << 20,
                mergesAtOnceHere(),
                StagingLimits.forThisMachine(),
                Runtime.getRuntime().maxMemory() / RECEIPTS_SHARE,
                Runtime.getRuntime().maxMemory() / READERS_SHARE,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ZERO,
                InstantSource.system(),
                UUID::randomUUID);
    }

    /** One for each processor, as far as the heap has room for their columns. */
    private static int mergesAtOnceHere() {
        Runtime runtime = Runtime.getRuntime();
        long room = runtime.maxMemory() / MERGE_BYTES;
        return Math.clamp(Math.min(room, runtime.availableProcessors()), 2, 16);
    }

    public NodeOptions withFlushBytes(long bytes) {
        return new NodeOptions(
                bytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                snapshotRetention,
                compactionPeriod,
                unfinishedLoads,
                clock,
                ids);
    }

    public NodeOptions withCompactionPeriod(Duration period) {
        return new NodeOptions(
                flushBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                snapshotRetention,
                period,
                unfinishedLoads,
                clock,
                ids);
    }

    public NodeOptions withUnfinishedLoads(Duration period) {
        return new NodeOptions(
                flushBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                snapshotRetention,
                compactionPeriod,
                period,
                clock,
                ids);
    }

    public NodeOptions withStaging(StagingLimits limits) {
        return new NodeOptions(
                flushBytes,
                mergesAtOnce,
                limits,
                receiptBytes,
                readerBytes,
                snapshotRetention,
                compactionPeriod,
                unfinishedLoads,
                clock,
                ids);
    }

    public NodeOptions withClock(InstantSource newClock) {
        return new NodeOptions(
                flushBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                snapshotRetention,
                compactionPeriod,
                unfinishedLoads,
                newClock,
                ids);
    }
}
