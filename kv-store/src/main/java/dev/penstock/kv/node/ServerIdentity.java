package dev.penstock.kv.node;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.Storage;
import dev.penstock.kv.storage.StorageFile;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The server's id, kept in its data folder as one line {@code penstock 1 UUID}; 1 is the version of
 * the folder's layout.
 */
final class ServerIdentity {
    private static final String NAME = "identity";
    private static final String PREFIX = "penstock 1 ";
    private static final int MAX_BYTES = 4096;

    private ServerIdentity() {}

    /** Whether a server has ever had the folder; so too if that cannot be told. */
    static boolean mayBeIn(Path folder) {
        return !Files.notExists(folder.resolve(NAME));
    }

    static String readOrCreate(Storage storage, Path folder, Supplier<UUID> ids) {
        Path file = folder.resolve(NAME);
        if (!storage.exists(file)) {
            return create(storage, folder, file, ids.get());
        }
        String text = new String(storage.read(file, MAX_BYTES), StandardCharsets.UTF_8).strip();
        try {
            if (text.startsWith(PREFIX)) {
                return UUID.fromString(text.substring(PREFIX.length())).toString();
            }
        } catch (IllegalArgumentException e) {
            throw PenstockException.corrupt(file + " does not hold a server's identity");
        }
        throw PenstockException.corrupt(
                file + " was not written by this version: it begins with '" + head(text) + "'");
    }

    private static String head(String text) {
        return text.substring(0, Math.min(20, text.length()));
    }

    private static String create(Storage storage, Path folder, Path file, UUID id) {
        Path next = folder.resolve("identity.new");
        storage.delete(next);
        byte[] text = (PREFIX + id + "\n").getBytes(StandardCharsets.UTF_8);
        try (StorageFile out = storage.create(next)) {
            out.write(text, 0, text.length);
            out.force();
        }
        storage.rename(next, file);
        return id.toString();
    }
}
