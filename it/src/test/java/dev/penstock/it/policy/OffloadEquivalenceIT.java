package dev.penstock.it.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.Cli;
import dev.penstock.cli.Console;
import dev.penstock.it.LineitemFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The same shuffled file under every offload policy and every cut, each into a fresh store: the
 * checksums of all columns are equal, and with one thread the segment files are byte for byte.
 */
final class OffloadEquivalenceIT {
    private static final long SEED = 20_261_121;
    private static final List<String> VARIANTS =
            List.of(
                    "--offload all",
                    "--offload none",
                    "--offload select",
                    "--offload raw",
                    "--offload sequential",
                    "--cut raw",
                    "--cut typed",
                    "--cut sorted",
                    "--cut encoded",
                    "--cut merged");

    @TempDir private Path folder;

    @Test
    void every_policy_and_every_cut_stores_the_same_bytes() throws Exception {
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.005, SEED);
        Map<String, String> checksums = new TreeMap<>();
        Map<String, List<String>> segments = new TreeMap<>();
        for (String variant : VARIANTS) {
            Path store = folder.resolve(variant.replace(" ", ""));
            List<String> load =
                    new ArrayList<>(
                            List.of(
                                    "load",
                                    lineitem.file().toString(),
                                    "--ddl",
                                    lineitem.ddl().toString()));
            load.addAll(List.of("--store", store.toString(), "--threads", "1", "--regions", "3"));
            load.addAll(List.of("--chunk-size", "128KiB", "--quiet"));
            load.addAll(Arrays.asList(variant.split(" ")));
            run(load.toArray(String[]::new));
            checksums.put(
                    variant, run("verify", "lineitem", "--store", store.toString(), "--json"));
            segments.put(variant, segmentHashes(store));
        }
        assertThat(checksums.values().stream().distinct()).as("%s", checksums).hasSize(1);
        assertThat(segments.values().stream().distinct()).as("%s", segments).hasSize(1);
        assertThat(segments.values().iterator().next()).hasSize(3);
    }

    private static String run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        InputStream.nullInputStream(),
                        false);
        int code = Cli.run(console, args);
        assertThat(code).as("%s: %s", Arrays.toString(args), err).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    /**
     * Hashes of all segment files by region; file names hold the load's id, which is no content.
     */
    private static List<String> segmentHashes(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(file -> file.toString().endsWith(".seg"))
                    .map(file -> file.getName(file.getNameCount() - 2) + " " + sha256(file))
                    .sorted()
                    .toList();
        }
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
