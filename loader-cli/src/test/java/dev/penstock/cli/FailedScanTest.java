package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a scan prints that cannot read what is stored. */
final class FailedScanTest {
    @TempDir private Path path;
    private CsvFolder folder = new CsvFolder(Path.of(""));

    @BeforeEach
    void loadAndDamage() throws IOException {
        folder = new CsvFolder(path);
        folder.write("t.sql", "CREATE TABLE t (id INT NOT NULL, name VARCHAR, PRIMARY KEY (id))");
        String text =
                IntStream.range(0, 1000).mapToObj(i -> i + ",name " + i + "\n").collect(joining());
        assertThat(folder.load(folder.write("t.csv", text)).code()).isZero();
        for (Path segment : segments()) {
            byte[] bytes = Files.readAllBytes(segment);
            for (int i = 100; i < bytes.length / 2; i++) {
                bytes[i] ^= 0x55;
            }
            Files.write(segment, bytes);
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.walk(folder.file("store"))) {
            return files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
    }

    @Test
    void with_json_it_is_one_object_and_that_is_the_error() throws IOException {
        Ran scan = folder.run("scan", "t", "--json");
        assertThat(scan.code()).isEqualTo(1);
        JsonNode printed = new ObjectMapper().readTree(scan.out());
        assertThat(scan.out().lines()).as(scan.out()).hasSize(1);
        assertThat(printed.get("error").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "jsonl", "arrow"})
    void else_it_is_nothing(String format) {
        Ran scan = folder.run("scan", "t", "--format", format);
        assertThat(scan.code()).isEqualTo(1);
        assertThat(scan.out()).isEmpty();
        assertThat(scan.err().lines()).hasSize(1);
    }
}
