package dev.penstock.bench.contender;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A main class in a JVM of its own, with the class path and the flags of this one. */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * The command line.
     *
     * @param heap limit of its heap, as {@code -Xmx} takes it
     */
    public static List<String> command(String heap, Class<?> mainClass, String... arguments) {
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
                        mainClass.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
