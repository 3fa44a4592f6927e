package dev.penstock.loader.file;

import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads ranges of files into arrays through one reused direct buffer, which stays in the
 * second-level cache between the two copies. Owned by one thread.
 */
public final class PositionalReader {
    private static final int BUFFER_BYTES = 512 << 10;

    private final ByteBuffer buffer;

    public PositionalReader() {
        this(BUFFER_BYTES);
    }

    /** For one who reads little. */
    PositionalReader(int bufferBytes) {
        buffer = ByteBuffer.allocateDirect(bufferBytes);
    }

    /** Reads {@code length} bytes, fewer only at the end of the file. */
    public int read(
            FileChannel channel,
            String name,
            long position,
            byte[] target,
            int offset,
            int length) {
        int done = 0;
        try {
            while (done < length) {
                buffer.clear().limit(Math.min(buffer.capacity(), length - done));
                int read = channel.read(buffer, position + done);
                if (read < 0) {
                    break;
                }
                buffer.flip().get(target, offset + done, read);
                done += read;
            }
            return done;
        } catch (IOException e) {
            throw PenstockException.io(
                    "Reading " + name + " at byte " + (position + done) + " failed: " + e, e);
        }
    }
}
