package dev.penstock.loader.file;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What tells one load's inputs from another's without reading them: of each file, in order, its
 * name without folders, its size, its first and its last bytes. Two loads of equal digests read the
 * same files unless somebody changed only bytes in the middle.
 */
public final class InputDigest {
    private static final int EDGE_BYTES = 4096;

    private InputDigest() {}

    /** In hexadecimal; empty if one of the inputs is a pipe, which can be read only once. */
    public static String of(Inputs inputs) {
        MessageDigest digest = sha256();
        byte[] edge = new byte[EDGE_BYTES];
        PositionalReader reader = new PositionalReader();
        for (InputFile file : inputs.files()) {
            Path path = file.path();
            if (path == null || !file.reopenable()) {
                return "";
            }
            digest.update(String.valueOf(path.getFileName()).getBytes(StandardCharsets.UTF_8));
            digest.update(ByteBuffer.allocate(Long.BYTES + 1).putLong(1, file.bytes()).array());
            for (long at : new long[] {0, Math.max(0, file.bytes() - EDGE_BYTES)}) {
                int length =
                        reader.read(
                                inputs.channel(file.index()), file.name(), at, edge, 0, EDGE_BYTES);
                digest.update(edge, 0, length);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new PenstockException(ErrorCategory.INTERNAL, "This Java has no SHA-256.", e);
        }
    }
}
