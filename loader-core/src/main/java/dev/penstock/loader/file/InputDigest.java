package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What tells one load's inputs from another's: of each file, in order, its name without folders,
 * its size, and its bytes. Of more than {@link #WHOLE_BYTES} in all, bytes are compared in places
 * spread evenly over each file, its first and its last among them: two loads of equal digests then
 * read the same files unless somebody changed only bytes between these places and no size. Times of
 * change are not compared, so that a file that was fetched again is the same.
 */
public final class InputDigest {
    /** So many bytes are read in a tenth of a second. */
    private static final long WHOLE_BYTES = 64 << 20;

    private static final int PLACE_BYTES = 4096;

    /** Places in all files together, but for two in each. */
    private static final int PLACES = 4096;

    private static final int BUFFER_BYTES = 1 << 20;

    private InputDigest() {}

    /** In hexadecimal; empty if one of the inputs is a pipe, which can be read only once. */
    public static String of(Inputs inputs) {
        long total = inputs.totalBytes();
        if (total < 0) {
            return "";
        }
        MessageDigest digest = sha256();
        Reading reading = new Reading(inputs, digest);
        for (InputFile file : inputs.files()) {
            Path path = file.path();
            if (path == null) {
                return "";
            }
            digest.update(String.valueOf(path.getFileName()).getBytes(StandardCharsets.UTF_8));
            digest.update(ByteBuffer.allocate(Long.BYTES + 1).putLong(1, file.bytes()).array());
            if (total <= WHOLE_BYTES) {
                reading.add(file, 0, file.bytes());
            } else {
                int places = Math.max(2, PLACES / inputs.count());
                long last = Math.max(0, file.bytes() - PLACE_BYTES);
                for (int i = 0; i < places; i++) {
                    long from = (long) ((double) last / (places - 1) * i);
                    reading.add(file, i == places - 1 ? last : from, PLACE_BYTES);
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Reads parts of files into a digest. */
    private record Reading(
            Inputs inputs, MessageDigest digest, PositionalReader reader, byte[] buffer) {
        Reading(Inputs inputs, MessageDigest digest) {
            this(inputs, digest, new PositionalReader(), new byte[BUFFER_BYTES]);
        }

        /** Adds so many bytes, or those there are. */
        void add(InputFile file, long from, long bytes) {
            FileText text = inputs.text(file.index());
            long at = from;
            int read = 1;
            while (at < from + bytes && read > 0) {
                int wanted = (int) Math.min(buffer.length, from + bytes - at);
                read = text.read(reader, at, buffer, 0, wanted);
                digest.update(buffer, 0, read);
                at += read;
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new PenstockException(ErrorCategory.INTERNAL, "This Java has no SHA-256.", e);
        }
    }
}
