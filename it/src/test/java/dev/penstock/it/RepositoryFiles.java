package dev.penstock.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the repository that these tests run in. */
public final class RepositoryFiles {
    private RepositoryFiles() {}

    /** The folder that holds the launcher and all modules. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isRegularFile(folder.resolve("penstock"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("the tests do not run within the repository");
        }
        return folder;
    }

    /** All Java files in a source folder ({@code main} or {@code test}) of all modules. */
    static List<Path> javaFiles(String sourceFolder) {
        try (Stream<Path> modules = Files.list(root())) {
            return modules.map(module -> module.resolve("src/" + sourceFolder + "/java"))
                    .filter(Files::isDirectory)
                    .flatMap(RepositoryFiles::javaFilesIn)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFilesIn(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
