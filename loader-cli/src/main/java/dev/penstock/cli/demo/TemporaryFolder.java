package dev.penstock.cli.demo;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.LocalDisk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A new folder that is removed with all that it holds when it is closed, unless it is to stay. */
public final class TemporaryFolder implements AutoCloseable {
    /** What to say where a process may have left one behind. */
    public static final String LEFT = "a folder may be left among the temporary files.";

    private final Path path;
    private final boolean keep;

    private TemporaryFolder(Path path, boolean keep) {
        this.path = path;
        this.keep = keep;
    }

    public static TemporaryFolder create(String prefix, boolean keep) {
        try {
            return new TemporaryFolder(Files.createTempDirectory(prefix), keep);
        } catch (IOException e) {
            throw PenstockException.io(
                    "no temporary folder can be created: " + LocalDisk.reason(e), e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        if (keep) {
            return;
        }
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException e) {
            throw PenstockException.io(path + " cannot be removed: " + LocalDisk.reason(e), e);
        }
    }

    /** Deletes files, then the folders that held them. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
