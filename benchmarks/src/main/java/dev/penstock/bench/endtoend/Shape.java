package dev.penstock.bench.endtoend;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    };

    private static final long SEED = 11;

    private final String columns;

    Shape(String columns) {
        this.columns = columns;
    }

    /** Appends a line without its end. */
    abstract void write(SplittableRandom random, long row, StringBuilder out);

    String ddl() {
        return "CREATE TABLE shape (" + columns + ", PRIMARY KEY (id))";
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
