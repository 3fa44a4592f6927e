package dev.penstock.bench.endtoend;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The words of the command: files, and options with a value each. */
final class Options {
    static final String USAGE =
            """
            usage: EndToEnd FILE... [OPTIONS]
              --contenders a,b    who takes part, or all; the first is what the others compare with
              --experiment NAME   scale (of the files given), regions, order, cluster-order, verify or tls, of penstock alone
              --runs N            runs of each that count (5)
              --threads N         threads each may use (one per processor)
              --ddl FILE          the table's declaration (lineitem)
              --folder DIR        where they store (the system's temporary folder)
              --penstock FILE     the script of the penstock processes (this class path)
              --python FILE       an interpreter with the package chdb (python3)
              --json FILE         every single figure
              --chart FILE.svg    a picture
            """;

    private static final Set<String> NAMES =
            Set.of(
                    "contenders",
                    "experiment",
                    "runs",
                    "threads",
                    "ddl",
                    "folder",
                    "penstock",
                    "python",
                    "json",
                    "chart");

    private final List<Path> files = new ArrayList<>();
    private final Map<String, String> values = new LinkedHashMap<>();

    private Options() {}

    /**
     * @throws IllegalArgumentException with one sentence
     */
    static Options parse(String... words) {
        Options options = new Options();
        for (int i = 0; i < words.length; i++) {
            if (!words[i].startsWith("--")) {
                options.files.add(Path.of(words[i]));
            } else if (!NAMES.contains(words[i].substring(2))) {
                throw new IllegalArgumentException("there is no option " + words[i]);
            } else if (i + 1 == words.length) {
                throw new IllegalArgumentException(words[i] + " needs a value");
            } else {
                options.values.put(words[i].substring(2), words[++i]);
            }
        }
        if (options.files.isEmpty()) {
            throw new IllegalArgumentException("name a file to load");
        }
        return options;
    }

    List<Path> files() {
        return files;
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    @Nullable Path path(String name) {
        String value = values.get(name);
        return value == null ? null : Path.of(value);
    }

    int number(String name, int otherwise) {
        String value = values.get(name);
        try {
            int number = value == null ? otherwise : Integer.parseInt(value);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // One message for both.
        }
        throw new IllegalArgumentException("--" + name + " must be a number above 0");
    }
}
