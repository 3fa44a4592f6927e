package dev.penstock.loader.file;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadSpec;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * From words to paths: a file is itself, a folder is the files in it in order of name, a glob is
 * the files that match. Files whose names begin with a dot or an underscore are left out of
 * folders.
 */
final class InputResolver {
    private InputResolver() {}

    /** One path for each input; null for standard input. */
    static List<@Nullable Path> resolve(List<String> words) {
        if (words.isEmpty()) {
            throw PenstockException.usage(
                    "Name at least one file to load, or - for standard input.");
        }
        List<@Nullable Path> paths = new ArrayList<>();
        boolean standardInput = false;
        for (String word : words) {
            if (word.equals(LoadSpec.STANDARD_INPUT)) {
                if (standardInput) {
                    throw PenstockException.usage("Standard input (-) can be read only once.");
                }
                standardInput = true;
                paths.add(null);
            } else {
                paths.addAll(expand(word));
            }
        }
        return paths;
    }

    private static List<Path> expand(String word) {
        Path path = path(word);
        if (Files.isDirectory(path)) {
            List<Path> files = list(path, "*", word);
            files.removeIf(file -> isHidden(file));
            if (files.isEmpty()) {
                throw PenstockException.usage("The folder " + word + " holds no files.");
            }
            return files;
        }
        if (Files.exists(path)) {
            if (!Files.isReadable(path)) {
                throw PenstockException.usage(
                        "The file " + word + " may not be read by this user.");
            }
            return List.of(path);
        }
        if (word.indexOf('*') >= 0 || word.indexOf('?') >= 0 || word.indexOf('[') >= 0) {
            Path parent = path.getParent();
            String pattern = String.valueOf(path.getFileName());
            List<Path> files = list(parent == null ? path("") : parent, pattern, word);
            if (!files.isEmpty()) {
                return files;
            }
            throw PenstockException.usage("No file matches " + word + ".");
        }
        throw PenstockException.usage("There is no file " + word + ".");
    }

    private static boolean isHidden(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith(".") || name.startsWith("_");
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw PenstockException.usage("'" + word + "' cannot be a file's name.");
        }
    }

    private static List<Path> list(Path folder, String pattern, String word) {
        List<Path> files = new ArrayList<>();
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(folder.toString().isEmpty() ? Path.of(".") : folder)) {
            for (Path entry : entries) {
                if (Files.isRegularFile(entry) && matcher.matches(entry.getFileName())) {
                    files.add(folder.resolve(entry.getFileName()));
                }
            }
        } catch (IOException e) {
            throw PenstockException.io("The files of " + word + " could not be listed: " + e, e);
        }
        Collections.sort(files);
        return files;
    }
}
