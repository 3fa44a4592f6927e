package dev.penstock.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command as it is installed: a copy of its launcher beside what the build has made. */
public final class Installation {
    /** What the build has made. */
    public static final Path DIST = RepositoryFiles.root().resolve("loader-cli/target/dist");

    private static final List<String> PARTS =
            List.of("lib", "java.options", "embedded.aot", "connected.aot");

    private Installation() {}

    /** Whether the build has made what there is to install. */
    public static boolean isPossible() {
        return Files.isRegularFile(DIST.resolve("stamp"));
    }

    /** Installs the command in a folder and answers its launcher. */
    public static Path make(Path folder) throws IOException {
        if (!isPossible()) {
            throw new IllegalStateException("the command has not been built");
        }
        Path launcher = folder.resolve("penstock");
        Files.copy(RepositoryFiles.root().resolve("penstock"), launcher);
        for (String part : PARTS) {
            Files.createSymbolicLink(folder.resolve(part), DIST.resolve(part));
        }
        return launcher;
    }

    /** The same in a folder that is removed when this JVM ends. */
    public static Path makeTemporary() throws IOException {
        Path folder = Files.createTempDirectory("penstock-it");
        // Files are removed in the opposite order.
        folder.toFile().deleteOnExit();
        Path launcher = make(folder);
        launcher.toFile().deleteOnExit();
        PARTS.forEach(part -> folder.resolve(part).toFile().deleteOnExit());
        return launcher;
    }
}
