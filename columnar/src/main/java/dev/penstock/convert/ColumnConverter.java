package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.schema.ColumnType;

/**
 * Converts one column of a window of rows: the fast, static kernel of its type. Values that it
 * cannot take (wrong ones, and rare but right ones) make it answer false; the caller then converts
 * the window's column again, one by one, with {@link ValueParser}.
 *
 * <p>Owned by one thread. A field of length 0 becomes 0 or the empty string; whether that is NULL
 * the caller decides.
 */
public interface ColumnConverter {
    /**
     * Converts fields to the rows of {@code out} from {@code row} on.
     *
     * @return whether all of them were converted
     */
    boolean convert(FieldBounds fields, ColumnData out, int row);

    static ColumnConverter of(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ ->
                    new FastThenGeneral(
                            (fields, out, at, scratch) -> BooleanText.convertPlain(fields, out, at),
                            BooleanText::convert);
            case ColumnType.SmallIntType _ -> integers(2);
            case ColumnType.IntegerType _ -> integers(4);
            case ColumnType.BigIntType _ -> integers(8);
            case ColumnType.RealType _ -> longs(FloatText::convertReals);
            case ColumnType.DoubleType _ -> longs(FloatText::convertDoubles);
            case ColumnType.DecimalType decimal -> decimals(decimal);
            case ColumnType.DateType _ ->
                    new FastThenGeneral(DateText::convertPlain, DateText::convert);
            case ColumnType.TimeType _ -> longs(TimeText::convertTimes);
            case ColumnType.TimestampType _ -> longs(TimeText::convertTimestamps);
            case ColumnType.CharType chars -> strings(chars.length());
            case ColumnType.VarcharType chars -> strings(chars.length());
            case ColumnType.VarbinaryType binary ->
                    (fields, out, row) ->
                            BinaryText.convert(fields, (BytesColumn) out, row, binary.length());
            case ColumnType.UuidType _ ->
                    (fields, out, row) -> UuidText.convert(fields, (BytesColumn) out, row);
        };
    }

    /** A kernel that writes longs. */
    interface LongKernel {
        boolean convert(FieldBounds fields, long[] out, int at);
    }

    private static ColumnConverter longs(LongKernel kernel) {
        return (fields, out, row) -> kernel.convert(fields, values(out), row);
    }

    private static ColumnConverter integers(int bytes) {
        return new FastThenGeneral(
                (fields, out, at, scratch) ->
                        IntegerText.convertPlain(fields, out, at, scratch, bytes),
                (fields, out, at) -> IntegerText.convert(fields, out, at, bytes));
    }

    private static ColumnConverter decimals(ColumnType.DecimalType type) {
        if (type.precision() > ColumnType.MAX_LONG_DECIMAL_PRECISION) {
            return (fields, out, row) ->
                    DecimalText.convertWide(fields, (BytesColumn) out, row, type);
        }
        long limit = Digits.power(type.precision());
        LongKernel general =
                (fields, out, at) -> DecimalText.convert(fields, out, at, type.scale(), limit);
        if (!DecimalText.hasPlainForm(type)) {
            return longs(general);
        }
        return new FastThenGeneral(
                (fields, out, at, scratch) ->
                        DecimalText.convertPlain(fields, out, at, scratch, type.scale(), limit),
                general);
    }

    private static ColumnConverter strings(int maxCharacters) {
        return (fields, out, row) ->
                CharacterText.convert(fields, (BytesColumn) out, row, maxCharacters);
    }

    private static long[] values(ColumnData column) {
        return ((LongColumn) column).values();
    }
}
