package dev.penstock.loader.fake;

import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Texts of {@link TestTables#ORDERS} and how they are loaded. */
public final class Orders {
    private Orders() {}

    /** Orders in random order of key, as {@code |} separated records. */
    public static List<String> records(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long id = Long.reverse(i * 2_654_435_761L) >>> 1;
            String note = random.nextInt(10) == 0 ? "" : "note " + random.nextInt(1_000_000);
            records.add(
                    id
                            + "|"
                            + (random.nextBoolean() ? "open" : "closed")
                            + "|"
                            + random.nextInt(100_000)
                            + ".25|"
                            + "2024-02-"
                            + (10 + random.nextInt(19))
                            + "|"
                            + note);
        }
        return records;
    }

    /** Writes an input of lines. */
    public static Path write(Path file, List<String> lines) {
        return write(file, String.join("\n", lines) + "\n");
    }

    /** Writes an input. */
    public static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads inputs into four regions by two threads. */
    public static LoadSpecBuilder spec(Path... inputs) {
        LoadSpecBuilder spec =
                LoadSpec.builder("orders")
                        .schema(TestTables.ORDERS)
                        .regions(4)
                        .threads(2)
                        .dialect(DialectOptions.DEFAULT.withDelimiter('|'));
        for (Path input : inputs) {
            spec.from(input.toString());
        }
        return spec;
    }
}
