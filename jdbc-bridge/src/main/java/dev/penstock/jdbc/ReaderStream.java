package dev.penstock.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** The characters of a reader as UTF-8; half a surrogate pair is a failure. Of one thread. */
final class ReaderStream extends InputStream {
    private static final int CHARS = 16 << 10;

    private final Reader reader;
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final CharBuffer characters = CharBuffer.allocate(CHARS).flip();
    private final ByteBuffer bytes = ByteBuffer.allocate(3 * CHARS).flip();
    private boolean ended;

    ReaderStream(Reader reader) {
        this.reader = reader;
    }

    @Override
    public int read() throws IOException {
        return fill() ? bytes.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(target, offset, count);
        return count;
    }

    /** Whether there is a byte. */
    private boolean fill() throws IOException {
        while (!bytes.hasRemaining() && !ended) {
            characters.compact();
            ended = reader.read(characters) < 0;
            characters.flip();
            bytes.clear();
            CoderResult result = encoder.encode(characters, bytes, ended);
            if (result.isError()) {
                result.throwException();
            }
            if (ended) {
                encoder.flush(bytes);
            }
            bytes.flip();
        }
        return bytes.hasRemaining();
    }
}
