package dev.penstock.loader.report;

import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.PartFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What a small file was, or that there was none, to be put back if it was replaced for nothing. */
final class EarlierFile {
    /** Far more than a table with the most columns takes. */
    private static final int MAX_BYTES = 16 << 20;

    private final Path file;
    private final boolean known;
    private final byte @Nullable [] bytes;

    private EarlierFile(Path file, boolean known, byte @Nullable [] bytes) {
        this.file = file;
        this.known = known;
        this.bytes = bytes;
    }

    static EarlierFile of(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            boolean missing = Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
            return new EarlierFile(file, missing, null);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            return new EarlierFile(file, bytes.length <= MAX_BYTES, bytes);
        } catch (IOException e) {
            return new EarlierFile(file, false, null);
        }
    }

    /** Whether the file is again what it was. */
    boolean putBack(LocalDisk disk) {
        if (!known) {
            return false;
        }
        try {
            if (bytes == null) {
                Files.delete(file);
                return true;
            }
            try (PartFile part = PartFile.of(file, disk)) {
                part.write(bytes);
                part.complete();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
