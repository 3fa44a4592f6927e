package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What is printed to be entered again is what was entered. */
final class ShellWordsTest {
    private static final List<String> WORDS =
            List.of(
                    "plain.csv",
                    "with space.csv",
                    "it's.csv",
                    "'",
                    "''",
                    "\"double\"",
                    "--dash file",
                    "-",
                    "--",
                    "",
                    "$HOME `id` $(id) !!",
                    "back\\slash\\",
                    "*?[x]{y}~#&;|<>()",
                    "~",
                    "|",
                    "ünïcode ö.csv",
                    "a=b c");
    private static final List<String> UNPRINTABLE =
            List.of("two\nlines", "\u001b[2J1", "tab\t'quoted'\\", "\u00857", "\u202egpj.csv");

    @Test
    void any_shell_takes_words_as_they_were() throws Exception {
        assertThat(taken("sh", ShellWords.join(WORDS))).isEqualTo(WORDS);
    }

    @Test
    void what_cannot_be_printed_is_taken_by_bash() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "skipped: there is no bash");
        String command = ShellWords.join(UNPRINTABLE);
        assertThat(command.chars()).noneMatch(Character::isISOControl);
        assertThat(taken("/bin/bash", command)).isEqualTo(UNPRINTABLE);
    }

    @Test
    void the_command_is_the_one_that_runs() throws Exception {
        String[] args = {
            "load",
            "a b.csv",
            "it's.csv",
            "--table",
            "t",
            "--label",
            "two words",
            "--resume",
            "--null",
            "",
            "--delimiter",
            "|",
            "--store=/tmp/my store",
            "--",
            "-dash.csv"
        };
        Console console =
                new Console(
                        OutputStream.nullOutputStream(),
                        new PrintStream(OutputStream.nullOutputStream()),
                        InputStream.nullInputStream(),
                        false);
        CommandLine line = Commands.build(console, args);
        line.parseArgs(args);
        String command = ShellWords.command(line.getSubcommands().get("load"));
        assertThat(command).startsWith("penstock load 'a b.csv' 'it'\\''s.csv' --table t ");
        assertThat(taken("sh", command.substring("penstock ".length())))
                .isEqualTo(Arrays.asList(args));
    }

    /** The words that a shell makes of a line. */
    private static List<String> taken(String shell, String line)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(shell, "-c", "printf '%s\\000' " + line)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return Arrays.asList(out.substring(0, out.length() - 1).split("\0", -1));
    }
}
