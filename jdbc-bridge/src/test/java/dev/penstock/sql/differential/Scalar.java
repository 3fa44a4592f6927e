package dev.penstock.sql.differential;

import dev.penstock.sql.differential.SampleTable.SampleType;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.UUID;

/** An expression of a value. */
sealed interface Scalar {
    String sql();

    /** Of a row; null is NULL. */
    @Nullable Object of(@Nullable Object[] row);

    /** A column of the table that the query calls {@code alias}. */
    record Column(SampleType type) implements Scalar {
        @Override
        public String sql() {
            return type.column();
        }

        @Override
        public @Nullable Object of(@Nullable Object[] row) {
            return row[type.ordinal()];
        }
    }

    /** A constant that is written as one of that type. */
    record Constant(SampleType type, Object value) implements Scalar {
        private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
        private static final DateTimeFormatter MOMENT =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

        @Override
        public String sql() {
            return switch (value) {
                case BigDecimal number -> number.toPlainString();
                case Double number ->
                        "CAST('%s' AS %s)"
                                .formatted(
                                        type == SampleType.REAL
                                                ? Float.toString(number.floatValue())
                                                : number.toString(),
                                        type == SampleType.REAL ? "REAL" : "DOUBLE");
                case Boolean truth -> truth.toString();
                case String text -> "'" + text.replace("'", "''") + "'";
                case LocalDate date -> "DATE '" + date + "'";
                case LocalTime time -> "TIME '" + CLOCK.format(time) + "'";
                case LocalDateTime moment -> "TIMESTAMP '" + MOMENT.format(moment) + "'";
                case UUID id -> "UUID '" + id + "'";
                default -> throw new IllegalArgumentException("no literal of " + value.getClass());
            };
        }

        @Override
        public Object of(@Nullable Object[] row) {
            return value;
        }
    }

    /** A number plus, minus or times a small constant; of a REAL it is one. */
    record Sum(Column left, char operator, BigDecimal right) implements Scalar {
        @Override
        public String sql() {
            String constant = left.type().isFloating() ? right + "e0" : right.toString();
            boolean real = left.type() == SampleType.REAL;
            return "(%s %s %s)"
                    .formatted(
                            left.sql(), operator, real ? "CAST(" + right + " AS REAL)" : constant);
        }

        @Override
        public @Nullable Object of(@Nullable Object[] row) {
            return switch (left.of(row)) {
                case BigDecimal number ->
                        switch (operator) {
                            case '+' -> number.add(right);
                            case '-' -> number.subtract(right);
                            default -> number.multiply(right);
                        };
                case Double number -> {
                    double constant = right.doubleValue();
                    double result =
                            switch (operator) {
                                case '+' -> number + constant;
                                case '-' -> number - constant;
                                default -> number * constant;
                            };
                    yield left.type() == SampleType.REAL ? (double) (float) result : result;
                }
                case null -> null;
                default -> throw new IllegalArgumentException("no number");
            };
        }
    }

    /**
     * The order of two values of one type: of numbers as PostgreSQL has it, of text by code points.
     */
    static int compare(Object left, Object right) {
        return switch (left) {
            case Double number -> Double.compare(number + 0.0, asDouble(right) + 0.0);
            case BigDecimal number when right instanceof Double other ->
                    Double.compare(number.doubleValue() + 0.0, other + 0.0);
            case BigDecimal number -> number.compareTo((BigDecimal) right);
            case Boolean truth -> truth.compareTo((Boolean) right);
            case String text -> compareText(text, (String) right);
            case LocalDate date -> date.compareTo((LocalDate) right);
            case LocalTime time -> time.compareTo((LocalTime) right);
            case LocalDateTime moment -> moment.compareTo((LocalDateTime) right);
            case UUID id -> id.toString().compareTo(right.toString());
            default -> throw new IllegalArgumentException("no order of " + left.getClass());
        };
    }

    private static double asDouble(Object number) {
        return ((Number) number).doubleValue();
    }

    private static int compareText(String left, String right) {
        int[] a = left.codePoints().toArray();
        int[] b = right.codePoints().toArray();
        return java.util.Arrays.compare(a, b);
    }
}
