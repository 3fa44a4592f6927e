package dev.penstock.kv.ingest;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.PenstockException;
import dev.penstock.step.ChunkInFile;
import dev.penstock.target.FragmentAck.Outcome;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads chunks of text where they are, in files of this machine that somebody else owns. A file
 * that is not the one that is meant, or is not as long any more, is its loader's matter, which says
 * what is wrong with it: whatever goes wrong here, the chunk is {@link AnsweredRejects.Declined}.
 * Owned by one thread, which opens one file at a time.
 */
final class TextFileReader implements AutoCloseable {
    /** Made when there is something to read. */
    private @Nullable PositionalReader reader;

    private @Nullable FileChannel open;

    /** Opens a chunk's file, if it is the one. */
    void open(ChunkInFile chunk) {
        try {
            Path path = Path.of(chunk.path());
            // A pipe in its place would never open.
            check(path, chunk);
            open = FileChannel.open(path, StandardOpenOption.READ);
            if (reader == null) {
                reader = new PositionalReader();
            }
        } catch (IOException | InvalidPathException e) {
            throw declined();
        }
    }

    /** Reads bytes of the open file. */
    void read(ChunkInFile chunk, long position, byte[] target, int offset, int length) {
        PositionalReader reading = reader;
        FileChannel file = open;
        if (reading == null || file == null) {
            throw PenstockException.internal("no file is open");
        }
        try {
            if (reading.read(file, chunk.path(), position, target, offset, length) < length) {
                throw declined();
            }
        } catch (PenstockException e) {
            throw declined();
        }
    }

    /** What was opened may have become another file's path before it was. */
    void checkStill(ChunkInFile chunk) {
        try {
            check(Path.of(chunk.path()), chunk);
        } catch (IOException e) {
            throw declined();
        }
    }

    private static void check(Path path, ChunkInFile chunk) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        boolean meant =
                now.isRegularFile()
                        && now.size() == chunk.fileBytes()
                        && now.fileKey() != null
                        && now.fileKey().toString().equals(chunk.key());
        if (!meant) {
            throw declined();
        }
    }

    private static AnsweredRejects.Declined declined() {
        return new AnsweredRejects.Declined("the text is not in its file", Outcome.UNREAD);
    }

    /** Closes the open file, if there is one. */
    @Override
    public void close() {
        FileChannel file = open;
        open = null;
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // Nothing was written to it.
        }
    }
}
