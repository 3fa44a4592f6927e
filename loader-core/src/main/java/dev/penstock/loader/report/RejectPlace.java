package dev.penstock.loader.report;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.ChannelFile;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;
import dev.penstock.loader.file.PartFile;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What {@code --rejects} names: a file, which gets two more beside it, or a device, a pipe or a
 * descriptor that the shell has opened, which takes the records only.
 *
 * @param path the file itself if a link names it
 * @param kind what it is
 */
record RejectPlace(Path path, Kind kind) {
    private static final Path STANDARD_INPUT = Path.of("/dev/stdin");
    private static final Path OWN_DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern DESCRIPTORS = Pattern.compile("/proc/\\d+(/task/\\d+)?/fd");

    /** As many links as Linux follows. */
    private static final int MAX_LINKS = 40;

    enum Kind {
        FILE,
        DEVICE,
        /**
         * A name of an open descriptor, as {@code /dev/stdout}. Whatever is behind it, a file too,
         * is written behind what it holds, and neither replaced nor emptied.
         */
        DESCRIPTOR
    }

    static RejectPlace of(Path named) throws IOException {
        Path followed = named.toAbsolutePath();
        for (int links = 0; links < MAX_LINKS; links++) {
            if (isDescriptor(followed)) {
                return new RejectPlace(followed, Kind.DESCRIPTOR);
            }
            if (!Files.isSymbolicLink(followed)) {
                break;
            }
            followed = followed.resolveSibling(Files.readSymbolicLink(followed));
        }
        if (!Files.exists(named)) {
            return new RejectPlace(named, Kind.FILE);
        }
        return Files.isRegularFile(named)
                ? new RejectPlace(named.toRealPath(), Kind.FILE)
                : new RejectPlace(named, Kind.DEVICE);
    }

    /**
     * A folder for what is kept until the file is written: that of the file, since its disk has to
     * have the room in any case, or the system's.
     */
    static Path temporaryFolder(Path named) {
        try {
            RejectPlace place = of(named);
            Path parent = place.path.toAbsolutePath().getParent();
            if (place.kind == Kind.FILE && parent != null) {
                return parent;
            }
        } catch (IOException e) {
            // Who writes to the place will say so.
        }
        return LocalDisk.temporaryFolder();
    }

    /** Whether records would be written to this process's own standard output. */
    static boolean isStandardOutput(Path named) {
        try {
            RejectPlace place = of(named);
            return place.kind == Kind.DESCRIPTOR && place.isOwn("1");
        } catch (IOException e) {
            return false; // Who writes to the place will say so.
        }
    }

    private static boolean isDescriptor(Path path) throws IOException {
        Path parent = path.getParent();
        return parent != null
                && Files.isDirectory(parent)
                && DESCRIPTORS.matcher(parent.toRealPath().toString()).matches();
    }

    private boolean isOwn(String number) throws IOException {
        Path parent = Objects.requireNonNull(path.getParent());
        return path.endsWith(number) && Files.isSameFile(parent, OWN_DESCRIPTORS);
    }

    /** Opens what is no {@link Kind#FILE}. */
    PartFile open() throws IOException {
        if (kind == Kind.DEVICE) {
            return PartFile.direct(
                    channel(
                            FileChannel.open(
                                    path,
                                    StandardOpenOption.TRUNCATE_EXISTING,
                                    StandardOpenOption.WRITE)));
        }
        // Opened by name these would have a position of their own, and a report that follows would
        // be written over the records.
        if (isOwn("1")) {
            return PartFile.shared(channel(new FileOutputStream(FileDescriptor.out).getChannel()));
        }
        if (isOwn("2")) {
            return PartFile.shared(channel(new FileOutputStream(FileDescriptor.err).getChannel()));
        }
        return PartFile.direct(channel(FileChannel.open(path, StandardOpenOption.APPEND)));
    }

    private LocalFile channel(FileChannel opened) {
        return new ChannelFile(path, opened);
    }

    /**
     * Refuses a name that can be no file, or that would take the place of an input, before there is
     * anything to write.
     */
    static void check(Path named, Inputs inputs) {
        try {
            Path parent = named.toAbsolutePath().getParent();
            if (Files.isDirectory(named) || parent == null || !Files.isDirectory(parent)) {
                throw PenstockException.usage(
                        "--rejects "
                                + named
                                + (Files.isDirectory(named)
                                        ? " is a folder; name a file in it"
                                        : " is in a folder that does not exist"));
            }
            RejectPlace place = of(named);
            if (place.kind != Kind.FILE) {
                if (!Files.isWritable(place.path)) {
                    throw PenstockException.usage(
                            "--rejects " + named + " is nothing that can be written to");
                }
                return;
            }
            for (Path written : RejectFiles.written(place.path)) {
                for (InputFile input : inputs.files()) {
                    refuseInput(named, written, input);
                }
            }
        } catch (IOException e) {
            throw PenstockException.io("--rejects " + named + " cannot be looked at: " + e, e);
        }
    }

    private static void refuseInput(Path named, Path written, InputFile input) throws IOException {
        Path path = input.path();
        Path read = path == null ? STANDARD_INPUT : path;
        if (Files.isRegularFile(written)
                && Files.isRegularFile(read)
                && Files.isSameFile(written, read)) {
            throw PenstockException.usage(
                    "--rejects "
                            + named
                            + " would write over "
                            + (path == null ? "standard input" : input.name())
                            + ", which is to be loaded; name another file");
        }
    }
}
