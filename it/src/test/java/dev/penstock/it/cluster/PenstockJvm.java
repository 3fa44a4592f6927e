package dev.penstock.it.cluster;

import dev.penstock.cli.Main;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The {@code penstock} command in JVMs of its own, with the class path of this test. */
final class PenstockJvm {
    /** Far longer than any command here takes; then something hangs. */
    private static final long LIMIT_SECONDS = 180;

    private PenstockJvm() {}

    /** What a command that ended left behind. */
    record Answer(int exitCode, String out, String err) {}

    /** Runs one command to its end; its streams go to files, so that no pipe can fill up. */
    static Answer run(Path folder, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "stdout", ".txt");
        Path err = Files.createTempFile(folder, "stderr", ".txt");
        Process process =
                new ProcessBuilder(command("512m", arguments))
                        .directory(folder.toFile())
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
        return new ProcessBuilder(command("512m", arguments))
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts a command whose stdout and stderr the caller reads. */
    static Process startReading(Path folder, String... arguments) throws IOException {
        return new ProcessBuilder(command("512m", arguments)).directory(folder.toFile()).start();
    }

    /** Starts a command with a heap of its own size; the caller reads its stdout and stderr. */
    static Process startReading(Path folder, String heap, List<String> arguments)
            throws IOException {
        return new ProcessBuilder(command(heap, arguments.toArray(String[]::new)))
                .directory(folder.toFile())
                .start();
    }

    /** Starts a command with a heap of its own size; what it says goes to a file, anew. */
    static Process startDiscarding(Path folder, String heap, List<String> arguments, Path said)
            throws IOException {
        return startDiscarding(folder, command(heap, arguments.toArray(String[]::new)), said);
    }

    /** The same with so many descriptors at most. */
    static Process startConfined(
            Path folder, String heap, int descriptors, List<String> arguments, Path said)
            throws IOException {
        List<String> confined = new ArrayList<>();
        confined.addAll(List.of("sh", "-c", "ulimit -n " + descriptors + " && exec \"$@\"", "sh"));
        confined.addAll(command(heap, arguments.toArray(String[]::new)));
        return startDiscarding(folder, confined, said);
    }

    private static Process startDiscarding(Path folder, List<String> command, Path said)
            throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(said.toFile())
                .start();
    }

    private static List<String> command(String heap, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--add-modules=jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx" + heap,
                        "-cp",
                        classPath(),
                        Main.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /**
     * The class path of this test, also where a runner has loaded it by a class loader of its own.
     */
    private static String classPath() {
        if (PenstockJvm.class.getClassLoader() instanceof URLClassLoader loader) {
            return Arrays.stream(loader.getURLs())
                    .map(URL::getPath)
                    .map(path -> java.net.URLDecoder.decode(path, StandardCharsets.UTF_8))
                    .collect(Collectors.joining(File.pathSeparator));
        }
        String ofSurefire = System.getProperty("surefire.test.class.path");
        return ofSurefire != null ? ofSurefire : System.getProperty("java.class.path");
    }
}
