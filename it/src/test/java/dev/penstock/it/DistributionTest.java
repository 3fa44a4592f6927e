package dev.penstock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** What the build of the command leaves in {@code loader-cli/target/dist} starts quickly. */
final class DistributionTest {
    /**
     * Class files before Java 6 cannot be in an AOT cache: they would be read and verified at each
     * start.
     */
    private static final int FIRST_CACHEABLE_VERSION = 50;

    @Test
    void no_class_is_too_old_for_the_aot_cache() throws IOException {
        assumeTrue(Installation.isPossible(), "the command has not been built");
        List<String> old = new ArrayList<>();
        for (Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry entry : Collections.list(file.entries())) {
                    if (entry.getName().endsWith(".class")
                            && version(file, entry) < FIRST_CACHEABLE_VERSION) {
                        old.add(jar.getFileName() + ": " + entry.getName());
                    }
                }
            }
        }
        assertThat(old).isEmpty();
    }

    @Test
    void the_build_made_its_aot_caches() {
        assumeTrue(Installation.isPossible(), "the command has not been built");
        assertThat(Installation.DIST.resolve("embedded.aot")).isNotEmptyFile();
        assertThat(Installation.DIST.resolve("connected.aot")).isNotEmptyFile();
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.walk(Installation.DIST.resolve("lib"))) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
            assertThat(jars).isNotEmpty();
            return jars;
        }
    }

    private static int version(JarFile file, JarEntry entry) throws IOException {
        try (InputStream in = file.getInputStream(entry)) {
            byte[] head = in.readNBytes(8);
            return (head[6] & 0xff) << 8 | head[7] & 0xff;
        }
    }
}
