package dev.penstock.bench.contender;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Commands that run to their end. */
public final class ChildProcess {
    /** What is told of an error. */
    private static final int LAST_LINES = 3;

    private static final int LAST_LETTERS = 400;

    /** How long a command may take to end when it is told to. */
    private static final int STOP_SECONDS = 20;

    private static final Path NOTHING = Path.of("/dev/null");

    private ChildProcess() {}

    /**
     * Runs to the end and answers what the command wrote to standard output.
     *
     * @throws IOException with what it wrote to standard error if it fails
     */
    static String run(List<String> command) throws IOException, InterruptedException {
        return run(command, NOTHING);
    }

    /** The same with a file as standard input. */
    static String run(List<String> command, Path input) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("penstock-bench-", ".err");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectInput(input.toFile())
                            .redirectError(errors.toFile())
                            .start();
            String output;
            int code;
            try (AtExit.Task _ = AtExit.run(() -> abandon(process, errors))) {
                output =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                code = process.waitFor();
                AtExit.goOn();
            }
            if (code != 0) {
                String said = lastLines(Files.readAllLines(errors, StandardCharsets.ISO_8859_1));
                throw new IOException(command.getFirst() + " ended with " + code + ": " + said);
            }
            return output.strip();
        } finally {
            Files.delete(errors);
        }
    }

    private static void abandon(Process process, Path errors) {
        stop(process, STOP_SECONDS);
        Folders.deleteInUse(errors);
    }

    /** Tells a process to end and waits for that; if it takes too long, the process is killed. */
    public static void stop(Process process, int seconds) {
        process.destroy();
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String lastLines(List<String> lines) {
        List<String> full = lines.stream().filter(line -> !line.isBlank()).toList();
        String last =
                String.join(" ", full.subList(Math.max(0, full.size() - LAST_LINES), full.size()));
        return last.substring(Math.max(0, last.length() - LAST_LETTERS));
    }

    /** An executable of that name: on the path, or else in one of the folders given. */
    static Optional<Path> find(String name, List<Path> folders) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(
                        Pattern.compile(File.pathSeparator).splitAsStream(path).map(Path::of),
                        folders.stream())
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
