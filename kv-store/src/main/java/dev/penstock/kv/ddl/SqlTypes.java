package dev.penstock.kv.ddl;

import dev.penstock.schema.ColumnType;

import net.sf.jsqlparser.statement.create.table.ColDataType;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Column types as SQL dialects write them.
 *
 * <p>Where dialects differ: FLOAT without digits is DOUBLE; DECIMAL without digits is
 * DECIMAL(18,3), DECIMAL(p) is DECIMAL(p,0); CHAR without a length is CHAR(1), VARCHAR, TEXT and
 * VARBINARY without one are bounded by {@link ColumnType#MAX_LENGTH} only; TIME and TIMESTAMP keep
 * microseconds whatever precision up to 6 is given; TINYINT is stored as SMALLINT.
 */
final class SqlTypes {
    /** Precision and scale of a bare DECIMAL. */
    private static final ColumnType BARE_DECIMAL = new ColumnType.DecimalType(18, 3);

    private SqlTypes() {}

    /** The type, or empty if it has no counterpart; bad arguments are IllegalArgumentExceptions. */
    static Optional<ColumnType> resolve(ColDataType declared) {
        List<Integer> array = declared.getArrayData();
        if ((array != null && !array.isEmpty())
                || declared.getSignedness() == ColDataType.Signedness.UNSIGNED) {
            return Optional.empty();
        }
        String text = declared.getDataType();
        StringBuilder name = new StringBuilder();
        List<String> arguments = new ArrayList<>();
        int open = text.indexOf('(');
        int close = text.indexOf(')', Math.max(0, open));
        if (open >= 0 && close > open) {
            name.append(text, 0, open).append(' ').append(text, close + 1, text.length());
            arguments.addAll(List.of(text.substring(open + 1, close).split(",")));
        } else {
            name.append(text);
        }
        if (declared.getArgumentsStringList() != null) {
            arguments.addAll(declared.getArgumentsStringList());
        }
        String normalized =
                name.toString().strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
        return resolve(normalized, numbers(arguments));
    }

    private static Optional<ColumnType> resolve(String name, List<Integer> arguments) {
        return switch (name) {
            case "BOOLEAN", "BOOL", "LOGICAL" -> plain(new ColumnType.BooleanType(), arguments);
            case "TINYINT", "SMALLINT", "INT2", "SHORT" ->
                    plain(new ColumnType.SmallIntType(), arguments);
            case "INTEGER", "INT", "INT4", "SIGNED", "MEDIUMINT" ->
                    plain(new ColumnType.IntegerType(), arguments);
            case "BIGINT", "INT8", "LONG", "INT64" -> plain(new ColumnType.BigIntType(), arguments);
            case "REAL", "FLOAT4" -> plain(new ColumnType.RealType(), arguments);
            case "DOUBLE", "DOUBLE PRECISION", "FLOAT8" ->
                    plain(new ColumnType.DoubleType(), arguments);
            case "FLOAT" -> Optional.of(floating(arguments));
            case "DECIMAL", "NUMERIC", "DEC", "NUMBER" -> Optional.of(decimal(arguments));
            case "DATE" -> plain(new ColumnType.DateType(), arguments);
            case "TIME", "TIME WITHOUT TIME ZONE" ->
                    micros(name, new ColumnType.TimeType(), arguments);
            case "TIMESTAMP", "TIMESTAMP WITHOUT TIME ZONE", "DATETIME", "TIMESTAMP_NTZ" ->
                    micros(name, new ColumnType.TimestampType(), arguments);
            case "CHAR", "CHARACTER", "NCHAR", "NATIONAL CHARACTER", "NATIONAL CHAR", "BPCHAR" ->
                    Optional.of(new ColumnType.CharType(length(name, arguments, 1)));
            case "VARCHAR",
                    "CHARACTER VARYING",
                    "CHAR VARYING",
                    "NVARCHAR",
                    "VARCHAR2",
                    "NVARCHAR2",
                    "NATIONAL CHARACTER VARYING",
                    "NATIONAL CHAR VARYING",
                    "TEXT",
                    "STRING",
                    "CLOB",
                    "CHARACTER LARGE OBJECT",
                    "LONGVARCHAR" ->
                    Optional.of(
                            new ColumnType.VarcharType(
                                    length(name, arguments, ColumnType.MAX_LENGTH)));
            case "VARBINARY",
                    "BINARY",
                    "BINARY VARYING",
                    "BYTEA",
                    "BLOB",
                    "BYTES",
                    "BINARY LARGE OBJECT",
                    "LONGVARBINARY" ->
                    Optional.of(
                            new ColumnType.VarbinaryType(
                                    length(name, arguments, ColumnType.MAX_LENGTH)));
            case "UUID", "GUID", "UNIQUEIDENTIFIER" -> plain(new ColumnType.UuidType(), arguments);
            default -> Optional.empty();
        };
    }

    private static Optional<ColumnType> plain(ColumnType type, List<Integer> arguments) {
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException(type.sql() + " takes no number in parentheses");
        }
        return Optional.of(type);
    }

    private static Optional<ColumnType> micros(
            String name, ColumnType type, List<Integer> arguments) {
        if (arguments.size() > 1 || (arguments.size() == 1 && arguments.getFirst() > 6)) {
            throw new IllegalArgumentException(name + " keeps microseconds, 6 digits at most");
        }
        return Optional.of(type);
    }

    private static ColumnType floating(List<Integer> arguments) {
        if (arguments.isEmpty()) {
            return new ColumnType.DoubleType();
        }
        if (arguments.size() > 1 || arguments.getFirst() < 1 || arguments.getFirst() > 53) {
            throw new IllegalArgumentException("FLOAT takes one number of bits, 1 to 53");
        }
        return arguments.getFirst() <= 24 ? new ColumnType.RealType() : new ColumnType.DoubleType();
    }

    private static ColumnType decimal(List<Integer> arguments) {
        return switch (arguments.size()) {
            case 0 -> BARE_DECIMAL;
            case 1 -> new ColumnType.DecimalType(arguments.getFirst(), 0);
            case 2 -> new ColumnType.DecimalType(arguments.getFirst(), arguments.getLast());
            default -> throw new IllegalArgumentException("DECIMAL takes precision and scale");
        };
    }

    private static int length(String name, List<Integer> arguments, int absent) {
        if (arguments.size() > 1) {
            throw new IllegalArgumentException(name + " takes one length");
        }
        return arguments.isEmpty() ? absent : arguments.getFirst();
    }

    private static List<Integer> numbers(List<String> arguments) {
        List<Integer> numbers = new ArrayList<>();
        for (String argument : arguments) {
            try {
                numbers.add(Integer.parseInt(argument.strip()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'" + argument.strip() + "' is not a whole number", e);
            }
        }
        return numbers;
    }
}
