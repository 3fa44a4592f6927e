package dev.penstock.loader.file;

import static java.util.stream.Collectors.joining;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadSpec;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * From words to paths: a file is itself, a folder is the files in it in order of name, a glob is
 * the files that match. Left out, which is said, are files in folders whose names begin with a dot
 * or an underscore, folders in them, pipes and devices that were not named, and what takes this
 * process's own output. A link to nothing is an error: what it should lead to may be input. For one
 * list of words.
 */
final class InputResolver {
    /** Of those that are left out, so many are named. */
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
        if (word.isEmpty()) {
            throw PenstockException.usage("The name of an input is empty.");
        }
        Path path = path(word);
        if (Files.isDirectory(path)) {
            return files(list(path, "*", word), word, NamedPath.By.FOLDER);
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
        if (isPattern(word)) {
            Path parent = path.getParent();
            String pattern = String.valueOf(path.getFileName());
            Path folder = parent == null ? path("") : parent;
            if (parent != null && Files.notExists(parent)) {
                throw PenstockException.usage(noFolder(parent, word));
            }
            return files(list(folder, pattern, word), word, NamedPath.By.PATTERN);
        }
        throw PenstockException.usage(absent(path, word));
    }

    private static String noFolder(Path folder, String word) {
        return isPattern(folder.toString())
                ? "The pattern "
                        + word
                        + " has a pattern of folders in it, and only names of files can be one;"
                        + " leave out the quotes, so that the shell finds the files."
                : "There is no folder " + folder + " for the files of " + word + ".";
    }

    private static boolean isPattern(String word) {
        return word.indexOf('*') >= 0 || word.indexOf('?') >= 0 || word.indexOf('[') >= 0;
    }

    /** A file in a folder that may not be looked into, or of a name too long, may well be there. */
    private static String absent(Path path, String word) {
        try {
            Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return "There is no file " + word + ".";
        } catch (IOException e) {
            return "The file " + word + " cannot be read: " + LocalDisk.reason(e) + ".";
        }
        return "There was no file " + word + ".";
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
        List<NamedPath> files = new ArrayList<>();
        List<Path> folders = new ArrayList<>();
        List<Path> hidden = new ArrayList<>();
        List<Path> others = new ArrayList<>();
        String own = "";
        for (Path entry : entries) {
            if (by == NamedPath.By.FOLDER && isHidden(entry.getFileName())) {
                if (holdsText(entry)) {
                    hidden.add(entry);
                }
            } else if (Files.isDirectory(entry)) {
                folders.add(entry);
            } else if (outputs.contains(entry)) {
                own = entry + " takes what this program prints.";
                notes.add("Of " + word + ", a file is left out: " + own);
            } else if (Files.isRegularFile(entry)) {
                files.add(new NamedPath(entry, by));
            } else if (leadsSomewhere(entry)) {
                others.add(entry);
            }
        }
        note(word, "folder", folders, "What is in them is loaded if they are named, too.");
        note(word, "file", hidden, "Such names are loaded only if they are named.");
        note(word, "special file", others, "Pipes and devices are read only if they are named.");
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

    /** Whether this is a file that is not empty, as mere marks of other programs are. */
    private static boolean holdsText(Path entry) {
        try {
            return Files.isRegularFile(entry) && Files.size(entry) > 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** False for what has gone since the folder was listed. */
    private static boolean leadsSomewhere(Path entry) {
        if (!Files.notExists(entry)) {
            return true;
        }
        if (Files.isSymbolicLink(entry)) {
            throw PenstockException.usage(
                    entry + " is a link to a file that is not there. Mend or remove it.");
        }
        return false;
    }

    private void note(String word, String kind, List<Path> leftOut, String ending) {
        if (leftOut.isEmpty()) {
            return;
        }
        String named =
                leftOut.stream().limit(MOST_NAMED).map(Path::toString).collect(joining(", "));
        int more = leftOut.size() - MOST_NAMED;
        notes.add(
                "Of "
                        + word
                        + (leftOut.size() == 1
                                ? ", a " + kind + " is left out: "
                                : ", " + leftOut.size() + " " + kind + "s are left out: ")
                        + named
                        + (more > 0 ? " and " + more + " more" : "")
                        + ". "
                        + ending);
    }

    private static PathMatcher matcher(String pattern, String word) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        } catch (PatternSyntaxException e) {
            throw PenstockException.usage(
                    "There is no file " + word + ", and it cannot be a pattern of names.");
        }
    }

    private static List<Path> list(Path folder, String pattern, String word) {
        List<Path> found = new ArrayList<>();
        PathMatcher matcher = matcher(pattern, word);
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(folder.toString().isEmpty() ? Path.of(".") : folder)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (matcher.matches(name)) {
                    found.add(folder.resolve(name));
                }
            }
        } catch (IOException e) {
            throw PenstockException.io(
                    "The files of " + word + " could not be listed: " + LocalDisk.reason(e), e);
        }
        Collections.sort(found);
        return found;
    }
}
