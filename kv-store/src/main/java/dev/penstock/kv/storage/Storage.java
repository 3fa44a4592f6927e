package dev.penstock.kv.storage;

import dev.penstock.bytes.MemoryCopy;

import java.nio.file.Path;
import java.util.List;

/**
 * The only way to the disk, small enough to be replaced by one that fails on a schedule.
 * Thread-safe.
 *
 * <p>Created and deleted files are durable after {@link #forceDirectory} of their folder; written
 * bytes after {@link StorageFile#force}. After one failed force nothing can be known about what the
 * disk holds (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC'20), so
 * from then on every write and force fails until the process starts again.
 *
 * <p>Every call fails with category {@code IO} and a message that names the file.
 */
public interface Storage {
    /** Creates a file that does not exist yet. */
    StorageFile create(Path file);

    /**
     * Creates a file that does not exist yet, for many bytes: they go to the disk while more are
     * appended, past the page cache where the file system can, the last when it is forced or
     * closed. It cannot be cut back.
     */
    StorageFile createBulk(Path file);

    /** Creates a file of blocks that does not exist yet. */
    BlockFile createBlocks(Path file);

    /** Opens an existing file to append to it. */
    StorageFile append(Path file);

    /** The contents of a small file; refused as corrupt if it is longer than the bound. */
    byte[] read(Path file, int maxBytes);

    /** The whole file as memory. */
    MappedFile map(Path file);

    /**
     * Fills the target with a few bytes of a file, and has the disk read no others: the first touch
     * of mapped memory would have it read megabytes around it.
     */
    default void read(Path file, long position, byte[] target) {
        try (MappedFile mapped = map(file)) {
            MemoryCopy.read(mapped.bytes(), position, target);
        }
    }

    long size(Path file);

    boolean exists(Path file);

    /** Cuts a file; durable on return. */
    void truncate(Path file, long length);

    /**
     * Writes bytes of a file once more, as they are, to where they are, and forces them: a plain
     * force would not do if an earlier one had failed, since systems then take for written what is
     * only in memory. Takes no room where files are written in place. Durable on return.
     *
     * @param from first byte
     * @param to end of the bytes
     */
    void rewrite(Path file, long from, long to);

    /**
     * Renames a file within its folder, replacing what has that name, at one instant; durable on
     * return. If only that fails, nothing is written any more: whoever went on with the file that
     * was replaced would write to one without a name.
     */
    void rename(Path from, Path to);

    /** Deletes a file if it exists. */
    void delete(Path file);

    /** Deletes a folder with all that is in it, if it exists. */
    void deleteTree(Path directory);

    /** What is in a folder, by name; nothing if it does not exist. */
    List<Path> list(Path directory);

    /** Creates a folder and its missing parents; durable on return. */
    void createDirectories(Path directory);

    /** Creates a folder in one that exists, unless it is there. */
    void makeDirectory(Path directory);

    void forceDirectory(Path directory);

    /** Bytes that can still be written, as the file system says; 0 if it says nothing. */
    long freeBytes(Path directory);

    /** What failed here and nobody waits for. */
    QuietFailures quietFailures();
}
