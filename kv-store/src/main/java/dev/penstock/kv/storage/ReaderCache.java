package dev.penstock.kv.storage;

import dev.penstock.segment.SegmentReader;

import java.util.LinkedHashMap;

/**
 * Keeps the readers of a server's segment files in heap between uses: those that were used last, as
 * many as fit. What a reader knows of its file grows with columns and blocks, and a server has more
 * files than heap for all of them; another reader is opened when somebody needs one. Thread-safe.
 */
public final class ReaderCache {
    private final long maxBytes;

    // Guarded by this
    private final LinkedHashMap<SegmentFile, SegmentReader> readers =
            new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /**
     * @param maxBytes of heap, by {@link SegmentReader#maxHeapBytes}; what users hold that is not
     *     kept is not counted
     */
    public ReaderCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Keeps a reader that somebody uses; not one that would take the place of all others. */
    synchronized void used(SegmentFile file, SegmentReader reader) {
        if (readers.get(file) == reader || reader.maxHeapBytes() > maxBytes) {
            return;
        }
        forget(file);
        readers.put(file, reader);
        bytes += reader.maxHeapBytes();
        var longestUnused = readers.values().iterator();
        while (bytes > maxBytes) {
            bytes -= longestUnused.next().maxHeapBytes();
            longestUnused.remove();
        }
    }

    synchronized void forget(SegmentFile file) {
        SegmentReader reader = readers.remove(file);
        if (reader != null) {
            bytes -= reader.maxHeapBytes();
        }
    }

    /** Heap that the readers may take. */
    public synchronized long bytes() {
        return bytes;
    }
}
