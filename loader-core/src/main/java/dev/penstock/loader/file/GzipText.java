package dev.penstock.loader.file;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The text of a gzip file of one or more members. The JDK's stream takes whatever follows a member
 * and is no whole header for the end of the file; here that is an error, because it may have been
 * the header of a member, and its rows would be lost without a word.
 */
final class GzipText extends GZIPInputStream {
    /** A checksum and a length end each member. */
    private static final int TRAILER_BYTES = 8;

    private final CountingStream stored;

    /** What the decoder's buffer has been filled with so far. */
    private long filledBytes;

    private GzipText(CountingStream stored, int bufferBytes) throws IOException {
        super(stored, bufferBytes);
        this.stored = stored;
    }

    static GzipText of(InputStream stored, int bufferBytes) throws IOException {
        return new GzipText(new CountingStream(stored), bufferBytes);
    }

    @Override
    protected void fill() throws IOException {
        super.fill();
        filledBytes = stored.count();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = super.read(target, offset, length);
        if (read < 0 && stored.count() != lastMemberEnd()) {
            throw new ZipException("after its end comes something that is not gzip");
        }
        return read;
    }

    /** Where the last member ends, after all of its text has been read. */
    private long lastMemberEnd() {
        return filledBytes - inf.getRemaining() + TRAILER_BYTES;
    }
}
