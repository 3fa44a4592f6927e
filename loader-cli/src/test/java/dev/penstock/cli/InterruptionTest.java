package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A command that finds its process ending when it is about to begin. */
final class InterruptionTest {
    @TempDir private Path folder;

    /** A process that runs a command when it is ending, and ends with the command's code. */
    static final class EndingProcess {
        private EndingProcess() {}

        public static void main(String[] args) {
            Thread hook =
                    new Thread(() -> Runtime.getRuntime().halt(Cli.run(Console.ofProcess(), args)));
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    @Test
    void it_ends_without_a_word() throws IOException, InterruptedException {
        Path file = folder.resolve("nation.tbl");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                EndingProcess.class.getName(),
                                "generate",
                                "nation",
                                "--out",
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(said).isEmpty();
        assertThat(file).doesNotExist();
    }
}
