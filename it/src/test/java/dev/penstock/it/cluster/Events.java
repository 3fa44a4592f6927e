package dev.penstock.it.cluster;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * The rows of one load of the scenarios, in an order that reaches all key ranges at any time. Rows
 * of different loads lie between one another, so that every load touches every region, and every
 * row says which load it belongs to.
 *
 * @param load number of the load, from 0 to {@link #MAX_LOADS} - 1
 * @param rows how many
 * @param sum of the amounts
 * @param text of all rows, one line each
 */
record Events(int load, int rows, long sum, byte[] text) {
    static final String TABLE = "events";
    static final String DDL_FILE = "events.sql";
    static final String DDL =
            "CREATE TABLE events (id BIGINT NOT NULL, load_no INTEGER NOT NULL, amount BIGINT NOT"
                    + " NULL, note VARCHAR(200) NOT NULL, PRIMARY KEY (id))";

    private static final int MAX_LOADS = 16;
    private static final int STRIDE = 7_919;
    private static final int NOTE_CHARACTERS = 96;

    /** All loads spread over the same keys, however many rows they have. */
    private static final long KEYS = 16_000_000;

    /** Rows whose notes no compression makes smaller than three quarters. */
    static Events of(int load, int rows) {
        if (rows % STRIDE == 0 || load >= MAX_LOADS || rows > KEYS / MAX_LOADS) {
            throw new IllegalArgumentException(rows + " rows of load " + load);
        }
        Random random = new Random(20_261_120L + load);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
        StringBuilder text = new StringBuilder(rows * (NOTE_CHARACTERS + 32));
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            long id = (long) i * STRIDE % rows * KEYS / rows + load;
            int amount = random.nextInt(1_000_000);
            sum += amount;
            text.append(id).append('|').append(load).append('|').append(amount).append('|');
            for (int c = 0; c < NOTE_CHARACTERS; c++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            text.append('\n');
        }
        return new Events(load, rows, sum, text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** The first half, cut anywhere: within a line, most likely. */
    byte[] firstHalf() {
        return java.util.Arrays.copyOf(text, text.length / 2);
    }

    byte[] secondHalf() {
        return java.util.Arrays.copyOfRange(text, text.length / 2, text.length);
    }

    /** Arguments of a load that cuts its input into chunks of which many are on their way. */
    static List<String> arguments(String server) {
        return List.of(
                "load",
                "-",
                "--table",
                TABLE,
                "--ddl",
                DDL_FILE,
                "--delimiter",
                "|",
                "--connect",
                server,
                "--insecure",
                "--regions",
                "6",
                "--threads",
                "2",
                "--chunk-size",
                "128KiB",
                "--quiet");
    }
}
