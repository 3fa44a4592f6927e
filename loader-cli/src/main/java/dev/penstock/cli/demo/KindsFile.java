package dev.penstock.cli.demo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A file of what the other tables have little of: keys of text and UUIDs in no order, numbers with
 * many digits, times, columns with few values. Rows are the same every time.
 *
 * @param folder where the file is, and two tables of its columns, one by each key
 */
record KindsFile(Path folder) {
    private static final int ROWS = 80_000;

    private static final String COLUMNS =
            """
            name VARCHAR(40) NOT NULL, id UUID NOT NULL, amount DOUBLE, share REAL, counted BIGINT,
            at TIMESTAMP, clock TIME, valid BOOLEAN, rare INTEGER, note VARCHAR(40)\
            """;

    Path file() {
        return folder.resolve("kinds.csv");
    }

    /** The columns of {@code CREATE TABLE} by a key. */
    private static String ddl(String table, String key) {
        return "CREATE TABLE " + table + " (" + COLUMNS + ", PRIMARY KEY (" + key + "));\n";
    }

    Path byName() {
        return folder.resolve("kinds_by_name.sql");
    }

    Path byId() {
        return folder.resolve("kinds_by_id.sql");
    }

    /**
     * Writes all three.
     *
     * @throws IOException if there is no room
     */
    void write() throws IOException {
        Files.writeString(byName(), ddl("kinds_by_name", "name"));
        Files.writeString(byId(), ddl("kinds_by_id", "id"));
        SplittableRandom random = new SplittableRandom(3);
        try (BufferedWriter out = Files.newBufferedWriter(file())) {
            for (int row = 0; row < ROWS; row++) {
                out.write(String.join(",", fields(random, row)));
                out.write('\n');
            }
        }
    }

    private static List<String> fields(SplittableRandom random, int row) {
        String clock = String.join(":", two(random, 24), two(random, 60), two(random, 60));
        String day = String.join("-", "20" + two(random, 30), "1" + random.nextInt(3), "28");
        boolean quoted = random.nextInt(8) == 0;
        return List.of(
                "customer " + random.nextInt(1_000_000_000) + "-" + row,
                new UUID(random.nextLong(), random.nextLong()).toString(),
                Double.toString(random.nextDouble() * 1e6),
                Float.toString(random.nextInt(1_000_000) / 1000f),
                Long.toString(random.nextLong() >> random.nextInt(40)),
                day + " " + clock,
                clock,
                Boolean.toString(random.nextBoolean()),
                random.nextInt(20) == 0 ? Integer.toString(random.nextInt()) : "",
                random.nextBoolean() ? "" : note(random.nextInt(1_000_000), quoted));
    }

    /** Two digits, below a limit. */
    private static String two(SplittableRandom random, int limit) {
        int number = random.nextInt(limit);
        return number < 10 ? "0" + number : Integer.toString(number);
    }

    private static String note(int number, boolean quoted) {
        return quoted ? "\"said \"\"no. " + number + "\"\", and left\"" : "noted as café " + number;
    }
}
