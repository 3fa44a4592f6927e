package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteSink;
import dev.penstock.error.PenstockException;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.step.Merge;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the segments of one merge as files. They and their names are durable after {@link
 * #finish}; {@link #discard} removes all of them. The merge waits for the disk as late as it can:
 * what a file does not force by itself on the way is forced when some more files are complete. One
 * thread at a time.
 */
public final class SegmentOutput implements Merge.Output {
    private static final int MAX_UNFORCED = 4;

    private final Storage storage;
    private final RegionFiles files;
    private final String prefix;
    private final List<SegmentDescriptor> segments = new ArrayList<>();
    private final ArrayDeque<StorageFile> unforced = new ArrayDeque<>();
    private @Nullable FileSink current;

    public SegmentOutput(Storage storage, RegionFiles files, String prefix) {
        this.storage = storage;
        this.files = files;
        this.prefix = prefix;
    }

    private String name(int ordinal) {
        return prefix + "-" + ordinal + ".seg";
    }

    @Override
    public ByteSink open(int ordinal) {
        Path path = files.segment(name(ordinal));
        storage.delete(path);
        FileSink sink = new FileSink(storage.createBulk(path));
        current = sink;
        return sink;
    }

    @Override
    public void close(int ordinal, SegmentSummary summary) {
        FileSink sink = current;
        if (sink == null) {
            throw new IllegalStateException("no segment is open");
        }
        unforced.addLast(sink.file);
        current = null;
        segments.add(
                new SegmentDescriptor(
                        name(ordinal), summary.bytes(), summary.rowCount(), summary.sums()));
        if (unforced.size() > MAX_UNFORCED) {
            forceOldest();
        }
    }

    private void forceOldest() {
        try (StorageFile file = unforced.removeFirst()) {
            file.force();
        }
    }

    /** Makes the files and their names durable and returns them in key order. */
    public List<SegmentDescriptor> finish() {
        while (!unforced.isEmpty()) {
            forceOldest();
        }
        if (!segments.isEmpty()) {
            storage.forceDirectory(files.directory());
        }
        return List.copyOf(segments);
    }

    /** Removes whatever was written. */
    public void discard() {
        FileSink sink = current;
        if (sink != null) {
            current = null;
            unforced.addLast(sink.file);
            segments.add(new SegmentDescriptor(name(segments.size()), 0, 0));
        }
        unforced.forEach(SegmentOutput::closeUnwanted);
        unforced.clear();
        deleteAll();
    }

    /** Of a file that goes, it is of no interest what could not be written. */
    private static void closeUnwanted(StorageFile file) {
        try {
            file.close();
        } catch (PenstockException e) {
            // Whoever discards knows of a failure already, or gives up for a reason of its own.
        }
    }

    private void deleteAll() {
        for (SegmentDescriptor segment : segments) {
            storage.delete(files.segment(segment.name()));
        }
        segments.clear();
    }

    /** The end of a file, which gathers small writes itself. */
    private record FileSink(StorageFile file) implements ByteSink {
        @Override
        public void write(byte[] bytes, int offset, int count) {
            file.write(bytes, offset, count);
        }

        @Override
        public long position() {
            return file.position();
        }
    }
}
