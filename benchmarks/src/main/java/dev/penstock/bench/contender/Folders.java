package dev.penstock.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder as a whole: how large, and gone. */
public final class Folders {
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

    private static List<Path> contents(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted(Comparator.naturalOrder()).toList();
        }
    }
}
