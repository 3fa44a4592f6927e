package dev.penstock.bench.endtoend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class in a JVM of its own, with the class path and the flags of this one. */
final class ChildJvm {
    private ChildJvm() {}

    /** Runs to the end and answers what the process wrote to standard output. */
    static String run(String heap, String mainClass, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--add-modules=jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseParallelGC",
                        "-Xms64m",
                        "-Xmx" + heap,
                        "-cp",
                        System.getProperty("java.class.path"),
                        mainClass));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(mainClass + " ended with " + code);
        }
        return output.strip();
    }
}
