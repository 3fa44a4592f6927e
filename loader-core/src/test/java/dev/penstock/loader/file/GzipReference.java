package dev.penstock.loader.file;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads gzip (RFC 1952) by the letter, slowly: whole members to the last byte, or nothing. */
final class GzipReference {
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final ByteBuffer file;
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    private GzipReference(byte[] file) {
        this.file = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The text of all members; empty if the file is anything but whole members. */
    static Optional<String> text(byte[] file) {
        GzipReference reference = new GzipReference(file);
        try {
            do {
                if (!reference.skipHeader() || !reference.member()) {
                    return Optional.empty();
                }
            } while (reference.file.hasRemaining());
        } catch (BufferUnderflowException | DataFormatException e) {
            return Optional.empty();
        }
        return Optional.of(reference.text.toString(StandardCharsets.ISO_8859_1));
    }

    private boolean skipHeader() {
        int start = file.position();
        int magic = file.getShort() & 0xFFFF;
        int method = file.get();
        int flags = file.get();
        if (magic != MAGIC || method != DEFLATE || (flags & RESERVED) != 0) {
            return false;
        }
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(file.getShort() & 0xFFFF);
        }
        if ((flags & NAME) != 0) {
            skipString();
        }
        if ((flags & COMMENT) != 0) {
            skipString();
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            CRC32 checksum = new CRC32();
            checksum.update(file.array(), start, file.position() - start);
            return (file.getShort() & 0xFFFF) == (checksum.getValue() & 0xFFFF);
        }
        return true;
    }

    private void skip(int bytes) {
        file.get(new byte[bytes]);
    }

    private void skipString() {
        while (file.get() != 0) {}
    }

    private boolean member() throws DataFormatException {
        CRC32 checksum = new CRC32();
        int length = 0;
        byte[] some = new byte[512];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(file.array(), file.position(), file.remaining());
            while (!inflater.finished()) {
                int count = inflater.inflate(some);
                if (count == 0 && !inflater.finished()) {
                    return false;
                }
                checksum.update(some, 0, count);
                text.write(some, 0, count);
                length += count;
            }
            file.position(file.limit() - inflater.getRemaining());
        } finally {
            inflater.end();
        }
        return file.getInt() == (int) checksum.getValue() && file.getInt() == length;
    }
}
