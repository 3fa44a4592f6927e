package dev.penstock.jdbc;

import dev.penstock.schema.ColumnType;

import java.sql.Types;

/**
 * A column type in JDBC's terms.
 *
 * @param type from {@link Types}
 * @param name as SQL writes it, without numbers
 * @param size digits, characters or bytes at most
 * @param digits digits after the point, or -1 where that has no meaning
 */
record TypeMapping(int type, String name, int size, int digits) {
    static TypeMapping of(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ -> new TypeMapping(Types.BOOLEAN, "BOOLEAN", 1, -1);
            case ColumnType.SmallIntType _ -> new TypeMapping(Types.SMALLINT, "SMALLINT", 5, 0);
            case ColumnType.IntegerType _ -> new TypeMapping(Types.INTEGER, "INTEGER", 10, 0);
            case ColumnType.BigIntType _ -> new TypeMapping(Types.BIGINT, "BIGINT", 19, 0);
            case ColumnType.RealType _ -> new TypeMapping(Types.REAL, "REAL", 7, -1);
            case ColumnType.DoubleType _ -> new TypeMapping(Types.DOUBLE, "DOUBLE", 15, -1);
            case ColumnType.DecimalType(int precision, int scale) ->
                    new TypeMapping(Types.DECIMAL, "DECIMAL", precision, scale);
            case ColumnType.DateType _ -> new TypeMapping(Types.DATE, "DATE", 10, -1);
            case ColumnType.TimeType _ -> new TypeMapping(Types.TIME, "TIME", 15, 6);
            case ColumnType.TimestampType _ -> new TypeMapping(Types.TIMESTAMP, "TIMESTAMP", 26, 6);
            case ColumnType.CharType(int length) -> new TypeMapping(Types.CHAR, "CHAR", length, -1);
            case ColumnType.VarcharType(int length) ->
                    new TypeMapping(Types.VARCHAR, "VARCHAR", length, -1);
            case ColumnType.VarbinaryType(int length) ->
                    new TypeMapping(Types.VARBINARY, "VARBINARY", length, -1);
            case ColumnType.UuidType _ -> new TypeMapping(Types.OTHER, "UUID", 36, -1);
        };
    }
}
