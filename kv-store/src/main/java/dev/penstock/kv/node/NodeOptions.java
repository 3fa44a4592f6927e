package dev.penstock.kv.node;

import dev.penstock.kv.ingest.StagingLimits;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What may differ from server to server and from test to test.
 *
 * @param flushBytes memory that the rows of one region may take before they go to a segment
 * @param rowMemoryBytes memory that the rows of all regions may take together before some go
 * @param mergesAtOnce merges that may run at a time, of loads and compactions together
 * @param staging memory for fragments that wait for their merge
 * @param receiptBytes heap for the rejects and named keys in receipts of loads that are not
 *     published yet, of all loads together
 * @param readerBytes heap for what is known of the segments that are not being read
 * @param maxSegments segment files that may be open when a load begins
 * @param snapshotRetention how long readers may stay at an epoch that is no longer the latest
 * @param compactionPeriod pause between looks for something to compact; zero: never by itself
 * @param unfinishedLoads how long loads wait to be resumed; zero: until somebody aborts them
 * @param clock for installation times
 * @param ids for servers and loads
 */
public record NodeOptions(
        long flushBytes,
        long rowMemoryBytes,
        int mergesAtOnce,
        StagingLimits staging,
        long receiptBytes,
        long readerBytes,
        int maxSegments,
        Duration snapshotRetention,
        Duration compactionPeriod,
        Duration unfinishedLoads,
        InstantSource clock,
        Supplier<UUID> ids) {
    /** Heap for each merge that runs beside another; one alone does with less. */
    private static final long MERGE_BYTES = 192L << 20;

    /** Receipts get half of the heap; the other half is for messages and merges. */
    private static final int RECEIPTS_SHARE = 2;

    /** Readers that nobody uses get little: a reader takes a millisecond to open. */
    private static final int READERS_SHARE = 8;

    private static final Path MAX_MAPPINGS = Path.of("/proc/sys/vm/max_map_count");

    /** What Linux has if nobody has changed it. */
    private static final long USUAL_MAPPINGS = 65_530;

    /**
     * Rows that wait to be flushed get an eighth of the heap: a flush needs up to as much again for
     * what it encodes, and there may be hundreds of regions, or 128 MiB of heap.
     */
    private static final int ROWS_SHARE = 8;

    public static NodeOptions defaults() {
        return new NodeOptions(
                64L << 20,
                Runtime.getRuntime().maxMemory() / ROWS_SHARE,
                mergesAtOnceHere(),
                StagingLimits.forThisMachine(),
                Runtime.getRuntime().maxMemory() / RECEIPTS_SHARE,
                Runtime.getRuntime().maxMemory() / READERS_SHARE,
                maxSegmentsHere(),
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ZERO,
                SteadyClock.ofThisMachine(),
                RandomIds::next);
    }

    /** One for each processor, as far as the heap has room for them. */
    private static int mergesAtOnceHere() {
        Runtime runtime = Runtime.getRuntime();
        long room = runtime.maxMemory() / MERGE_BYTES;
        return Math.clamp(Math.min(room, runtime.availableProcessors()), 1, 16);
    }

    /** Three quarters of the mappings that a process may have; the JVM needs some for itself. */
    private static int maxSegmentsHere() {
        long mappings = USUAL_MAPPINGS;
        // The kernel gives the number to the first read only, which must be of all its digits.
        try (BufferedReader file = Files.newBufferedReader(MAX_MAPPINGS)) {
            mappings = Long.parseLong(String.valueOf(file.readLine()));
        } catch (IOException | NumberFormatException e) {
            // Another system, or one that does not tell.
        }
        return (int) Math.min(mappings / 4 * 3, Integer.MAX_VALUE);
    }

    public NodeOptions withFlushBytes(long bytes) {
        return new NodeOptions(
                bytes,
                rowMemoryBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                maxSegments,
                snapshotRetention,
                compactionPeriod,
                unfinishedLoads,
                clock,
                ids);
    }

    public NodeOptions withCompactionPeriod(Duration period) {
        return new NodeOptions(
                flushBytes,
                rowMemoryBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                maxSegments,
                snapshotRetention,
                period,
                unfinishedLoads,
                clock,
                ids);
    }

    public NodeOptions withUnfinishedLoads(Duration period) {
        return new NodeOptions(
                flushBytes,
                rowMemoryBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                maxSegments,
                snapshotRetention,
                compactionPeriod,
                period,
                clock,
                ids);
    }

    public NodeOptions withStaging(StagingLimits limits) {
        return new NodeOptions(
                flushBytes,
                rowMemoryBytes,
                mergesAtOnce,
                limits,
                receiptBytes,
                readerBytes,
                maxSegments,
                snapshotRetention,
                compactionPeriod,
                unfinishedLoads,
                clock,
                ids);
    }

    public NodeOptions withClock(InstantSource newClock) {
        return new NodeOptions(
                flushBytes,
                rowMemoryBytes,
                mergesAtOnce,
                staging,
                receiptBytes,
                readerBytes,
                maxSegments,
                snapshotRetention,
                compactionPeriod,
                unfinishedLoads,
                newClock,
                ids);
    }
}
