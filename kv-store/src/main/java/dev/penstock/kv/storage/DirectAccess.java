package dev.penstock.kv.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Access past the page cache. Pages that the cache would take for a load's output cost the
 * processor more than the disk's own work, and are of no use to what comes next in a large load.
 */
final class DirectAccess {
    private static final boolean WANTED =
            Boolean.parseBoolean(System.getProperty("penstock.directIo", "true"));

    private static final Optional<OpenOption> DIRECT = directOption();

    private DirectAccess() {}

    /** The option is of a module that a runtime may lack. */
    private static Optional<OpenOption> directOption() {
        try {
            Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            return Stream.of(options)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** A channel to an existing file, or nothing if the file system cannot do that. */
    static Optional<FileChannel> open(Path file) throws IOException {
        if (!WANTED
                || DIRECT.isEmpty()
                || BlockFile.BLOCK_BYTES % Files.getFileStore(file).getBlockSize() != 0) {
            return Optional.empty();
        }
        Set<OpenOption> options =
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, DIRECT.get());
        try {
            return Optional.of(FileChannel.open(file, options));
        } catch (UnsupportedOperationException | IOException e) {
            // Refused by this file system; an ordinary failure shows up at the next ordinary call.
            return Optional.empty();
        }
    }

    static void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }
}
