package dev.penstock.sql.differential;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A random table. Values are BigDecimal of exact numbers, Double of REAL and DOUBLE, Boolean,
 * String, UUID, LocalDate, LocalTime and LocalDateTime.
 *
 * @param rows one value for each column; the first column, id, has the row's number
 */
record SampleTable(String name, Key key, List<@Nullable Object[]> rows) {
    /** A column: its type in SQL and in the reference, and whether queries compute with it. */
    enum SampleType {
        ID("INTEGER NOT NULL"),
        SMALL("SMALLINT"),
        INT("INTEGER"),
        BIG("BIGINT"),
        MONEY("DECIMAL(9,2)"),
        WIDE("DECIMAL(30,3)"),
        REAL("REAL"),
        DOUBLE("DOUBLE"),
        RATIO("DOUBLE NOT NULL"),
        TRUTH("BOOLEAN"),
        TEXT("VARCHAR(20)"),
        DAY("DATE"),
        CLOCK("TIME"),
        MOMENT("TIMESTAMP"),
        UUID("UUID");

        private final String sql;

        SampleType(String sql) {
            this.sql = sql;
        }

        String column() {
            return "c_" + name().toLowerCase(java.util.Locale.ROOT);
        }

        boolean isExact() {
            return switch (this) {
                case ID, SMALL, INT, BIG, MONEY, WIDE -> true;
                default -> false;
            };
        }

        boolean isFloating() {
            return this == REAL || this == DOUBLE || this == RATIO;
        }

        /** Whether sums with small constants stay within the type. */
        boolean isSmall() {
            return this == SMALL || this == INT || this == MONEY || isFloating();
        }

        /** Whether Calcite's code can sort by values and compare them with less and greater. */
        boolean isOrdered() {
            return this != UUID;
        }

        boolean isNullable() {
            return !sql.endsWith("NOT NULL");
        }
    }

    /** What identifies rows. */
    enum Key {
        NONE(""),
        ID(", PRIMARY KEY (c_id)"),
        RATIO_AND_ID(", PRIMARY KEY (c_ratio DESC, c_id)");

        private final String sql;

        Key(String sql) {
            this.sql = sql;
        }
    }

    static final SampleType[] TYPES = SampleType.values();

    private static final double[] DOUBLES = {
        -0.0,
        0.0,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0.1,
        -1.5,
        2.25,
        1e300,
        -1e300,
        Double.MIN_VALUE,
        1e15,
        3
    };
    private static final float[] FLOATS = {
        -0.0f,
        0,
        Float.NaN,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        0.1f,
        -1.5f,
        2.25f,
        1e30f,
        -1e30f,
        Float.MIN_VALUE,
        16777216,
        3
    };
    private static final long[] LONGS = {
        Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, 9_007_199_254_740_993L, 5_000_000_000L
    };
    private static final String[] TEXTS = {
        "",
        " ",
        "a",
        "A",
        "ab",
        "abc",
        "a ",
        "b%",
        "b_",
        "é",
        "ß",
        "日本",
        "\uD83D\uDE00",
        "'q'",
        "\\",
        "0",
        "10",
        "9",
        "null"
    };

    static SampleTable random(String name, Random random, int count) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            @Nullable Object[] row = new Object[TYPES.length];
            row[0] = BigDecimal.valueOf(i);
            for (int column = 1; column < row.length; column++) {
                boolean empty = TYPES[column].isNullable() && random.nextInt(7) == 0;
                row[column] = empty ? null : value(TYPES[column], random);
            }
            rows.add(row);
        }
        return new SampleTable(name, Key.values()[random.nextInt(3)], rows);
    }

    /** A value that a column of the type may have; few enough that they meet. */
    static Object value(SampleType type, Random random) {
        return switch (type) {
            case ID -> BigDecimal.valueOf(random.nextInt(40));
            case SMALL -> BigDecimal.valueOf(random.nextInt(9) - 4L);
            case INT -> BigDecimal.valueOf(random.nextInt(2000) - 1000L);
            case BIG -> BigDecimal.valueOf(LONGS[random.nextInt(LONGS.length)]);
            case MONEY -> BigDecimal.valueOf(random.nextInt(60) * 25L - 700, 2);
            case WIDE ->
                    BigDecimal.valueOf(random.nextInt(5) - 2L)
                            .multiply(new BigDecimal("12345678901234567890123456.789"));
            case REAL -> (double) FLOATS[random.nextInt(FLOATS.length)];
            case DOUBLE, RATIO -> DOUBLES[random.nextInt(DOUBLES.length)];
            case TRUTH -> random.nextBoolean();
            case TEXT -> TEXTS[random.nextInt(TEXTS.length)];
            case DAY -> LocalDate.of(1, 1, 1).plusDays(random.nextInt(3) * 700_000L);
            case CLOCK -> LocalTime.MIDNIGHT.plusNanos(random.nextInt(4) * 28_799_999_000_000L);
            case MOMENT ->
                    LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000)
                            .plusSeconds(random.nextInt(5) * 1_000_000_000L);
            case UUID -> new UUID(random.nextInt(3), random.nextInt(3));
        };
    }

    String ddl() {
        StringBuilder text = new StringBuilder("CREATE TABLE ").append(name).append(" (");
        for (SampleType type : TYPES) {
            text.append(type == SampleType.ID ? "" : ", ");
            text.append(type.column()).append(' ').append(type.sql);
        }
        return text.append(key.sql).append(')').toString();
    }
}
