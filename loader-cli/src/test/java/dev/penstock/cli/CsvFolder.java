package dev.penstock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A folder with inputs, a store, and {@code t.sql}, which declares the table of loads. */
record CsvFolder(Path path) {
    Path write(String name, String text) throws IOException {
        return Files.write(path.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    Path file(String name) {
        return path.resolve(name);
    }

    /** Loads a file with commas and quotes, and without a header. */
    Ran load(Path file, String... more) {
        List<String> args = new ArrayList<>();
        args.addAll(List.of("load", file.toString(), "--ddl", file("t.sql").toString()));
        args.addAll(List.of("--no-header", "--delimiter", ",", "--quote", "\""));
        args.addAll(Arrays.asList(more));
        return run(args.toArray(String[]::new));
    }

    /** One command over the store. */
    Ran run(String... words) {
        List<String> args = new ArrayList<>(Arrays.asList(words));
        args.addAll(List.of("--store", file("store").toString()));
        return Ran.cli(args.toArray(String[]::new));
    }
}
