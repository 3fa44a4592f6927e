import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.JavaFormatterOptions;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Checks or applies the project's Java format (google-java-format, AOSP style).
///
/// `java -cp <formatter jars> tools/Format.java check|apply <root>`
///
/// Exits with 0 when every file is formatted (or has been, with `apply`), 1 when a file is not
/// formatted or cannot be parsed, 2 when called wrongly.
final class Format {
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", ".mvn", ".idea");

    private Format() {}

    private enum Outcome {
        FORMATTED,
        CHANGED,
        BROKEN
    }

    private record Visit(Outcome outcome, String message) {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2 || !Set.of("check", "apply").contains(args[0])) {
            System.err.println("usage: Format check|apply <root>");
            System.exit(2);
        }
        boolean apply = args[0].equals("apply");
        Path root = Path.of(args[1]);
        List<Path> files = javaFiles(root);
        List<Visit> visits = files.parallelStream().map(file -> visit(root, file, apply)).toList();
        int changed = 0;
        boolean broken = false;
        for (Visit visit : visits) {
            if (visit.outcome() != Outcome.FORMATTED) {
                System.err.println("Format: " + visit.message());
            }
            changed += visit.outcome() == Outcome.CHANGED ? 1 : 0;
            broken |= visit.outcome() == Outcome.BROKEN;
        }
        if (changed > 0) {
            String hint = apply ? "rewritten" : "not formatted; run: mvn -N -Pformat validate";
            System.err.printf("Format: %d of %d files %s%n", changed, files.size(), hint);
        }
        System.exit(broken || (changed > 0 && !apply) ? 1 : 0);
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs) {
                        return SKIPPED_FOLDERS.contains(String.valueOf(dir.getFileName()))
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attrs) {
                        if (file.getFileName().toString().endsWith(".java")) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        files.sort(null);
        return files;
    }

    private static Visit visit(Path root, Path file, boolean apply) {
        Path shown = root.relativize(file);
        try {
            String before = Files.readString(file);
            String after = formatter().formatSourceAndFixImports(before);
            if (after.equals(before)) {
                return new Visit(Outcome.FORMATTED, "");
            }
            if (apply) {
                Files.writeString(file, after);
            }
            return new Visit(Outcome.CHANGED, (apply ? "rewrote " : "not formatted: ") + shown);
        } catch (FormatterException e) {
            return new Visit(Outcome.BROKEN, "cannot parse " + shown + ": " + e.getMessage());
        } catch (IOException e) {
            return new Visit(Outcome.BROKEN, "cannot read or write " + shown + ": " + e);
        }
    }

    private static Formatter formatter() {
        return new Formatter(
                JavaFormatterOptions.builder().style(JavaFormatterOptions.Style.AOSP).build());
    }
}
