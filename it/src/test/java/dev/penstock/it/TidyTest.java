package dev.penstock.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** House rules that no compiler knows; each message says what to do instead. */
final class TidyTest {
    private static final int MAX_FILE_LINES = 600;

    private static final Map<Pattern, String> BANNED_EVERYWHERE =
            Map.of(
                    Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b(?!\\(#\\d+\\))"),
                    "open an issue and write TODO(#number), or do it now",
                    Pattern.compile("\\bThread\\.sleep\\("),
                    "wait for an event: a line, a latch, a future",
                    Pattern.compile("\\bsun\\.misc\\.Unsafe\\b"),
                    "use VarHandle or MemorySegment");

    private static final Map<Pattern, String> BANNED_IN_MAIN =
            Map.of(
                    Pattern.compile("\\bSystem\\.(out|err)\\b"),
                    "write to the Console that the command was given",
                    Pattern.compile("catch \\(Throwable\\b"),
                    "catch what can be handled",
                    Pattern.compile("\\.toLowerCase\\(\\)|\\.toUpperCase\\(\\)"),
                    "name the locale: Locale.ROOT");

    @Test
    void banned_words_do_not_occur() {
        List<String> faults = new ArrayList<>();
        for (String folder : List.of("main", "test")) {
            for (Path file : RepositoryFiles.javaFiles(folder)) {
                if (file.getFileName().toString().equals("TidyTest.java")) {
                    continue;
                }
                search(file, BANNED_EVERYWHERE, faults);
                if (folder.equals("main") && !isEntryPoint(file)) {
                    search(file, BANNED_IN_MAIN, faults);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void every_package_says_what_it_is_for_and_knows_no_null() {
        List<String> faults = new ArrayList<>();
        for (Path file : RepositoryFiles.javaFiles("main")) {
            Path description = file.resolveSibling("package-info.java");
            if (!Files.exists(description)) {
                faults.add(file.getParent() + " has no package-info.java");
            } else if (!RepositoryFiles.text(description).contains("@NullMarked")) {
                faults.add(description + " is not @NullMarked");
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void files_stay_short_enough_to_read() {
        List<String> faults = new ArrayList<>();
        for (Path file : RepositoryFiles.javaFiles("main")) {
            long lines = RepositoryFiles.text(file).lines().count();
            if (lines > MAX_FILE_LINES) {
                faults.add(file + " has " + lines + " lines; cut it by state or by phase");
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void every_module_has_a_readme_and_the_top_level_names_it() {
        String pom = RepositoryFiles.text(RepositoryFiles.root().resolve("pom.xml"));
        String architecture =
                RepositoryFiles.text(RepositoryFiles.root().resolve("ARCHITECTURE.md"));
        Pattern module = Pattern.compile("<module>([a-z-]+)</module>");
        List<String> modules = module.matcher(pom).results().map(match -> match.group(1)).toList();
        assertThat(modules).isNotEmpty();
        for (String name : modules) {
            assertThat(RepositoryFiles.root().resolve(name).resolve("README.md")).exists();
            assertThat(architecture).contains("`" + name + "`");
        }
    }

    private static boolean isEntryPoint(Path file) {
        String name = file.getFileName().toString();
        return name.equals("Console.java") || name.endsWith("Main.java") || isBenchmark(file);
    }

    private static boolean isBenchmark(Path file) {
        return file.startsWith(RepositoryFiles.root().resolve("benchmarks"));
    }

    private static void search(Path file, Map<Pattern, String> banned, List<String> faults) {
        List<String> lines = RepositoryFiles.text(file).lines().toList();
        banned.forEach((pattern, instead) -> {
            for (int i = 0; i < lines.size(); i++) {
                if (pattern.matcher(lines.get(i)).find()) {
                    faults.add(file + ":" + (i + 1) + ": " + pattern + "; " + instead);
                }
            }
        });
    }
}
