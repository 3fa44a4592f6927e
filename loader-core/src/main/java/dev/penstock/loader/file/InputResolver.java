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
 * folders, and so are folders in them, which is said. For one list of words.
 */
final class InputResolver {
    /** Folders that are left out and named. */
    private static final int MOST_NAMED = 3;

    private final List<String> notes = new ArrayList<>();

    /** What was left out that may have been meant, one sentence each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** One path for each input; null for standard input. */
    List<@Nullable Path> resolve(List<String> words) {
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

    private List<Path> expand(String word) {
        Path path = path(word);
        if (Files.isDirectory(path)) {
            List<Path> files = files(list(path, "*", word, true), word);
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
            Path folder = parent == null ? path("") : parent;
            List<Path> files = files(list(folder, pattern, word, false), word);
            if (!files.isEmpty()) {
                return files;
            }
            throw PenstockException.usage("No file matches " + word + ".");
        }
        throw PenstockException.usage("There is no file " + word + ".");
    }

    private static boolean isHidden(Path fileName) {
        String name = fileName.toString();
        return name.startsWith(".") || name.startsWith("_");
    }

    private static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw PenstockException.usage("'" + word + "' cannot be a file's name.");
        }
    }

    /** The regular files; notes how many folders there are besides. */
    private List<Path> files(List<Path> entries, String word) {
        List<String> folders =
                entries.stream().filter(Files::isDirectory).map(Path::toString).toList();
        if (!folders.isEmpty()) {
            String named =
                    String.join(", ", folders.subList(0, Math.min(MOST_NAMED, folders.size())));
            int more = folders.size() - MOST_NAMED;
            notes.add(
                    "Of "
                            + word
                            + (folders.size() == 1
                                    ? ", a folder is left out: "
                                    : ", " + folders.size() + " folders are left out: ")
                            + named
                            + (more > 0 ? " and " + more + " more" : "")
                            + ". What is in them is loaded if they are named, too.");
        }
        return entries.stream().filter(Files::isRegularFile).toList();
    }

    private static List<Path> list(Path folder, String pattern, String word, boolean shownOnly) {
        List<Path> found = new ArrayList<>();
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(folder.toString().isEmpty() ? Path.of(".") : folder)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (matcher.matches(name) && !(shownOnly && isHidden(name))) {
                    found.add(folder.resolve(name));
                }
            }
        } catch (IOException e) {
            throw PenstockException.io("The files of " + word + " could not be listed: " + e, e);
        }
        Collections.sort(found);
        return found;
    }
}
