package dev.penstock.it.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;

import dev.penstock.it.Installation;
import dev.penstock.it.RepositoryFiles;

import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.builder.ImageFromDockerfile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The image of the repository's Dockerfile with what the build left in {@code
 * loader-cli/target/dist}. Its base is the one that {@code PENSTOCK_BASE_IMAGE} names, or one that
 * this machine has, or one that {@code tools/base-image.sh} can make; no registry is asked.
 */
final class ContainerImage {
    private static final String NAME = "penstock-it:local";
    private static final List<String> BASES = List.of("penstock-base:25", "eclipse-temurin:25-jre");

    /** Empty until the image is built. */
    private static String built = "";

    private ContainerImage() {}

    /** Whether scenarios can run in containers here; says why if not. */
    static boolean isPossible() throws Exception {
        try {
            build();
            return true;
        } catch (TestAbortedException e) {
            return false;
        }
    }

    /** Builds the image and answers its name; skips the test where there is no container engine. */
    static synchronized String build() throws Exception {
        if (built.isEmpty()) {
            built = buildNew();
        }
        return built;
    }

    private static String buildNew() throws Exception {
        assume(DockerClientFactory.instance().isDockerAvailable(), "no container engine");
        Path root = RepositoryFiles.root();
        assume(Installation.isPossible(), "the command has not been built");
        ImageFromDockerfile image =
                new ImageFromDockerfile(NAME, false)
                        .withFileFromPath("Dockerfile", root.resolve("Dockerfile"))
                        .withFileFromPath("penstock", root.resolve("penstock"))
                        .withBuildArg("BASE_IMAGE", base(root));
        for (Path file : files(Installation.DIST)) {
            image.withFileFromPath(root.relativize(file).toString(), file);
        }
        return image.get();
    }

    /** Whatever there is but caches of linked classes, which are made within the image. */
    private static List<Path> files(Path dist) throws IOException {
        try (Stream<Path> all = Files.walk(dist)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".aot"))
                    .toList();
        }
    }

    private static String base(Path root) throws IOException, InterruptedException {
        String named = System.getenv("PENSTOCK_BASE_IMAGE");
        if (named != null && !named.isBlank()) {
            return named;
        }
        Optional<String> here = BASES.stream().filter(ContainerImage::exists).findFirst();
        if (here.isPresent()) {
            return here.get();
        }
        Process script =
                new ProcessBuilder(root.resolve("tools/base-image.sh").toString(), BASES.getFirst())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assume(script.waitFor() == 0, "no base image: " + said.strip());
        return BASES.getFirst();
    }

    private static boolean exists(String name) {
        DockerClient client = DockerClientFactory.lazyClient();
        try {
            client.inspectImageCmd(name).exec();
            return true;
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** Says why on standard output too, where a summary would only count. */
    private static void assume(boolean possible, String otherwise) {
        if (!possible) {
            System.out.println("ContainerScenariosIT skipped: " + otherwise);
        }
        Assumptions.assumeTrue(possible, "skipped: " + otherwise);
    }
}
