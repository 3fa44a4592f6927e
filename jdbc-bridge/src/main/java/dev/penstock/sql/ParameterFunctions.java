package dev.penstock.sql;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;

import org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.UUID;

/**
 * What generated code calls for a {@code ?}, see {@link NumberRules}: it makes of what the caller
 * has set, and JDBC's driver of Calcite has passed on, a value of the type that the statement
 * expects there. Text is read as a value of that type. What is none, or out of its range, is
 * refused.
 */
@Strict
public final class ParameterFunctions {
    private ParameterFunctions() {}

    /** The value that a parameter of a type has; of types that have no function here as it is. */
    static @Nullable Object value(SqlTypeName type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case TINYINT -> tinyint(value);
            case SMALLINT -> smallint(value);
            case INTEGER -> integer(value);
            case BIGINT -> bigint(value);
            case DECIMAL -> decimal(value);
            case REAL -> real(value);
            case FLOAT, DOUBLE -> doubled(value);
            case CHAR, VARCHAR -> text(value);
            case BOOLEAN -> truth(value);
            case DATE -> date(value);
            case TIME -> time(value);
            case TIMESTAMP -> timestamp(value);
            case UUID -> uuid(value);
            default -> value;
        };
    }

    public static byte tinyint(Object value) {
        return decimal(value).byteValueExact();
    }

    public static short smallint(Object value) {
        return decimal(value).shortValueExact();
    }

    public static int integer(Object value) {
        return decimal(value).intValueExact();
    }

    public static long bigint(Object value) {
        return decimal(value).longValueExact();
    }

    public static BigDecimal decimal(Object value) {
        return switch (value) {
            case Number _, Boolean _, String _ -> ParameterValues.decimal(value);
            default -> throw refused(value, "a number");
        };
    }

    public static float real(Object value) {
        return switch (value) {
            case Float number -> NumberFunctions.oneZeroReal(number);
            case Double number -> NumberFunctions.real(number);
            case String text -> NumberFunctions.realOfText(text);
            default -> NumberFunctions.realOfDecimal(decimal(value));
        };
    }

    /** Of type DOUBLE. */
    public static double doubled(Object value) {
        return switch (value) {
            case Float number -> NumberFunctions.oneZero(number);
            case Double number -> NumberFunctions.oneZero(number);
            default -> NumberFunctions.doubleOfText(value.toString());
        };
    }

    public static String text(Object value) {
        return switch (value) {
            case String text -> text;
            case BigDecimal number -> number.toPlainString();
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            case UUID id -> id.toString();
            default -> throw refused(value, "text");
        };
    }

    public static boolean truth(Object value) {
        return value instanceof Boolean truth
                ? truth
                : (Boolean) read(new ColumnType.BooleanType(), value);
    }

    /** Days since 1970. A moment has to be a midnight. */
    public static int date(Object value) {
        return switch (value) {
            case Long millis -> day(millis);
            case Number days -> days.intValue();
            default -> ((Number) read(new ColumnType.DateType(), value)).intValue();
        };
    }

    private static int day(long millis) {
        if (Math.floorMod(millis, DateTimeUtils.MILLIS_PER_DAY) != 0) {
            throw PenstockException.data(
                    "a parameter that is a date cannot be a moment within a day, "
                            + DateTimeUtils.unixTimestampToString(millis, 3)
                            + "; give a day, or compare with a TIMESTAMP");
        }
        return Math.toIntExact(Math.floorDiv(millis, DateTimeUtils.MILLIS_PER_DAY));
    }

    /** Milliseconds since midnight. */
    public static int time(Object value) {
        return switch (value) {
            case Long millis -> (int) Math.floorMod(millis, DateTimeUtils.MILLIS_PER_DAY);
            case Number millis -> millis.intValue();
            default -> (int) millis(read(new ColumnType.TimeType(), value));
        };
    }

    /** Milliseconds since 1970; days come as integers. */
    public static long timestamp(Object value) {
        return switch (value) {
            case Integer days -> days * DateTimeUtils.MILLIS_PER_DAY;
            case Number millis -> millis.longValue();
            default -> millis(read(new ColumnType.TimestampType(), value));
        };
    }

    private static long millis(Object stored) {
        return Math.floorDiv(
                ((ParameterValues.Stored) stored).value(), CellReader.MICROS_PER_MILLI);
    }

    public static OrderedUuid uuid(Object value) {
        return OrderedUuid.of(
                value instanceof UUID id ? id : (UUID) read(new ColumnType.UuidType(), value));
    }

    private static Object read(ColumnType type, Object value) {
        return Objects.requireNonNull(new ParameterValues(new Column("?", type, true)).of(value));
    }

    private static PenstockException refused(Object value, String expected) {
        return PenstockException.data(
                "a parameter that is " + expected + " cannot be a " + value.getClass().getName());
    }
}
