package dev.penstock.kv.ingest;

import java.lang.management.ManagementFactory;

/**
 * Memory for fragments that wait to be merged, over all loads of a server. It is not of the heap.
 *
 * @param keptBytes from here on fragments go to files in the background
 * @param maxBytes from here on whoever brings a fragment writes others to files before it goes on.
 *     It may be exceeded by one fragment for each thread
 */
public record StagingLimits(long keptBytes, long maxBytes) {
    private static final long MEBIBYTE = 1 << 20;

    public StagingLimits {
        if (keptBytes < 0 || maxBytes < keptBytes) {
            throw new IllegalArgumentException(keptBytes + " of at most " + maxBytes);
        }
    }

    /**
     * An eighth of the machine's memory, and of that only little for long: memory that was not in
     * use costs more time than the disk, which is idle while fragments arrive.
     */
    public static StagingLimits forThisMachine() {
        return ofMemory(Math.clamp(machineBytes() / 8, 64 * MEBIBYTE, 2048 * MEBIBYTE));
    }

    /** At most so much memory, and of that only little for long. */
    public static StagingLimits ofMemory(long maxBytes) {
        return new StagingLimits(Math.min(maxBytes / 2, 64 * MEBIBYTE), maxBytes);
    }

    private static long machineBytes() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean machine
                ? machine.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }
}
