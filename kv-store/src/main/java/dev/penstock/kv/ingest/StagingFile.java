package dev.penstock.kv.ingest;

import dev.penstock.kv.storage.MappedFile;
import dev.penstock.kv.storage.Storage;
import dev.penstock.kv.storage.StorageFile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Fragments of one region of one load, one after the other in a file. Not forced: if the server
 * stops, the load has to begin again. Owned by its intake's lock.
 */
final class StagingFile implements AutoCloseable {
    /** Where one fragment lies. */
    record Part(int chunkId, long offset, int length) {}

    private final Storage storage;
    private final Path path;
    private final StorageFile file;
    private final List<Part> parts = new ArrayList<>();

    StagingFile(Storage storage, Path path) {
        this.storage = storage;
        this.path = path;
        this.file = storage.create(path);
    }

    /** Appends a fragment; of one that fails nothing stays. */
    void append(int chunkId, byte[] bytes, int length) {
        long offset = file.position();
        try {
            file.write(bytes, 0, length);
        } catch (RuntimeException e) {
            file.cutBack(offset);
            throw e;
        }
        parts.add(new Part(chunkId, offset, length));
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    int partCount() {
        return parts.size();
    }

    long bytes() {
        return file.position();
    }

    MappedFile map() {
        return storage.map(path);
    }

    /** Closes and removes the file. */
    @Override
    public void close() {
        file.close();
        storage.delete(path);
    }
}
