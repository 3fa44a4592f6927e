package dev.penstock.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder as a whole: how large, and gone. */
public final class Folders {
    private static final int MOST_ATTEMPTS = 100;

    private Folders() {}

    /** Bytes of all files. */
    public static long bytes(Path folder) throws IOException {
        long bytes = 0;
        for (Path path : contents(folder)) {
            if (Files.isRegularFile(path)) {
                bytes += Files.size(path);
            }
        }
        return bytes;
    }

    public static void delete(Path folder) throws IOException {
        for (Path path : contents(folder).reversed()) {
            Files.delete(path);
        }
    }

    /** The same while threads of this JVM may still write to it; or a file. */
    static void deleteInUse(Path folder) {
        for (int i = 0; i < MOST_ATTEMPTS && Files.exists(folder); i++) {
            try {
                for (Path path : contents(folder).reversed()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | UncheckedIOException e) {
                // Something has come or gone meanwhile.
            }
        }
    }

    private static List<Path> contents(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted(Comparator.naturalOrder()).toList();
        }
    }
}
