package dev.penstock.kv.net;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Tells clients that run as the server's user and see its files from all others. Only they may have
 * it read a file: they could read it themselves.
 *
 * <p>A client shows it by making a file in a folder that only that user can write to. The file's
 * name has a number that this connection alone was told, and the addresses of both its ends. So it
 * says nothing about another connection, and who listens in some other place cannot pass on what a
 * client makes for him. The folder is within the server's own. It is kept open, so that another one
 * that takes its path means nothing; the server deletes what it finds there, and the folder when it
 * ends. Thread-safe.
 */
final class Neighbours implements AutoCloseable {
    private static final String FOLDER_NAME = "penstock-neighbours";
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rwx------");
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f-]{36}");

    private final @Nullable Path parent;

    /** Made when the first client is asked. */
    private @Nullable Folder folder;

    private boolean wanted;

    /**
     * Where clients show themselves.
     *
     * @param files deletes files of this folder, whatever its path has become
     * @param key tells it from others
     */
    private record Folder(Path path, SecureDirectoryStream<Path> files, Object key) {
        @SuppressWarnings("StreamResourceLeak") // The server keeps it open.
        static Folder make(Path parent) throws IOException {
            Path path = parent.toRealPath().resolve(FOLDER_NAME);
            removeLeft(path);
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE));
            DirectoryStream<Path> opened = Files.newDirectoryStream(path);
            if (opened instanceof SecureDirectoryStream<Path> files) {
                return new Folder(path, files, key(path));
            }
            opened.close();
            throw new IOException("folders cannot be kept open");
        }

        /** Of a server that did not come to its end. */
        private static void removeLeft(Path path) throws IOException {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
                    for (Path file : files) {
                        Files.delete(file);
                    }
                }
            }
            Files.deleteIfExists(path);
        }

        private static Object key(Path path) throws IOException {
            Object key =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            .fileKey();
            if (key == null) {
                throw new IOException("folders cannot be told apart");
            }
            return key;
        }

        /** Whether its path still leads to it: who tidies up may have removed it. */
        boolean isThere() {
            try {
                return key(path).equals(key);
            } catch (IOException e) {
                return false;
            }
        }

        boolean delete(Path name) {
            try {
                files.deleteFile(name);
                return true;
            } catch (IOException | ClosedDirectoryStreamException e) {
                return false;
            }
        }
    }

    /**
     * @param parent a folder of this server only; empty if it reads no files of clients
     */
    Neighbours(Optional<Path> parent) {
        this.parent = parent.orElse(null);
        this.wanted =
                parent.isPresent()
                        && FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** One client, as the server knows it. Thread-safe. */
    static final class Neighbour {
        /** One that has nothing to show. */
        static final Neighbour NONE = new Neighbour("", null, Path.of(""));

        private final String asked;
        private final @Nullable Folder folder;
        private final Path expected;
        private boolean shown;

        /**
         * @param expected the name of the file in the folder
         */
        private Neighbour(String asked, @Nullable Folder folder, Path expected) {
            this.asked = asked;
            this.folder = folder;
            this.expected = expected;
        }

        /** What to tell the client, which {@link Neighbours#show}s itself by it. */
        String asked() {
            return asked;
        }

        /** Whether the client has shown itself. */
        synchronized boolean isShown() {
            if (!shown && folder != null) {
                shown = folder.delete(expected);
            }
            return shown;
        }

        /** The client has gone, maybe without a use for what it has made. */
        void leave() {
            isShown();
        }
    }

    /**
     * Asks a client to show itself.
     *
     * @param client its address, as it arrives here
     * @param server the address at this end
     */
    synchronized Neighbour ask(String client, String server) {
        Path within = parent;
        if (!wanted || within == null) {
            return Neighbour.NONE;
        }
        try {
            Folder made = folder;
            if (made == null || !made.isThere()) {
                made = Folder.make(within);
                folder = made;
            }
            Path asked = made.path().resolve(UUID.randomUUID().toString());
            Path file = file(asked, client, server).getFileName();
            return new Neighbour(asked.toString(), made, file);
        } catch (IOException | DirectoryIteratorException e) {
            wanted = false;
            return Neighbour.NONE;
        }
    }

    /**
     * Shows this client to a server.
     *
     * @param asked what the server has said
     * @param client the address of this end
     * @param server that of the other one, which this end has called
     * @return whether the server, if it is what it seems, will find it
     */
    static boolean show(String asked, String client, String server) {
        try {
            Path path = Path.of(asked);
            if (!isPlace(path)) {
                return false;
            }
            Files.createFile(file(path, client, server));
            return true;
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    /** Nothing else is made, whoever asks for it, and nothing in a folder of somebody else. */
    private static boolean isPlace(Path path) throws IOException {
        Path parent = path.getParent();
        return path.isAbsolute()
                && parent != null
                && parent.getFileName() != null
                && parent.getFileName().toString().equals(FOLDER_NAME)
                && NUMBER.matcher(path.getFileName().toString()).matches()
                && isOwn(parent);
    }

    private static boolean isOwn(Path folder) throws IOException {
        PosixFileAttributes there =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return there.isDirectory()
                && there.permissions().equals(PRIVATE)
                && there.owner().getName().equals(System.getProperty("user.name"));
    }

    private static Path file(Path asked, String client, String server) {
        return asked.resolveSibling(asked.getFileName() + " " + client + " " + server);
    }

    @Override
    public synchronized void close() {
        wanted = false;
        Folder made = folder;
        if (made != null) {
            deleteAll(made);
        }
    }

    /** What clients have made in vain is there too. */
    private static void deleteAll(Folder folder) {
        try (SecureDirectoryStream<Path> files = folder.files()) {
            for (Path file : files) {
                folder.delete(file.getFileName());
            }
            if (folder.isThere()) {
                Files.delete(folder.path());
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The next start removes it.
        }
    }
}
