package dev.penstock.sql;

import dev.penstock.convert.Parsed;
import dev.penstock.convert.ValueParser;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;

import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.UUID;

/**
 * Values as callers of JDBC set them, in the representation that {@link CellWriter} takes. Text is
 * read as a value of the column's type, whatever is not exactly one is refused.
 */
final class ParameterValues {
    private static final long NANOS_PER_MICRO = 1000;
    private static final int MILLIS_PER_SECOND = 1000;
    private static final int LAST_YEAR = 9999;
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private final Column column;

    /**
     * A value as {@link ExactFields} have it, for a column whose values Calcite does not tell
     * apart.
     *
     * @param value what is stored: of a TIME or TIMESTAMP the microseconds
     */
    record Stored(long value) {}

    ParameterValues(Column column) {
        this.column = column;
    }

    /**
     * The value for the column.
     *
     * @throws PenstockException of category DATA if it is of no type that the column takes
     * @throws NumberOutOfRange if it would become infinite
     */
    @Nullable Object of(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        try {
            Object converted = convert(value);
            if (converted != null) {
                return converted;
            }
        } catch (NumberOutOfRange e) {
            throw e;
        } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
            throw refused(value);
        }
        throw refused(value);
    }

    private PenstockException refused(Object value) {
        return PenstockException.data(
                "column "
                        + column.name()
                        + " ("
                        + column.type().sql()
                        + ") cannot take "
                        + (value instanceof Number || value instanceof CharSequence
                                ? "'" + value + "'"
                                : "a value of " + value.getClass().getName()));
    }

    private PenstockException refused(Object value, String expected) {
        return PenstockException.data(
                "column "
                        + column.name()
                        + " ("
                        + column.type().sql()
                        + ") cannot take '"
                        + value
                        + "': expected "
                        + expected);
    }

    private @Nullable Object convert(Object value) {
        return switch (column.type()) {
            case ColumnType.BooleanType _ -> truth(value);
            case ColumnType.SmallIntType _ -> decimal(value).shortValueExact();
            case ColumnType.IntegerType _ -> decimal(value).intValueExact();
            case ColumnType.BigIntType _ -> decimal(value).longValueExact();
            case ColumnType.RealType _, ColumnType.DoubleType _ -> floating(value);
            case ColumnType.DecimalType _ -> decimal(value);
            case ColumnType.DateType _ -> date(value, moment(value));
            case ColumnType.TimeType _ -> time(value, moment(value));
            case ColumnType.TimestampType _ -> timestamp(value, moment(value));
            case ColumnType.CharType _, ColumnType.VarcharType _ -> text(value);
            case ColumnType.VarbinaryType _ ->
                    value instanceof byte[] bytes ? new ByteString(bytes) : null;
            case ColumnType.UuidType _ ->
                    value instanceof UUID ? value : UUID.fromString(value.toString());
        };
    }

    private static @Nullable Object truth(Object value) {
        return switch (value) {
            case Boolean truth -> truth;
            case Number number -> truth(decimal(number));
            case String text ->
                    switch (text.strip().toLowerCase(Locale.ROOT)) {
                        case "true", "t", "1" -> true;
                        case "false", "f", "0" -> false;
                        default -> null;
                    };
            default -> null;
        };
    }

    private static @Nullable Object truth(BigDecimal number) {
        return number.signum() == 0
                ? Boolean.FALSE
                : number.compareTo(BigDecimal.ONE) == 0 ? Boolean.TRUE : null;
    }

    /** Of a number, a truth value, or text that writes a number. */
    static BigDecimal decimal(Object value) {
        return switch (value) {
            case BigDecimal number -> number;
            case BigInteger number -> new BigDecimal(number);
            case Long number -> BigDecimal.valueOf(number);
            case Integer number -> BigDecimal.valueOf(number);
            case Boolean truth -> truth ? BigDecimal.ONE : BigDecimal.ZERO;
            case Number number -> new BigDecimal(number.toString());
            default -> new BigDecimal(value.toString().strip());
        };
    }

    /** A number is infinite here only if it was before; text is read as a load reads it. */
    private double floating(Object value) {
        if (!(value instanceof Number number)) {
            return floating(value, value.toString().strip());
        }
        double nearest =
                column.type() instanceof ColumnType.RealType
                        ? number.floatValue()
                        : number.doubleValue();
        boolean wasInfinite =
                (number instanceof Double || number instanceof Float)
                        && Double.isInfinite(number.doubleValue());
        return Double.isInfinite(nearest) && !wasInfinite
                ? floating(value, number.toString())
                : nearest;
    }

    private double floating(Object value, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return switch (ValueParser.parse(column.type(), bytes, 0, bytes.length)) {
            case Parsed.LongValue(long ordered) -> FloatOrder.fromOrdered(ordered);
            case Parsed.Invalid invalid -> {
                PenstockException refused = refused(value, invalid.expected());
                throw isNumber(text)
                        ? new NumberOutOfRange(String.valueOf(refused.getMessage()))
                        : refused;
            }
            case Parsed.BytesValue _ -> throw refused(value);
        };
    }

    private static boolean isNumber(String text) {
        try {
            return new BigDecimal(text).signum() != 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static TemporalAccessor moment(Object value) {
        return switch (value) {
            case Timestamp timestamp -> timestamp.toLocalDateTime();
            case java.sql.Date date -> date.toLocalDate();
            case Time time -> local(time);
            case java.util.Date date -> local(date.toInstant());
            case Instant instant -> local(instant);
            case TemporalAccessor temporal -> temporal;
            default -> written(value.toString().strip());
        };
    }

    /** With its milliseconds, which it does not give by itself. */
    private static LocalTime local(Time time) {
        long millis = Math.floorMod(time.getTime(), MILLIS_PER_SECOND);
        return time.toLocalTime().with(ChronoField.MILLI_OF_SECOND, millis);
    }

    /** What a moment reads as where this process is, as JDBC has it. */
    private static LocalDateTime local(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneId.systemDefault());
    }

    /** A date, a time, or both with a space or a T between. */
    private static TemporalAccessor written(String text) {
        if (text.indexOf(':') < 0) {
            return LocalDate.parse(text);
        }
        TemporalAccessor moment =
                text.indexOf('-') < 0
                        ? LocalTime.parse(text)
                        : LocalDateTime.parse(text.replace(' ', 'T'));
        if (moment.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MICRO != 0) {
            throw new DateTimeException("more digits than microseconds have");
        }
        return moment;
    }

    /** Of a moment, only if it is a day's first one: nothing of it is dropped. */
    private @Nullable Object date(Object value, TemporalAccessor moment) {
        LocalDate date = moment.query(TemporalQueries.localDate());
        LocalTime time = moment.query(TemporalQueries.localTime());
        if (time != null && !time.equals(LocalTime.MIDNIGHT)) {
            throw refused(value, "a date without a time");
        }
        return date == null ? null : (Object) checked(value, date).toEpochDay();
    }

    private @Nullable Object time(Object value, TemporalAccessor moment) {
        if (moment.query(TemporalQueries.localDate()) != null) {
            throw refused(value, "a time without a date");
        }
        LocalTime time = moment.query(TemporalQueries.localTime());
        return time == null ? null : new Stored(time.toNanoOfDay() / NANOS_PER_MICRO);
    }

    /** Text of other years is read nowhere. */
    private LocalDate checked(Object value, LocalDate date) {
        if (date.getYear() < 1 || date.getYear() > LAST_YEAR) {
            throw refused(value, "a date of the years 0001 to " + LAST_YEAR);
        }
        return date;
    }

    private @Nullable Object timestamp(Object value, TemporalAccessor moment) {
        LocalDate date = moment.query(TemporalQueries.localDate());
        LocalTime time = moment.query(TemporalQueries.localTime());
        if (date == null) {
            return null;
        }
        LocalTime ofDay = time == null ? LocalTime.MIDNIGHT : time;
        return new Stored(
                Math.addExact(
                        Math.multiplyExact(checked(value, date).toEpochDay(), MICROS_PER_DAY),
                        ofDay.toNanoOfDay() / NANOS_PER_MICRO));
    }

    private static @Nullable Object text(Object value) {
        return value instanceof byte[] || value instanceof java.io.Closeable
                ? null
                : value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    }
}
