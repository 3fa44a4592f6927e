package dev.penstock.kv.ingest;

/**
 * Memory for fragments that wait to be merged, over all loads of a server. It is not of the heap.
 *
 * @param keptBytes from here on fragments go to files in the background
 * @param maxBytes from here on whoever brings a fragment writes others to files before it goes on.
 *     It may be exceeded by one fragment for each thread
 * @param earlyBytes regions with so many bytes of fragments are merged as soon as they look
 *     complete, not only when the load ends; {@link #NEVER}: none is
 */
public record StagingLimits(long keptBytes, long maxBytes, long earlyBytes) {
    /** No region has so many bytes. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long MEBIBYTE = 1 << 20;

    /**
     * Read back at the end, what is beyond this keeps merges waiting: a shuffled GB has 190 MiB.
     */
    private static final long KEPT_BYTES = 256 * MEBIBYTE;

    /** With less, even many regions together are merged in no time when the load ends. */
    private static final long EARLY_BYTES = MEBIBYTE;

    /** What loader threads in the same process and a merge need together. */
    private static final long EARLY_HEAP_BYTES = 768 * MEBIBYTE;

    public StagingLimits {
        if (keptBytes < 0 || maxBytes < keptBytes) {
            throw new IllegalArgumentException(keptBytes + " of at most " + maxBytes);
        }
    }

    /** The same without early merges. */
    public StagingLimits(long keptBytes, long maxBytes) {
        this(keptBytes, maxBytes, NEVER);
    }

    /**
     * An eighth of the machine's memory, and of that only little for long: memory that was not in
     * use costs more time than the disk, which is idle while fragments arrive.
     */
    public static StagingLimits forThisMachine() {
        return ofMemory(Math.clamp(MachineMemory.bytes() / 8, 64 * MEBIBYTE, 2048 * MEBIBYTE));
    }

    /** At most so much memory, and of that only little for long. */
    public static StagingLimits ofMemory(long maxBytes) {
        return new StagingLimits(
                Math.min(maxBytes / 2, KEPT_BYTES), maxBytes, earlyBytesHere(maxBytes));
    }

    /** Sooner if there is little memory, which small loads fill too. */
    private static long earlyBytesHere(long maxBytes) {
        return Runtime.getRuntime().maxMemory() < EARLY_HEAP_BYTES
                ? NEVER
                : Math.min(EARLY_BYTES, maxBytes / 8);
    }
}
