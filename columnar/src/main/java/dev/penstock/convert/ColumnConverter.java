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
 * the caller decides. {@link #READ_AHEAD} bytes after the start of each field are readable.
 */
public interface ColumnConverter {
    /** Bytes that must be readable from each field's start on, and after the end of the last. */
    int READ_AHEAD = 64;

    /**
     * Converts {@code count} fields to the rows of {@code out} from {@code row} on.
     *
     * @return whether all of them were converted
     */
    boolean convert(byte[] text, int[] starts, int[] lengths, int count, ColumnData out, int row);

    static ColumnConverter of(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ -> longs(BooleanText::convert);
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
                    (text, starts, lengths, count, out, row) ->
                            BinaryText.convert(
                                    text,
                                    starts,
                                    lengths,
                                    count,
                                    (BytesColumn) out,
                                    row,
                                    binary.length());
            case ColumnType.UuidType _ ->
                    (text, starts, lengths, count, out, row) ->
                            UuidText.convert(text, starts, lengths, count, (BytesColumn) out, row);
        };
    }

    /** A kernel that writes longs. */
    interface LongKernel {
        boolean convert(byte[] text, int[] starts, int[] lengths, int count, long[] out, int at);
    }

    private static ColumnConverter longs(LongKernel kernel) {
        return (text, starts, lengths, count, out, row) ->
                kernel.convert(text, starts, lengths, count, values(out), row);
    }

    private static ColumnConverter integers(int bytes) {
        return new FastThenGeneral(
                (text, starts, lengths, count, out, at, apart) ->
                        IntegerText.convertPlain(
                                text, starts, lengths, count, out, at, apart, bytes),
                (text, starts, lengths, count, out, at) ->
                        IntegerText.convert(text, starts, lengths, count, out, at, bytes));
    }

    private static ColumnConverter decimals(ColumnType.DecimalType type) {
        if (type.precision() > ColumnType.MAX_LONG_DECIMAL_PRECISION) {
            return (text, starts, lengths, count, out, row) ->
                    DecimalText.convertWide(
                            text, starts, lengths, count, (BytesColumn) out, row, type);
        }
        long limit = Digits.power(type.precision());
        LongKernel general =
                (text, starts, lengths, count, out, at) ->
                        DecimalText.convert(
                                text, starts, lengths, count, out, at, type.scale(), limit);
        if (!DecimalText.hasPlainForm(type)) {
            return longs(general);
        }
        return new FastThenGeneral(
                (text, starts, lengths, count, out, at, apart) ->
                        DecimalText.convertPlain(
                                text, starts, lengths, count, out, at, apart, type.scale(), limit),
                general);
    }

    private static ColumnConverter strings(int maxCharacters) {
        return (text, starts, lengths, count, out, row) ->
                CharacterText.convert(
                        text, starts, lengths, count, (BytesColumn) out, row, maxCharacters);
    }

    private static long[] values(ColumnData column) {
        return ((LongColumn) column).values();
    }
}
