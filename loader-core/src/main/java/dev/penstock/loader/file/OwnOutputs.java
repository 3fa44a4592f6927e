package dev.penstock.loader.file;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The files that take what this process prints, if its standard output or standard error are files:
 * they lie where the inputs do ({@code nohup.out}), and grow while these are loaded.
 */
final class OwnOutputs {
    /** Links, where there are such, to what is open. */
    private static final List<Path> STREAMS =
            List.of(Path.of("/dev/stdout"), Path.of("/dev/stderr"));

    private final Set<Object> fileKeys = new HashSet<>();

    private OwnOutputs() {}

    static OwnOutputs ofProcess() {
        return of(STREAMS);
    }

    /** Those that these names lead to. */
    static OwnOutputs of(List<Path> streams) {
        OwnOutputs outputs = new OwnOutputs();
        for (Path stream : streams) {
            Object key = fileKey(stream);
            if (key != null) {
                outputs.fileKeys.add(key);
            }
        }
        return outputs;
    }

    boolean contains(Path path) {
        Object key = fileKeys.isEmpty() ? null : fileKey(path);
        return key != null && fileKeys.contains(key);
    }

    /** Of a regular file that can be looked at; null for everything else. */
    private static @Nullable Object fileKey(Path path) {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return now.isRegularFile() ? now.fileKey() : null;
        } catch (IOException e) {
            return null; // Whoever opens it says so.
        }
    }
}
