package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.PumpedInput;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a process prints, in a folder that it loads. */
final class OwnOutputsTest {
    @TempDir private Path folder;
    private Path in;
    private Path input;
    private Path log;
    private OwnOutputs outputs;

    @BeforeEach
    void write() throws IOException {
        in = Files.createDirectory(folder.resolve("in"));
        input = Files.writeString(in.resolve("a.csv"), "1,one\n");
        log = Files.createFile(in.resolve("nohup.out"));
        Path stream = Files.createSymbolicLink(folder.resolve("stdout"), log);
        outputs = OwnOutputs.of(List.of(stream, folder.resolve("none")));
    }

    private Inputs open(Path... words) {
        List<String> names = List.of(words).stream().map(Path::toString).toList();
        return Inputs.open(names, InputStream.nullInputStream(), PumpedInput::of, outputs);
    }

    @Test
    void it_is_no_input_of_a_folder_or_a_pattern() {
        for (Path word : List.of(in, in.resolve("*"))) {
            try (Inputs inputs = open(word)) {
                assertThat(inputs.files()).extracting(InputFile::path).containsExactly(input);
                assertThat(inputs.notes())
                        .singleElement()
                        .isEqualTo(
                                "Of "
                                        + word
                                        + ", a file is left out: "
                                        + log
                                        + " takes what this program prints.");
            }
        }
    }

    @Test
    void it_is_refused_by_name() {
        for (Path word : List.of(log, folder.resolve("stdout"))) {
            assertRefused(
                    word
                            + " takes what this program prints, so it cannot be loaded; print to"
                            + " another file.",
                    input,
                    word);
        }
    }

    @Test
    void a_folder_with_nothing_else_says_so() throws IOException {
        Files.delete(input);
        assertRefused(
                "The folder "
                        + in
                        + " holds no files that can be loaded: "
                        + log
                        + " takes what this program prints.",
                in);
        Path none = log.resolveSibling("n*");
        assertRefused(
                "No file matches "
                        + none
                        + " that can be loaded: "
                        + log
                        + " takes what this program prints.",
                none);
    }

    private void assertRefused(String said, Path... words) {
        assertThatThrownBy(() -> open(words).close())
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessage(said);
    }

    /** Says whether a file takes what the process prints, by how it ends. */
    public static final class Child {
        private Child() {}

        public static void main(String[] files) {
            System.exit(OwnOutputs.ofProcess().contains(Path.of(files[0])) ? 3 : 4);
        }
    }

    @Test
    void a_process_knows_where_its_streams_go() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/stderr")), "skipped: there is no /dev/stderr");
        assertThat(child(log, log, folder.resolve("other"))).isEqualTo(3);
        assertThat(child(log, folder.resolve("other"), log)).isEqualTo(3);
        assertThat(child(input, log, folder.resolve("other"))).isEqualTo(4);
    }

    private static int child(Path asked, Path out, Path err) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        asked.toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
    }
}
