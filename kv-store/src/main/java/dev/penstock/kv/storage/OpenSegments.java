package dev.penstock.kv.storage;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.segment.SegmentReader;

import java.util.LinkedHashMap;

/**
 * The segment files that a server has open. It counts them, because each is a mapping, and a
 * process whose machine allows no more mappings dies. And it keeps their readers in heap between
 * uses: those that were used last, as many as fit. What a reader knows of its file grows with
 * columns and blocks, and a server has more files than heap for all of them; another reader is
 * opened when somebody needs one. Thread-safe.
 */
public final class OpenSegments {
    private final long maxReaderBytes;
    private final int maxFiles;

    // Guarded by this
    private final LinkedHashMap<SegmentFile, SegmentReader> readers =
            new LinkedHashMap<>(16, 0.75f, true);
    private long readerBytes;
    private int files;

    /**
     * Without any yet.
     *
     * @param maxReaderBytes of heap, by {@link SegmentReader#maxHeapBytes}; what users hold that is
     *     not kept is not counted
     * @param maxFiles with which loads are begun; a few more may be opened by what goes on
     */
    public OpenSegments(long maxReaderBytes, int maxFiles) {
        this.maxReaderBytes = maxReaderBytes;
        this.maxFiles = maxFiles;
    }

    synchronized void opened(SegmentFile file, SegmentReader reader) {
        files++;
        used(file, reader);
    }

    synchronized void closed(SegmentFile file) {
        files--;
        forget(file);
    }

    /** Keeps a reader that somebody uses; not one that would take the place of all others. */
    synchronized void used(SegmentFile file, SegmentReader reader) {
        if (readers.get(file) == reader || reader.maxHeapBytes() > maxReaderBytes) {
            return;
        }
        forget(file);
        readers.put(file, reader);
        readerBytes += reader.maxHeapBytes();
        var longestUnused = readers.values().iterator();
        while (readerBytes > maxReaderBytes) {
            readerBytes -= longestUnused.next().maxHeapBytes();
            longestUnused.remove();
        }
    }

    private void forget(SegmentFile file) {
        SegmentReader reader = readers.remove(file);
        if (reader != null) {
            readerBytes -= reader.maxHeapBytes();
        }
    }

    /**
     * Asked before a load that may add so many files.
     *
     * @throws PenstockException of category {@code LIMIT} if there are too many then
     */
    public synchronized void checkRoom(int more) {
        if (files + more > maxFiles) {
            throw new PenstockException(
                    ErrorCategory.LIMIT,
                    "The server has "
                            + files
                            + " segment files open, of at most "
                            + maxFiles
                            + ", and the load may add "
                            + more
                            + ". Drop tables that nobody needs, load into fewer regions, or let the"
                            + " server's machine have more mappings (sysctl vm.max_map_count),"
                            + " three quarters of which are for segment files.");
        }
    }

    /** Heap that the readers may take which are kept. */
    public synchronized long readerBytes() {
        return readerBytes;
    }

    /** Files that are open. */
    public synchronized int files() {
        return files;
    }
}
