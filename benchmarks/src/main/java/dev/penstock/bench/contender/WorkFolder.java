package dev.penstock.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder for the time of a measurement. It is removed on close, and when this JVM is told to end
 * before: what is in it may be many gigabytes.
 */
public final class WorkFolder implements AutoCloseable {
    private final Path path;
    private final AtExit.Task atExit;

    private WorkFolder(Path path) {
        this.path = path;
        this.atExit = AtExit.run(() -> Folders.deleteInUse(path));
    }

    /** In a folder, which is created if absent. */
    public static WorkFolder in(Path parent, String prefix) throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(parent), prefix);
        return new WorkFolder(folder.toAbsolutePath());
    }

    /** In the system's folder for such. */
    public static WorkFolder create(String prefix) throws IOException {
        return in(Path.of(System.getProperty("java.io.tmpdir")), prefix);
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        AtExit.goOn();
        Folders.delete(path);
        atExit.close();
    }
}
