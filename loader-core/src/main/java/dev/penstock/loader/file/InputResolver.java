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
 * folders, and so are, which is said, folders in them and what takes this process's own output. For
 * one list of words.
 */
final class InputResolver {
    /** Folders that are left out and named. */
    private static final int MOST_NAMED = 3;

    private final OwnOutputs outputs;
    private final List<String> notes = new ArrayList<>();

    /**
     * @param outputs what is left out, too
     */
    InputResolver(OwnOutputs outputs) {
        this.outputs = outputs;
    }

    /** What was left out that may have been meant, one sentence each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** One path for each input; null for standard input. */
    List<@Nullable NamedPath> resolve(List<String> words) {
        if (words.isEmpty()) {
            throw PenstockException.usage(
                    "Name at least one file to load, or - for standard input.");
        }
        List<@Nullable NamedPath> paths = new ArrayList<>();
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

    private List<NamedPath> expand(String word) {
        Path path = path(word);
        if (Files.isDirectory(path)) {
            return files(list(path, "*", word, true), word, NamedPath.By.FOLDER);
        }
        if (Files.exists(path)) {
            if (!Files.isReadable(path)) {
                throw PenstockException.usage(
                        "The file " + word + " may not be read by this user.");
            }
            if (outputs.contains(path)) {
                throw PenstockException.usage(
                        word
                                + " takes what this program prints, so it cannot be loaded; print"
                                + " to another file.");
            }
            return List.of(new NamedPath(path, NamedPath.By.NAME));
        }
        if (word.indexOf('*') >= 0 || word.indexOf('?') >= 0 || word.indexOf('[') >= 0) {
            Path parent = path.getParent();
            String pattern = String.valueOf(path.getFileName());
            Path folder = parent == null ? path("") : parent;
            return files(list(folder, pattern, word, false), word, NamedPath.By.PATTERN);
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

    /** The regular files, at least one; notes what is left out besides. */
    private List<NamedPath> files(List<Path> entries, String word, NamedPath.By by) {
        noteFolders(entries.stream().filter(Files::isDirectory).map(Path::toString).toList(), word);
        List<NamedPath> files = new ArrayList<>();
        String own = "";
        for (Path entry : entries) {
            if (outputs.contains(entry)) {
                own = entry + " takes what this program prints.";
                notes.add("Of " + word + ", a file is left out: " + own);
            } else if (Files.isRegularFile(entry)) {
                files.add(new NamedPath(entry, by));
            }
        }
        if (files.isEmpty()) {
            String none =
                    by == NamedPath.By.FOLDER
                            ? "The folder " + word + " holds no files"
                            : "No file matches " + word;
            throw PenstockException.usage(
                    none + (own.isEmpty() ? "." : " that can be loaded: " + own));
        }
        return files;
    }

    private void noteFolders(List<String> folders, String word) {
        if (folders.isEmpty()) {
            return;
        }
        String named = String.join(", ", folders.subList(0, Math.min(MOST_NAMED, folders.size())));
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
