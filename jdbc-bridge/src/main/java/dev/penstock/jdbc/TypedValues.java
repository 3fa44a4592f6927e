package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Map;
import java.util.UUID;

/**
 * Values of a result as objects of the class that a caller names. What the class cannot hold is
 * refused, but for digits after the point, which whole numbers are read without.
 */
final class TypedValues {
    private static final String NOT_OF_THE_CLASS = "22018";
    private static final String OUT_OF_RANGE = "22003";

    private static final Map<Class<?>, Conversion> CONVERSIONS =
            Map.ofEntries(
                    Map.entry(Object.class, (_, _, value) -> value),
                    Map.entry(String.class, (row, column, _) -> row.getString(column)),
                    Map.entry(Boolean.class, (_, _, value) -> truth(value)),
                    Map.entry(Byte.class, (_, _, value) -> whole(value).byteValueExact()),
                    Map.entry(Short.class, (_, _, value) -> whole(value).shortValueExact()),
                    Map.entry(Integer.class, (_, _, value) -> whole(value).intValueExact()),
                    Map.entry(Long.class, (_, _, value) -> whole(value).longValueExact()),
                    Map.entry(BigInteger.class, (_, _, value) -> whole(value)),
                    Map.entry(BigDecimal.class, (_, _, value) -> number(value)),
                    Map.entry(Float.class, (_, _, value) -> single(value)),
                    Map.entry(Double.class, (_, _, value) -> floating(value).doubleValue()),
                    Map.entry(Date.class, (row, column, _) -> row.getDate(column)),
                    Map.entry(Time.class, (row, column, _) -> row.getTime(column)),
                    Map.entry(Timestamp.class, (row, column, _) -> row.getTimestamp(column)),
                    // Text says what is stored in every zone, also an hour that a clock skips.
                    Map.entry(LocalDate.class, (row, column, _) -> date(row.getString(column))),
                    Map.entry(LocalTime.class, (row, column, _) -> time(row.getString(column))),
                    Map.entry(
                            LocalDateTime.class, (row, column, _) -> moment(row.getString(column))),
                    Map.entry(UUID.class, (_, _, value) -> UUID.fromString(value.toString())),
                    Map.entry(
                            byte[].class,
                            (row, column, value) ->
                                    value instanceof String ? null : row.getBytes(column)));

    private TypedValues() {}

    /** What makes an object of one class; null or an exception if the value is none. */
    @FunctionalInterface
    private interface Conversion {
        @Nullable Object of(ResultSet row, int column, Object value) throws SQLException;
    }

    /**
     * The value of a column; null if it is NULL.
     *
     * @throws SQLFeatureNotSupportedException if values are not read as the class
     * @throws SQLException if this value is not
     */
    static @Nullable Object read(ResultSet row, int column, Class<?> type) throws SQLException {
        Conversion conversion = CONVERSIONS.get(type);
        if (conversion == null) {
            throw new SQLFeatureNotSupportedException(
                    "values are not read as " + type.getName(), "0A000");
        }
        Object value = row.getObject(column);
        if (value == null) {
            return null;
        }
        try {
            Object converted = conversion.of(row, column, value);
            if (converted != null) {
                return converted;
            }
        } catch (ArithmeticException e) {
            throw refused(column, type, OUT_OF_RANGE);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw refused(column, type, NOT_OF_THE_CLASS);
        }
        throw refused(column, type, NOT_OF_THE_CLASS);
    }

    private static SQLException refused(int column, Class<?> type, String state) {
        return new SQLDataException(
                "the value of column " + column + " cannot be read as " + type.getTypeName(),
                state);
    }

    private static @Nullable Boolean truth(Object value) {
        return switch (value) {
            case Boolean truth -> truth;
            case Number number -> number.doubleValue() != 0;
            case String text when text.equalsIgnoreCase("true") -> true;
            case String text when text.equalsIgnoreCase("false") -> false;
            default -> null;
        };
    }

    private static BigInteger whole(Object value) {
        return number(value).toBigInteger();
    }

    private static BigDecimal number(Object value) {
        return switch (value) {
            case BigDecimal number -> number;
            case Boolean truth -> truth ? BigDecimal.ONE : BigDecimal.ZERO;
            case Number number -> new BigDecimal(number.toString());
            case String text -> new BigDecimal(text.strip());
            default -> throw new IllegalArgumentException();
        };
    }

    private static Number floating(Object value) {
        return value instanceof Number number ? number : number(value);
    }

    private static float single(Object value) {
        Number number = floating(value);
        float single = number.floatValue();
        if (Float.isInfinite(single) && !Double.isInfinite(number.doubleValue())) {
            throw new ArithmeticException();
        }
        return single;
    }

    private static LocalDate date(String text) {
        return text.indexOf(':') < 0 ? LocalDate.parse(text) : moment(text).toLocalDate();
    }

    private static LocalTime time(String text) {
        return text.indexOf('-') < 0
                ? LocalTime.parse(text)
                : LocalDateTime.parse(text.replace(' ', 'T')).toLocalTime();
    }

    /** Of a date its first moment. */
    private static LocalDateTime moment(String text) {
        return text.indexOf(':') < 0
                ? LocalDate.parse(text).atStartOfDay()
                : LocalDateTime.parse(text.replace(' ', 'T'));
    }
}
