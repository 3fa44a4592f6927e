package dev.penstock.kv.net;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Tells clients that run as the server's user and see its files from all others. Only they may have
 * it read a file: they could read it themselves.
 *
 * <p>A client shows it by making a file in a folder that only that user can write to. The file's
 * name has a number that this connection alone was told, and the address of the client's end. So it
 * says nothing about another connection, and who listens in the server's place cannot pass on what
 * a client makes. The server deletes what it finds, and the folder when it ends. Thread-safe.
 */
final class Neighbours implements AutoCloseable {
    private static final String FOLDER_PREFIX = "penstock-neighbours-";
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f-]{36}");

    private boolean wanted;
    private @Nullable Path folder;

    /**
     * @param wanted whether the server reads files of clients at all
     */
    Neighbours(boolean wanted) {
        this.wanted =
                wanted && FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** One client, as the server knows it. Thread-safe. */
    static final class Neighbour {
        /** One that has nothing to show. */
        static final Neighbour NONE = new Neighbour("", null);

        private final String asked;
        private final @Nullable Path expected;
        private boolean shown;

        private Neighbour(String asked, @Nullable Path expected) {
            this.asked = asked;
            this.expected = expected;
        }

        /** What to tell the client, which {@link Neighbours#show}s itself by it. */
        String asked() {
            return asked;
        }

        /** Whether the client has shown itself. */
        synchronized boolean isShown() {
            if (!shown && expected != null) {
                try {
                    shown = Files.deleteIfExists(expected);
                } catch (IOException e) {
                    // Nobody can be known by what cannot be seen.
                }
            }
            return shown;
        }
    }

    /**
     * Asks a client to show itself.
     *
     * @param client its address, as it arrives here
     */
    synchronized Neighbour ask(String client) {
        if (!wanted) {
            return Neighbour.NONE;
        }
        try {
            Path made = folder;
            if (made == null) {
                made =
                        Files.createTempDirectory(
                                FOLDER_PREFIX,
                                PosixFilePermissions.asFileAttribute(
                                        PosixFilePermissions.fromString("rwx------")));
                folder = made;
            }
            Path asked = made.resolve(UUID.randomUUID().toString()).toAbsolutePath();
            return new Neighbour(asked.toString(), file(asked, client));
        } catch (IOException e) {
            wanted = false;
            return Neighbour.NONE;
        }
    }

    /**
     * Shows this client to a server.
     *
     * @param asked what the server has said
     * @param address this end's
     * @return whether the server, if it is what it seems, will find it
     */
    static boolean show(String asked, String address) {
        try {
            Path path = Path.of(asked);
            if (!isPlace(path)) {
                return false;
            }
            Files.createFile(file(path, address));
            return true;
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    /** Nothing else is made, whoever asks for it. */
    private static boolean isPlace(Path path) {
        Path parent = path.getParent();
        return path.isAbsolute()
                && parent != null
                && parent.getFileName() != null
                && parent.getFileName().toString().startsWith(FOLDER_PREFIX)
                && NUMBER.matcher(path.getFileName().toString()).matches();
    }

    private static Path file(Path asked, String client) {
        return asked.resolveSibling(asked.getFileName() + " " + client);
    }

    @Override
    public synchronized void close() {
        wanted = false;
        Path made = folder;
        if (made != null) {
            deleteAll(made);
        }
    }

    /** What clients have made in vain is there too. */
    private static void deleteAll(Path folder) {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // A folder for nothing stays, where all that is temporary is.
        }
    }
}
