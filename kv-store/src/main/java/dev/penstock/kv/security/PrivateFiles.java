package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.FileFault;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files with secrets: only their owner may read them. */
public final class PrivateFiles {
    /** Most bytes of a token file or an access file. */
    private static final int MAX_BYTES = 1 << 20;

    private static final String EXISTS = " exists already; nothing is replaced";

    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE,
                    PosixFilePermission.OTHERS_EXECUTE);

    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private PrivateFiles() {}

    /**
     * Refuses a file that others than its owner may touch; root's may be readable by its group.
     *
     * @param what what it holds, for messages
     */
    public static void checkSecret(Path file, String what) {
        check(file, what, OTHERS, "readable by others than its owner; chmod 600 it");
    }

    /** Refuses a file that others than its owner may change. */
    static void checkUnwritable(Path file, String what) {
        check(file, what, OTHERS_WRITE, "writable by others than its owner; chmod 644 it");
    }

    private static void check(
            Path file, String what, Set<PosixFilePermission> forbidden, String problem) {
        PosixFileAttributes attributes = attributes(file, what);
        if (attributes == null) {
            return;
        }
        Set<PosixFilePermission> found = EnumSet.noneOf(PosixFilePermission.class);
        found.addAll(attributes.permissions());
        found.retainAll(forbidden);
        if (attributes.owner().getName().equals("root")) {
            found.remove(PosixFilePermission.GROUP_READ);
        }
        if (!found.isEmpty()) {
            throw PenstockException.usage(what + " " + file + " is " + problem);
        }
    }

    private static @Nullable PosixFileAttributes attributes(Path file, String what) {
        try {
            PosixFileAttributeView view =
                    Files.getFileAttributeView(file, PosixFileAttributeView.class);
            return view == null ? null : view.readAttributes();
        } catch (IOException e) {
            throw unreadable(file, what, e);
        }
    }

    /** The token in a file that only its owner may read; {@code -} is standard input. */
    public static Secret token(Path file) {
        if (file.toString().equals("-")) {
            try {
                return token(firstLine(System.in), "standard input");
            } catch (IOException e) {
                throw PenstockException.io("cannot read the token from standard input", e);
            }
        }
        checkSecret(file, "the token file");
        try (InputStream in = Files.newInputStream(file)) {
            return token(firstLine(in), "the token file " + file);
        } catch (IOException e) {
            throw unreadable(file, "the token file", e);
        }
    }

    private static Secret token(String line, String where) {
        return Secret.of(line.strip(), where);
    }

    /** No byte behind the line is taken. */
    private static String firstLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = in.read(); read >= 0 && read != '\n'; read = in.read()) {
            line.append((char) read);
            if (line.length() > 2 * Secret.MAX_LENGTH) {
                break;
            }
        }
        return line.toString();
    }

    /** The text of a file that only its owner may change. */
    static String text(Path file, String what) {
        checkUnwritable(file, what);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw PenstockException.usage(
                        what + " " + file + " is longer than " + MAX_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreadable(file, what, e);
        }
    }

    /** Creates a file that only its owner may read; never replaces one. */
    public static void create(Path file, String text) {
        create(file, text, "rw-------");
    }

    /**
     * Creates a file that only its owner may read and one that everybody may; both or none, and
     * never replaces one.
     */
    static void createPair(Path secret, String secretText, Path open, String openText) {
        if (Files.exists(open, LinkOption.NOFOLLOW_LINKS)) {
            throw PenstockException.usage(open + EXISTS);
        }
        create(secret, secretText);
        try {
            create(open, openText, "rw-r--r--");
        } catch (PenstockException e) {
            remove(secret, e);
            throw e;
        }
    }

    private static void remove(Path file, PenstockException reason) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    private static void create(Path file, String text, String permissions) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        Set<StandardOpenOption> options =
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (ByteChannel channel =
                posix
                        ? Files.newByteChannel(
                                file,
                                options,
                                PosixFilePermissions.asFileAttribute(
                                        PosixFilePermissions.fromString(permissions)))
                        : Files.newByteChannel(file, options)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (FileAlreadyExistsException e) {
            throw PenstockException.usage(file + EXISTS);
        } catch (NoSuchFileException e) {
            throw PenstockException.usage("there is no folder " + file.getParent());
        } catch (IOException e) {
            PenstockException failure =
                    PenstockException.io("cannot write " + file + ": " + FileFault.reason(e), e);
            remove(file, failure);
            throw failure;
        }
    }

    private static PenstockException unreadable(Path file, String what, IOException e) {
        return e instanceof NoSuchFileException
                ? PenstockException.usage("there is no file " + file + " (" + what + ")")
                : PenstockException.io(
                        "cannot read " + what + " " + file + ": " + FileFault.reason(e), e);
    }
}
