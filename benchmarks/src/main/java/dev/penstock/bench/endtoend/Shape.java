package dev.penstock.bench.endtoend;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Kinds of data that a loader meets besides the usual benchmarks, each one a table of its own. Rows
 * are the same every time.
 */
enum Shape {
    INTEGERS(
            "id BIGINT NOT NULL, a INTEGER, b INTEGER, c INTEGER, d BIGINT, e BIGINT, f SMALLINT") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(random.nextInt(1_000_000)).append(',');
            out.append(random.nextInt(-50_000, 50_000)).append(',').append(random.nextInt(100));
            out.append(',').append(random.nextLong(1_000_000_000_000L)).append(',');
            out.append(random.nextLong()).append(',').append(random.nextInt(-1500, 1500));
        }
    },
    /** With as many digits as it takes to tell each from its neighbours, and with few. */
    DOUBLES("id BIGINT NOT NULL, a DOUBLE, b DOUBLE, c DOUBLE, d REAL, e DOUBLE") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(random.nextDouble()).append(',');
            out.append(random.nextDouble(-1e6, 1e6)).append(',');
            out.append(random.nextDouble() * 1e-30).append(',');
            out.append((float) random.nextInt(1_000_000) / 1000).append(',');
            out.append(random.nextInt(1_000_000) / 1000.0);
        }
    },
    TIMES("id BIGINT NOT NULL, a TIMESTAMP, b DATE, c TIME, d TIMESTAMP") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',');
            out.append(format("20%02d-%02d-%02d %02d:%02d:%02d", random, 30, 12, 28, 24, 60, 60));
            out.append(format(",19%02d-%02d-%02d", random, 100, 12, 28));
            out.append(format(",%02d:%02d:%02d", random, 24, 60, 60));
            out.append(format(",20%02d-%02d-%02d %02d:%02d:%02d", random, 30, 12, 28, 24, 60, 60));
            out.append(format(".%03d", random, 1000));
        }
    },
    /** Half of the columns have no value at all. */
    EMPTY_COLUMNS(
            "id BIGINT NOT NULL, a INTEGER, b VARCHAR(30), c DATE, d INTEGER, e VARCHAR(30),"
                    + " f DATE, g BIGINT, h VARCHAR(30), i DECIMAL(9,3), j DECIMAL(12,2)") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(random.nextInt(1_000_000)).append(",name ");
            out.append(random.nextInt(1000))
                    .append(format(",20%02d-%02d-%02d", random, 30, 12, 28));
            out.append(",,,,,,,").append(random.nextInt(1_000_000)).append(".25");
        }
    },
    /** Of most columns one value of twenty is there. */
    SPARSE(
            "id BIGINT NOT NULL, a INTEGER, b VARCHAR(30), c INTEGER, d BIGINT, e INTEGER,"
                    + " f VARCHAR(30), g BIGINT, h INTEGER, i SMALLINT NOT NULL") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row);
            for (int column = 0; column < 8; column++) {
                out.append(',');
                if (random.nextInt(20) == 0) {
                    out.append(column % 4 == 1 ? "name " : "").append(random.nextInt(1_000_000));
                }
            }
            out.append(',').append(random.nextInt(100));
        }
    },
    TEXT_KEYS("id VARCHAR(40) NOT NULL, a INTEGER, b VARCHAR(30)") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append("customer-").append(random.nextLong(1_000_000_000_000L)).append('-');
            out.append(row).append(',').append(random.nextInt(1_000_000)).append(",name ");
            out.append(random.nextInt(1000));
        }
    },
    UUID_KEYS("id UUID NOT NULL, a INTEGER, b VARCHAR(30)") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(new UUID(random.nextLong(), row)).append(',');
            out.append(random.nextInt(1_000_000)).append(",name ").append(random.nextInt(1000));
        }
    },
    /** Few different ones, which begin and end alike. */
    ALIKE_TEXTS("id BIGINT NOT NULL, url VARCHAR(80), again VARCHAR(80)") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row);
            for (int column = 0; column < 2; column++) {
                out.append(",https://www.example.com/catalog/");
                out.append(String.format(Locale.ROOT, "%06d", random.nextInt(4000)));
                out.append("/index.html");
            }
        }
    },
    /** Nothing in common with each other. */
    HEX_TEXTS("id BIGINT NOT NULL, a CHAR(16), b VARCHAR(40), c UUID") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            HexFormat hex = HexFormat.of();
            out.append(row).append(',').append(hex.toHexDigits(random.nextLong())).append(',');
            out.append(hex.toHexDigits(random.nextLong()));
            out.append(hex.toHexDigits(random.nextLong())).append(',');
            out.append(new UUID(random.nextLong(), random.nextLong()));
        }
    },
    /** All fields are, and some hold quotes. */
    QUOTED("id BIGINT NOT NULL, a INTEGER, b VARCHAR(30), c VARCHAR(40)") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append('"').append(row).append("\",\"").append(random.nextInt(1_000_000));
            out.append("\",\"name, number ").append(random.nextInt(1000));
            out.append("\",\"said \"\"yes\"\" to ").append(random.nextInt()).append('"');
        }
    },
    BEYOND_ASCII("id BIGINT NOT NULL, a VARCHAR(60), b VARCHAR(60)") {
        private static final String[] NAMES = {"Müller", "Łukasz", "Zoë", "Владимир", "田中", "Ægir"};

        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(NAMES[random.nextInt(NAMES.length)]).append(' ');
            out.append(random.nextInt(100_000))
                    .append(",Große Gasse ")
                    .append(random.nextInt(9999));
        }
    },
    TWO_COLUMNS("id BIGINT NOT NULL, v INTEGER") {
        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(random.nextInt(1000));
        }
    },
    /** What a web server writes: addresses, paths that differ, a few long texts over and over. */
    WEB_LOG(
            "id BIGINT NOT NULL, at TIMESTAMP, ip VARCHAR(15), method VARCHAR(8), path VARCHAR(80),"
                    + " status SMALLINT, bytes INTEGER, seconds DOUBLE, referer VARCHAR(80),"
                    + " agent VARCHAR(160)") {
        private static final String[] METHODS = {"GET", "GET", "GET", "POST", "PUT"};
        private static final String[] FOLDERS = {"/shop/", "/api/v1/items/", "/users/", "/blog/"};
        private static final String[] ENGINES = {"google", "bing", "example", "duckduckgo"};
        private static final String[] SYSTEMS = {
            "X11; Linux x86_64",
            "Windows NT 10.0; Win64; x64",
            "Macintosh; Intel Mac OS X 10_15_7",
            "iPhone; CPU iPhone OS 17_1 like Mac OS X"
        };

        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(time(row / 7));
            out.append(format(".%03d,", random, 1000));
            out.append(random.nextInt(1, 224)).append('.').append(random.nextInt(256)).append('.');
            out.append(random.nextInt(256)).append('.').append(random.nextInt(256)).append(',');
            out.append(oneOf(METHODS, random)).append(',').append(oneOf(FOLDERS, random));
            out.append(random.nextInt(1_000_000)).append("?ref=").append(hex(random, 8));
            out.append(',').append(random.nextInt(5) == 0 ? 404 : 200).append(',');
            out.append(random.nextInt(1 + random.nextInt(100_000))).append(',');
            out.append(random.nextInt(30_000) / 1e4).append(',');
            if (random.nextInt(5) < 3) {
                out.append("https://www.").append(oneOf(ENGINES, random));
                out.append(".com/search?q=").append(hex(random, 6));
            }
            out.append(",\"Mozilla/5.0 (").append(oneOf(SYSTEMS, random));
            out.append(") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/");
            out.append(random.nextInt(100, 131)).append(".0.0.0 Safari/537.36\"");
        }
    },
    /** Names, addresses and numbers of people. */
    CONTACTS(
            "id BIGINT NOT NULL, first VARCHAR(20), last VARCHAR(20), email VARCHAR(60),"
                    + " phone VARCHAR(20), address VARCHAR(60), city VARCHAR(20), zip CHAR(5),"
                    + " born DATE, created TIMESTAMP, active BOOLEAN, balance DECIMAL(12,2),"
                    + " ref UUID") {
        private static final String[] FIRST = {"James", "Mary", "Robert", "Linda", "José", "Zoë"};
        private static final String[] LAST = {"Smith", "Johnson", "Brown", "Müller", "O'Neil"};
        private static final String[] HOSTS = {"gmail.com", "yahoo.com", "example.org"};
        private static final String[] STREETS = {"Main St", "Oak Ave", "Park Blvd", "Elm Street"};

        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(oneOf(FIRST, random)).append(',');
            out.append(oneOf(LAST, random)).append(',').append(hex(random, 7)).append('.');
            out.append(random.nextInt(10_000)).append('@').append(oneOf(HOSTS, random));
            out.append(",+").append(random.nextInt(1, 100)).append(' ');
            out.append(random.nextInt(100, 1000)).append(' ');
            out.append(random.nextInt(1_000_000, 10_000_000)).append(",\"");
            out.append(random.nextInt(1, 10_000)).append(' ').append(oneOf(STREETS, random));
            out.append(", Apt. ").append(random.nextInt(100)).append("\",City ");
            out.append(random.nextInt(3000)).append(',').append(random.nextInt(10_000, 100_000));
            out.append(format(",19%02d-%02d-%02d,", random, 100, 12, 28));
            out.append(time(random.nextLong(100_000_000))).append(',');
            out.append(random.nextBoolean()).append(',').append(random.nextInt(10_000_000) / 100.0);
            out.append(',').append(new UUID(random.nextLong(), random.nextLong()));
        }
    },
    /** Measurements of fifty devices, every second of each: a key of time and device. */
    SENSORS(
            "at TIMESTAMP NOT NULL, device VARCHAR(20) NOT NULL, a DOUBLE, b DECIMAL(8,2),"
                    + " c DECIMAL(8,2), d DOUBLE, e DOUBLE, f DOUBLE, g INTEGER, state VARCHAR(8)",
            "at, device") {
        private static final int DEVICES = 50;
        private static final String[] STATES = {"ok", "ok", "ok", "warn", "fail"};

        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(time(row / DEVICES)).append(",device-");
            out.append(1000 + row % DEVICES).append(',').append(random.nextInt(5000) / 1e3);
            out.append(',').append(random.nextInt(6000) / 100.0).append(',');
            out.append(random.nextInt(100_000, 103_000) / 100.0).append(',');
            out.append(random.nextDouble()).append(',').append(random.nextDouble() / 1000);
            out.append(',').append(random.nextInt(100_000_000) / 100.0).append(',');
            out.append(random.nextInt(100)).append(',').append(oneOf(STATES, random));
        }
    },
    /** Texts of 20 to 160 words. */
    REVIEWS("id BIGINT NOT NULL, product INTEGER, stars SMALLINT, day DATE, review VARCHAR(2000)") {
        private static final String[] WORDS = {
            "the",
            "of",
            "and",
            "a",
            "to",
            "in",
            "is",
            "you",
            "that",
            "it",
            "product",
            "quality",
            "excellent",
            "bad",
            "delivery",
            "was",
            "great",
            "price",
            "would",
            "recommend",
            "never",
            "again",
            "works",
            "perfectly",
            "battery",
            "screen",
            "value",
            "money",
            "customer",
            "service",
            "average",
            "fast",
            "slow",
            "broken",
            "cheap",
            "fits",
            "color",
            "however"
        };

        @Override
        void write(SplittableRandom random, long row, StringBuilder out) {
            out.append(row).append(',').append(random.nextInt(100_000)).append(',');
            out.append(random.nextInt(1, 6))
                    .append(format(",20%02d-%02d-%02d,", random, 25, 12, 28));
            int words = random.nextInt(20, 161);
            for (int i = 0; i < words; i++) {
                out.append(i == 0 ? "" : " ").append(oneOf(WORDS, random));
            }
        }
    };

    private static final long SEED = 11;
    private static final long FIRST_SECOND = 1_704_067_200;
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private final String columns;
    private final String key;

    Shape(String columns) {
        this(columns, "id");
    }

    Shape(String columns, String key) {
        this.columns = columns;
        this.key = key;
    }

    /** Appends a line without its end. */
    abstract void write(SplittableRandom random, long row, StringBuilder out);

    String ddl() {
        return "CREATE TABLE shape (" + columns + ", PRIMARY KEY (" + key + "))";
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    void write(Path file, long rows) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder line = new StringBuilder();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (long row = 0; row < rows; row++) {
                line.setLength(0);
                write(random, row, line);
                out.append(line.append('\n'));
            }
        }
    }

    private static String oneOf(String[] texts, SplittableRandom random) {
        return texts[random.nextInt(texts.length)];
    }

    /** So many of its digits. */
    private static String hex(SplittableRandom random, int digits) {
        return HexFormat.of().toHexDigits(random.nextLong(), digits);
    }

    /** The time so many seconds after the year 2024 began. */
    private static String time(long seconds) {
        return SECONDS.format(
                LocalDateTime.ofEpochSecond(FIRST_SECOND + seconds, 0, ZoneOffset.UTC));
    }

    /** Numbers below the limits, days and months from 1 on. */
    private static String format(String form, SplittableRandom random, Object... limits) {
        Object[] values = new Object[limits.length];
        for (int i = 0; i < limits.length; i++) {
            int limit = (int) limits[i];
            values[i] = random.nextInt(limit == 12 || limit == 28 ? 1 : 0, limit);
        }
        return String.format(Locale.ROOT, form, values);
    }
}
