package dev.penstock.loader.file;

import com.github.luben.zstd.ZstdInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** How an input is compressed; told by its first bytes, never by its name. */
public enum Compression {
    NONE,
    GZIP,
    ZSTD;

    /** Bytes needed to tell. */
    static final int MAGIC_BYTES = 4;

    private static final int DECODER_BUFFER_BYTES = 64 << 10;

    /**
     * How an input is compressed that begins so.
     *
     * @param length of the beginning; of a longer input at least {@value #MAGIC_BYTES} are to be
     *     given
     */
    public static Compression of(byte[] head, int length) {
        if (length >= 3 && head[0] == 0x1F && head[1] == (byte) 0x8B && head[2] == 8) {
            return GZIP;
        }
        return length >= 4 && (isZstdData(head) || isZstdNote(head)) ? ZSTD : NONE;
    }

    private static boolean isZstdData(byte[] head) {
        return head[0] == 0x28
                && head[1] == (byte) 0xB5
                && head[2] == 0x2F
                && head[3] == (byte) 0xFD;
    }

    /** A frame to be skipped, by which some programs say how long the next one is. */
    private static boolean isZstdNote(byte[] head) {
        return (head[0] & 0xF0) == 0x50 && head[1] == 0x2A && head[2] == 0x4D && head[3] == 0x18;
    }

    InputStream decode(InputStream stored) throws IOException {
        return switch (this) {
            case NONE -> stored;
            case GZIP -> GzipText.of(stored, DECODER_BUFFER_BYTES);
            case ZSTD -> zstd(stored);
        };
    }

    /**
     * The first use of the library writes it to a temporary file, for which there may be no room.
     */
    private static InputStream zstd(InputStream stored) throws IOException {
        try {
            return new ZstdInputStream(stored).setContinuous(false);
        } catch (LinkageError e) {
            throw new IOException(
                    "the library of zstd could not be unpacked in "
                            + LocalDisk.temporaryFolder()
                            + " and loaded from there: "
                            + e.getMessage(),
                    e);
        }
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name without an ending that says how the file is compressed. */
    public static String stripEnding(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String ending : new String[] {".gz", ".gzip", ".zst", ".zstd"}) {
            if (lower.endsWith(ending)) {
                return name.substring(0, name.length() - ending.length());
            }
        }
        return name;
    }
}
