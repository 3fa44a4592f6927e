package dev.penstock.it.cluster;

import dev.penstock.it.Installation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The installed {@code penstock} command in processes of its own. They are many and short, so they
 * start from the build's cache of linked classes and have nothing compiled at length.
 */
final class PenstockJvm {
    /** Far longer than any command here takes; then something hangs. */
    private static final long LIMIT_SECONDS = 180;

    private static final String USUAL_HEAP = "512m";

    /** What the launcher is told so that little is compiled, in variables of the environment. */
    static final Map<String, String> SHORT =
            Map.of("PENSTOCK_START", "short", "PENSTOCK_JAVA_OPTS", "-XX:TieredStopAtLevel=1");

    private PenstockJvm() {}

    /** Installed when the first process starts. */
    private static final class Launcher {
        static final Path PATH = install();

        private static Path install() {
            try {
                return Installation.makeTemporary();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What a command that ended left behind. */
    record Answer(int exitCode, String out, String err) {}

    /** What a user would type to start the command. */
    static String name() {
        return Launcher.PATH.toString();
    }

    /** Runs one command to its end; its streams go to files, so that no pipe can fill up. */
    static Answer run(Path folder, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "stdout", ".txt");
        Path err = Files.createTempFile(folder, "stderr", ".txt");
        Process process =
                builder(folder, USUAL_HEAP, words(List.of(arguments)))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new IOException(
                    String.join(" ", arguments)
                            + " did not end; it said: "
                            + Files.readString(err));
        }
        Answer answer =
                new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
        Files.delete(out);
        Files.delete(err);
        return answer;
    }

    /** Starts a command whose stderr the caller reads. */
    static Process start(Path folder, String... arguments) throws IOException {
        return builder(folder, USUAL_HEAP, words(List.of(arguments)))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts a command whose stderr the caller reads, and whose stdout goes to a file. */
    static Process startPrinting(Path folder, Path out, String... arguments) throws IOException {
        return builder(folder, USUAL_HEAP, words(List.of(arguments)))
                .redirectOutput(out.toFile())
                .start();
    }

    /** Starts a command whose stdout and stderr the caller reads. */
    static Process startReading(Path folder, String... arguments) throws IOException {
        return startReading(folder, USUAL_HEAP, List.of(arguments));
    }

    /** Starts a command with a heap of its own size; the caller reads its stdout and stderr. */
    static Process startReading(Path folder, String heap, List<String> arguments)
            throws IOException {
        return builder(folder, heap, words(arguments)).start();
    }

    /** Starts a command with a heap of its own size; what it says goes to a file, anew. */
    static Process startDiscarding(Path folder, String heap, List<String> arguments, Path said)
            throws IOException {
        return discarding(folder, heap, words(arguments), said);
    }

    /** The same with so many descriptors at most. */
    static Process startConfined(
            Path folder, String heap, int descriptors, List<String> arguments, Path said)
            throws IOException {
        List<String> confined = new ArrayList<>();
        confined.addAll(List.of("sh", "-c", "ulimit -n " + descriptors + " && exec \"$@\"", "sh"));
        confined.addAll(words(arguments));
        return discarding(folder, heap, confined, said);
    }

    private static Process discarding(Path folder, String heap, List<String> words, Path said)
            throws IOException {
        return builder(folder, heap, words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(said.toFile())
                .start();
    }

    private static List<String> words(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("sh", Launcher.PATH.toString()));
        words.addAll(arguments);
        return words;
    }

    private static ProcessBuilder builder(Path folder, String heap, List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        environment.put("PENSTOCK_HEAP", heap);
        environment.putAll(SHORT);
        return builder;
    }
}
