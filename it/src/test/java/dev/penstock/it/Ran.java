package dev.penstock.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** What a process that ended left behind. */
record Ran(int exitCode, String out, String err) {
    /**
     * Runs words in a folder to their end, with the Java of this JVM.
     *
     * @param more variables of its environment, besides this one's without options of Java
     */
    static Ran of(Path folder, Map<String, String> more, String... words)
            throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder command =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        Map<String, String> environment = command.environment();
        environment
                .keySet()
                .removeAll(Set.of("PENSTOCK_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        environment.put("JAVA25_HOME", System.getProperty("java.home"));
        environment.putAll(more);
        int exitCode = command.start().waitFor();
        return new Ran(exitCode, Files.readString(out), Files.readString(err));
    }
}
