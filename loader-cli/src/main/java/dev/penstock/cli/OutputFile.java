package dev.penstock.cli;

import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that a command writes, which has its name once it is whole: until then it is called {@code
 * NAME.part}, and what had the name stays. Who loads the file of a command that failed gets an
 * error, or all rows of an earlier one, but never a part.
 *
 * <p>It is not forced: a table can be generated again, and forcing takes longer than generating.
 * Closing one that is not complete removes it.
 */
final class OutputFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path target;
    private final LocalFile file;
    private final OutputStream out;
    private boolean complete;

    private OutputFile(Path target, LocalFile file) {
        this.target = target;
        this.file = file;
        out = new BufferedOutputStream(file.stream(), BUFFER_BYTES);
    }

    /**
     * Whether this is for a name: of a file, or of nothing yet. Devices, pipes and what the shell
     * has opened for the command are not replaced.
     */
    static boolean isFor(Path named) {
        Path absolute = named.toAbsolutePath().normalize();
        return !Files.exists(named, LinkOption.NOFOLLOW_LINKS)
                || (Files.isRegularFile(named)
                        && !absolute.startsWith("/proc")
                        && !absolute.startsWith("/dev/fd")
                        && !absolute.startsWith("/dev/stdout")
                        && !absolute.startsWith("/dev/stderr"));
    }

    static OutputFile create(Path named, LocalDisk disk) throws IOException {
        // The file that a link names is replaced, not the link.
        Path target = Files.exists(named) ? named.toRealPath() : named;
        return new OutputFile(target, disk.create(part(target)));
    }

    /** The name of a file that is not whole. */
    static Path part(Path target) {
        return target.resolveSibling(target.getFileName() + ".part");
    }

    OutputStream stream() {
        return out;
    }

    /** Everything is written; the file gets its name. */
    void complete() throws IOException {
        out.flush();
        file.close();
        Files.move(file.path(), target, StandardCopyOption.REPLACE_EXISTING);
        complete = true;
    }

    @Override
    public void close() throws IOException {
        file.close();
        if (!complete) {
            Files.deleteIfExists(file.path());
        }
    }
}
