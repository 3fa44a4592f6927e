package dev.penstock.loader.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * The text of a gzip file of one or more members, by the letter of RFC 1952. The JDK's own stream
 * takes whatever follows a member and is no whole header for the end of the file, and flags that
 * nobody has defined for none: rows would be lost without a word. Here both are errors.
 *
 * <p>Reads a header, then deflated bytes up to their end, then the trailer, and begins again if
 * there are more bytes. Owned by one thread.
 */
final class GzipText extends InflaterInputStream {
    private static final int FIRST_MAGIC = 0x1F;
    private static final int SECOND_MAGIC = 0x8B;
    private static final int DEFLATE = 8;

    private static final int HEADER_CHECKSUM_FLAG = 2;
    private static final int EXTRA_FLAG = 4;
    private static final int NAME_FLAG = 8;
    private static final int COMMENT_FLAG = 16;
    private static final int UNDEFINED_FLAGS = 0xE0;

    /** Time, extra flags and operating system, between the flags and what they say is there. */
    private static final int UNUSED_HEADER_BYTES = 6;

    private final CRC32 textChecksum = new CRC32();
    private final CRC32 headerChecksum = new CRC32();

    /** Where the next byte lies in the buffer, while none of its bytes are being inflated. */
    private int next;

    private boolean ended;

    private GzipText(InputStream stored, int bufferBytes) {
        super(stored, new Inflater(true), bufferBytes);
    }

    static GzipText of(InputStream stored, int bufferBytes) throws IOException {
        GzipText text = new GzipText(stored, bufferBytes);
        text.beginMember();
        return text;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        while (!ended) {
            int read = super.read(target, offset, length);
            if (read >= 0) {
                textChecksum.update(target, offset, read);
                return read;
            }
            endMember();
        }
        return -1;
    }

    @Override
    protected void fill() throws IOException {
        next = len;
        if (!hasNext()) {
            throw cut();
        }
        inf.setInput(buf, 0, len);
    }

    private static EOFException cut() {
        return new EOFException("it ends within a member");
    }

    private void endMember() throws IOException {
        next = len - inf.getRemaining();
        if (unsignedInt() != textChecksum.getValue()) {
            throw new ZipException("the checksum of its text is another");
        }
        if (unsignedInt() != (inf.getBytesWritten() & 0xFFFF_FFFFL)) {
            throw new ZipException("its text has another length");
        }
        if (hasNext()) {
            beginMember();
        } else {
            ended = true;
        }
    }

    private void beginMember() throws IOException {
        headerChecksum.reset();
        if (unsignedByte() != FIRST_MAGIC || unsignedByte() != SECOND_MAGIC) {
            throw new ZipException("after its end comes something that is not gzip");
        }
        int method = unsignedByte();
        int flags = unsignedByte();
        if (method != DEFLATE || (flags & UNDEFINED_FLAGS) != 0) {
            throw new ZipException("a header asks for what is not gzip");
        }
        skip(UNUSED_HEADER_BYTES);
        if ((flags & EXTRA_FLAG) != 0) {
            skip(unsignedShort());
        }
        if ((flags & NAME_FLAG) != 0) {
            skipString();
        }
        if ((flags & COMMENT_FLAG) != 0) {
            skipString();
        }
        if ((flags & HEADER_CHECKSUM_FLAG) != 0) {
            int checksum = (int) headerChecksum.getValue() & 0xFFFF;
            if (unsignedShort() != checksum) {
                throw new ZipException("the checksum of a header is another");
            }
        }
        textChecksum.reset();
        inf.reset();
        inf.setInput(buf, next, len - next);
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            unsignedByte();
        }
    }

    /** Skips a string and the zero that ends it. */
    private void skipString() throws IOException {
        int character;
        do {
            character = unsignedByte();
        } while (character != 0);
    }

    private long unsignedInt() throws IOException {
        long low = unsignedShort();
        return low | (long) unsignedShort() << 16;
    }

    private int unsignedShort() throws IOException {
        int low = unsignedByte();
        return low | unsignedByte() << 8;
    }

    private int unsignedByte() throws IOException {
        if (!hasNext()) {
            throw cut();
        }
        int value = buf[next++] & 0xFF;
        headerChecksum.update(value);
        return value;
    }

    /** Whether there is another stored byte; fetches some if need be. */
    private boolean hasNext() throws IOException {
        while (next == len) {
            int read = in.read(buf, 0, buf.length);
            if (read < 0) {
                return false;
            }
            next = 0;
            len = read;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        inf.end();
        super.close();
    }
}
