package dev.penstock.loader.report;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Lists of rejects on their way to the rejects file: the first of them in memory, up to a budget,
 * all others in a temporary file. That is made when it is needed, beside the rejects file, and goes
 * when this is closed; where the system allows it, it has no name from the start, so that nothing
 * stays however the process ends. Not thread-safe.
 */
final class RejectPages implements AutoCloseable {
    /** Where a list is. */
    sealed interface Page {
        record InMemory(byte[] bytes) implements Page {}

        record InFile(long position, int length) implements Page {}
    }

    private final LocalDisk disk;
    private final Path folder;
    private final long memoryBytes;
    private long usedBytes;
    private long fileBytes;
    private @Nullable LocalFile file;
    private @Nullable PenstockException failure;

    /**
     * @param folder for the temporary file
     * @param memoryBytes that lists may take before there is a file
     */
    RejectPages(LocalDisk disk, Path folder, long memoryBytes) {
        this.disk = disk;
        this.folder = folder;
        this.memoryBytes = memoryBytes;
    }

    /**
     * Keeps a list, which must not be long: all of it is read back at once.
     *
     * @throws PenstockException of category IO if it cannot be kept; then nothing can be read
     */
    Page put(List<Reject> rejects) {
        checkIntact();
        ByteBuilder bytes = new ByteBuilder(256 * rejects.size());
        RejectCodec.put(rejects, bytes);
        if (usedBytes + bytes.length() <= memoryBytes) {
            usedBytes += bytes.length();
            return new Page.InMemory(bytes.toByteArray());
        }
        Page page = new Page.InFile(fileBytes, bytes.length());
        try {
            opened().write(bytes.array(), 0, bytes.length());
        } catch (IOException e) {
            throw failed(e);
        }
        fileBytes += bytes.length();
        return page;
    }

    List<Reject> get(Page page) {
        checkIntact();
        byte[] bytes =
                switch (page) {
                    case Page.InMemory kept -> kept.bytes();
                    case Page.InFile written -> read(written);
                };
        return RejectCodec.get(new ByteParser(bytes, "the temporary file of rejected records"));
    }

    /** Bytes that are in the file. */
    long fileBytes() {
        return fileBytes;
    }

    private byte[] read(Page.InFile page) {
        LocalFile open = file;
        if (open == null) {
            throw new IllegalStateException("the rejects have been let go of");
        }
        ByteBuffer buffer = ByteBuffer.allocate(page.length());
        try {
            open.read(buffer, page.position());
        } catch (IOException e) {
            throw failed(e);
        }
        return buffer.array();
    }

    private LocalFile opened() throws IOException {
        LocalFile open = file;
        if (open == null) {
            open = disk.createTemporary(folder, ".penstock-rejects", ".spool");
            file = open;
        }
        return open;
    }

    /** What was lost must not be missing from the rejects file without a word. */
    void checkIntact() {
        PenstockException before = failure;
        if (before != null) {
            throw new PenstockException(
                    before.category(), String.valueOf(before.getMessage()), before);
        }
    }

    private PenstockException failed(IOException e) {
        return lost(
                PenstockException.io(
                        "A temporary file for rejected records, in "
                                + folder.toAbsolutePath()
                                + ", could not be written: "
                                + LocalDisk.reason(e)
                                + "."
                                + RejectLog.NOTHING_VISIBLE,
                        e));
    }

    /** From now on nothing is kept or read, for a reason, which is returned. */
    PenstockException lost(PenstockException why) {
        failure = why;
        return why;
    }

    @Override
    public void close() {
        LocalFile open = file;
        file = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // What was in the file is written elsewhere, or is not to be written at all.
        }
    }
}
