package dev.penstock.kv.ingest;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.PenstockException;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.ChunkText;
import dev.penstock.step.Deserialize;

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
 * what is wrong with it. Owned by one thread; keeps its memory for the next chunk.
 */
final class TextFileReader {
    /** Made when there is something to read. */
    private @Nullable PositionalReader reader;

    private byte[] payload = new byte[0];

    /**
     * Reads a chunk.
     *
     * @return an array that begins with the payload of the {@link ChunkText}, and has what parsing
     *     reads past its end; valid until the next chunk
     * @throws AnsweredRejects.Declined if the text is not there
     */
    byte[] read(ChunkInFile chunk) {
        ChunkText text = chunk.text();
        int needed = text.payloadLength() + Deserialize.PADDING;
        if (payload.length < needed) {
            payload = new byte[needed];
        }
        if (!isRead(chunk)) {
            throw new AnsweredRejects.Declined("the text is not in its file");
        }
        System.arraycopy(text.trailer(), 0, payload, text.length(), ChunkText.TRAILER_BYTES);
        return payload;
    }

    private boolean isRead(ChunkInFile chunk) {
        int length = chunk.text().length();
        try {
            Path path = Path.of(chunk.path());
            if (!isMeant(path, chunk)) {
                return false;
            }
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
                long position = chunk.text().position();
                int read = reader().read(file, chunk.path(), position, payload, 0, length);
                return read == length && isMeant(path, chunk);
            }
        } catch (IOException | InvalidPathException | PenstockException e) {
            return false;
        }
    }

    private PositionalReader reader() {
        PositionalReader made = reader;
        if (made == null) {
            made = new PositionalReader();
            reader = made;
        }
        return made;
    }

    /** A pipe in its place would never open, and what has its path may be another file. */
    private static boolean isMeant(Path path, ChunkInFile chunk) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return now.isRegularFile()
                && now.size() == chunk.fileBytes()
                && now.fileKey() != null
                && now.fileKey().toString().equals(chunk.key());
    }
}
