package dev.penstock.kv.ingest;

import dev.penstock.kv.storage.BlockFile;
import dev.penstock.kv.storage.MappedFile;
import dev.penstock.kv.storage.Storage;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The file of a {@link Staging}, which is made when something is written to it, and can be mapped
 * when nothing is any more. Guarded by its staging, but for {@link #bytes} of what is mapped.
 */
final class StagedFile {
    private final Storage storage;
    private final Path path;
    private @Nullable BlockFile file;
    private @Nullable MappedFile mapped;

    StagedFile(Storage storage, Path path) {
        this.storage = storage;
        this.path = path;
    }

    /**
     * To be written to; made if it is not there, and its folder too.
     *
     * @throws dev.penstock.error.PenstockException if it cannot be made
     */
    BlockFile made() {
        BlockFile open = file;
        if (open == null) {
            Path folder = path.getParent();
            if (folder != null) {
                storage.createDirectories(folder);
            }
            open = storage.createBlocks(path);
            file = open;
        }
        return open;
    }

    /** To be read from; something has been written to it. */
    BlockFile written() {
        BlockFile open = file;
        if (open == null) {
            throw new IllegalStateException(path + " is not open");
        }
        return open;
    }

    /** Makes whatever is in it readable by {@link #bytes}. */
    void map() {
        if (mapped == null) {
            mapped = storage.map(path);
        }
    }

    boolean isMapped() {
        return mapped != null;
    }

    MemorySegment bytes(long position, int length) {
        MappedFile map = mapped;
        if (map == null) {
            throw new IllegalStateException(path + " is not loaded");
        }
        return map.bytes().asSlice(position, length);
    }

    /**
     * Removes it; it may be made again.
     *
     * @throws dev.penstock.error.PenstockException if it is closed, but stays
     */
    void remove() {
        MappedFile map = mapped;
        mapped = null;
        if (map != null) {
            map.close();
        }
        BlockFile open = file;
        if (open != null) {
            file = null;
            open.close();
            storage.delete(path);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
