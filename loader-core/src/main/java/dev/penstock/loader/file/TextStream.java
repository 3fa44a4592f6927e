package dev.penstock.loader.file;

import com.github.luben.zstd.ZstdIOException;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.ZipException;

/**
 * The decompressed bytes of one input, read once from its start. What {@link #head} has looked at
 * is read again by {@link #read}. Owned by one thread at a time.
 */
public final class TextStream implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    /** Of a small file; there may be thousands of them. */
    private static final int LEAST_BUFFER_BYTES = 8 << 10;

    private static final int SKIPPED_AT_ONCE_BYTES = 64 << 10;

    private final String name;
    private final CountingStream stored;
    private final boolean closeStored;
    private final Compression compression;
    private @Nullable InputStream text;
    private byte[] head = new byte[0];
    private int headUsed;
    private boolean ended;

    private TextStream(
            String name, CountingStream stored, boolean closeStored, Compression compression) {
        this.name = name;
        this.stored = stored;
        this.closeStored = closeStored;
        this.compression = compression;
    }

    /** Opens a stream and finds out how it is compressed. */
    static TextStream open(String name, InputStream input, boolean closeInput) {
        return open(name, input, closeInput, BUFFER_BYTES);
    }

    private static TextStream open(
            String name, InputStream input, boolean closeInput, int bufferBytes) {
        CountingStream counting = new CountingStream(input);
        BufferedInputStream buffered = new BufferedInputStream(counting, bufferBytes);
        try {
            buffered.mark(Compression.MAGIC_BYTES);
            byte[] magic = new byte[Compression.MAGIC_BYTES];
            int length = buffered.readNBytes(magic, 0, magic.length);
            buffered.reset();
            Compression compression = Compression.of(magic, length);
            TextStream stream = new TextStream(name, counting, closeInput, compression);
            stream.text = compression.decode(buffered);
            return stream;
        } catch (IOException e) {
            throw failed(name, e);
        }
    }

    /** The same of a file, whose stream is closed with this. */
    static TextStream open(InputFile file, InputStream stored) {
        int bufferBytes = Math.clamp(file.bytes(), LEAST_BUFFER_BYTES, BUFFER_BYTES);
        return open(file.name(), stored, true, bufferBytes);
    }

    public Compression compression() {
        return compression;
    }

    /** Bytes taken from the stored form so far. */
    public long storedBytes() {
        return stored.count();
    }

    /** The first bytes of the text, at most {@code bytes} of them; only before the first read. */
    public byte[] head(int bytes) {
        if (head.length < bytes && !ended) {
            byte[] more = new byte[bytes];
            System.arraycopy(head, 0, more, 0, head.length);
            int length = readStored(more, head.length, bytes - head.length) + head.length;
            head = Arrays.copyOf(more, length);
        }
        return head.length <= bytes ? head : Arrays.copyOf(head, bytes);
    }

    /** Reads {@code length} bytes, fewer only at the end. */
    public int read(byte[] target, int offset, int length) {
        int fromHead = Math.min(length, head.length - headUsed);
        System.arraycopy(head, headUsed, target, offset, fromHead);
        headUsed += fromHead;
        if (headUsed == head.length && head.length > 0) {
            head = new byte[0];
            headUsed = 0;
        }
        return fromHead + readStored(target, offset + fromHead, length - fromHead);
    }

    /** Reads past so many bytes; returns how many there were, fewer only at the end. */
    public long skip(long bytes) {
        byte[] scratch = new byte[(int) Math.min(bytes, SKIPPED_AT_ONCE_BYTES)];
        long skipped = 0;
        int read = -1;
        while (skipped < bytes && read != 0) {
            read = read(scratch, 0, (int) Math.min(bytes - skipped, scratch.length));
            skipped += read;
        }
        return skipped;
    }

    private int readStored(byte[] target, int offset, int length) {
        InputStream stream = text;
        if (length == 0 || ended || stream == null) {
            return 0;
        }
        try {
            int read = stream.readNBytes(target, offset, length);
            ended = read < length;
            return read;
        } catch (IOException e) {
            throw failed(name, e);
        }
    }

    private static PenstockException failed(String name, IOException e) {
        String message =
                e instanceof EOFException
                                || e instanceof ZipException
                                || e instanceof ZstdIOException
                        ? "The compressed file " + name + " is damaged or cut off: "
                        : "Reading " + name + " failed: ";
        return PenstockException.io(message + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            if (closeStored && text != null) {
                text.close();
            }
        } catch (IOException e) {
            throw failed(name, e);
        }
    }
}
