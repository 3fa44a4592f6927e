package dev.penstock.convert;

import dev.penstock.schema.ColumnType;

/**
 * Exact conversion of one text value: for what the {@link ColumnConverter} kernels do not take, to
 * explain what is wrong, and for single values of commands and expressions. Knows no NULL: the
 * empty text is the empty string or no value.
 */
public final class ValueParser {
    private ValueParser() {}

    public static Parsed parse(ColumnType type, byte[] text, int from, int length) {
        return switch (type) {
            case ColumnType.BooleanType _ -> BooleanText.parse(text, from, length);
            case ColumnType.SmallIntType _ -> IntegerText.parse(2, text, from, length);
            case ColumnType.IntegerType _ -> IntegerText.parse(4, text, from, length);
            case ColumnType.BigIntType _ -> IntegerText.parse(8, text, from, length);
            case ColumnType.RealType _ -> FloatText.parse(true, text, from, length);
            case ColumnType.DoubleType _ -> FloatText.parse(false, text, from, length);
            case ColumnType.DecimalType decimal -> DecimalText.parse(decimal, text, from, length);
            case ColumnType.DateType _ -> DateText.parse(text, from, length);
            case ColumnType.TimeType _ -> TimeText.parseTime(text, from, length);
            case ColumnType.TimestampType _ -> TimeText.parseTimestamp(text, from, length);
            case ColumnType.CharType chars ->
                    CharacterText.parse(chars.length(), text, from, length);
            case ColumnType.VarcharType chars ->
                    CharacterText.parse(chars.length(), text, from, length);
            case ColumnType.VarbinaryType binary ->
                    BinaryText.parse(binary.length(), text, from, length);
            case ColumnType.UuidType _ -> UuidText.parse(text, from, length);
        };
    }
}
