package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.ColumnType;

import java.util.List;

/**
 * The texts of one column, a window of rows at a time, for formats that write row by row: which
 * type the values have is asked once for all of them. {@link #take} goes to a window; then {@link
 * #start} and {@link #end} say where in {@link #data} the text of a row is. Owned by one thread;
 * texts of CHAR and VARCHAR are not copied, and valid as long as their column is.
 */
public final class ColumnText {
    private static final int MAX_WINDOW = 1024;

    /** Texts of all columns of a window, so that they stay in the cache. */
    private static final int WINDOW_TEXTS = 1 << 14;

    /** Most bytes of a text that is no {@link #isString}. */
    public static final int MAX_NUMBER_BYTES = ValueFormatter.MAX_LONG_TEXT;

    private static final int[] NO_OFFSETS = new int[0];

    private final ColumnType type;
    private final boolean isString;
    private final DateTexts dates;
    private final ByteBuilder own = new ByteBuilder(0);
    private final int[] ownOffsets;

    private byte[] data = own.array();
    private int[] offsets = NO_OFFSETS;

    /** Place in {@link #offsets} of the window's first row. */
    private int firstOffset;

    private Validity validity = new Validity();
    private int firstRow;

    private ColumnText(ColumnType type, DateTexts dates, int window) {
        this.type = type;
        this.dates = dates;
        this.ownOffsets = new int[window + 1];
        this.isString =
                switch (type) {
                    case ColumnType.CharType _,
                            ColumnType.VarcharType _,
                            ColumnType.VarbinaryType _ ->
                            true;
                    case ColumnType.BooleanType _,
                            ColumnType.SmallIntType _,
                            ColumnType.IntegerType _,
                            ColumnType.BigIntType _,
                            ColumnType.DecimalType _,
                            ColumnType.RealType _,
                            ColumnType.DoubleType _,
                            ColumnType.DateType _,
                            ColumnType.TimeType _,
                            ColumnType.TimestampType _,
                            ColumnType.UuidType _ ->
                            false;
                };
    }

    /** Most rows of a window where there are so many columns. */
    public static int window(int columnCount) {
        return Math.clamp(WINDOW_TEXTS / Math.max(1, columnCount), 16, MAX_WINDOW);
    }

    /** One for each type. */
    public static ColumnText[] of(List<ColumnType> types) {
        DateTexts dates = new DateTexts();
        int window = window(types.size());
        ColumnText[] texts = new ColumnText[types.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = new ColumnText(types.get(i), dates, window);
        }
        return texts;
    }

    /** Goes to rows [from, from + count) of a column of the type; at most {@link #window}. */
    public void take(ColumnData column, int from, int count) {
        validity = column.validity();
        firstRow = from;
        switch (column) {
            case LongColumn longs -> {
                own.clear();
                own.reserve(count * MAX_NUMBER_BYTES);
                data = own.array();
                formatLongs(longs.values(), from, count, data);
                offsets = ownOffsets;
                firstOffset = 0;
            }
            case BytesColumn strings -> takeBytes(strings, from, count);
        }
    }

    /** The commonest types have loops of their own. */
    private void formatLongs(long[] values, int from, int count, byte[] target) {
        switch (type) {
            case ColumnType.SmallIntType _, ColumnType.IntegerType _, ColumnType.BigIntType _ ->
                    formatNumbers(values, from, count, target);
            case ColumnType.DecimalType decimal ->
                    formatDecimals(values, from, count, decimal.scale(), target);
            case ColumnType.DateType _ -> formatDates(values, from, count, target);
            default -> formatOthers(values, from, count, target);
        }
    }

    private void formatNumbers(long[] values, int from, int count, byte[] target) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            if (validity.isValid(from + i)) {
                at = ValueFormatter.putNumber(values[from + i], target, at);
            }
            ownOffsets[i + 1] = at;
        }
    }

    private void formatDecimals(long[] values, int from, int count, int scale, byte[] target) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            if (validity.isValid(from + i)) {
                at = ValueFormatter.putDecimal(values[from + i], scale, target, at);
            }
            ownOffsets[i + 1] = at;
        }
    }

    private void formatDates(long[] values, int from, int count, byte[] target) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            if (validity.isValid(from + i)) {
                at = dates.put(values[from + i], target, at);
            }
            ownOffsets[i + 1] = at;
        }
    }

    private void formatOthers(long[] values, int from, int count, byte[] target) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            if (validity.isValid(from + i)) {
                at = ValueFormatter.put(type, values[from + i], target, at);
            }
            ownOffsets[i + 1] = at;
        }
    }

    private void takeBytes(BytesColumn column, int from, int count) {
        if (type instanceof ColumnType.CharType || type instanceof ColumnType.VarcharType) {
            data = column.data();
            offsets = column.offsets();
            firstOffset = from;
            return;
        }
        own.clear();
        int[] bounds = column.offsets();
        for (int i = 0; i < count; i++) {
            int row = from + i;
            if (validity.isValid(row)) {
                ValueFormatter.format(type, column.data(), bounds[row], bounds[row + 1], own);
            }
            ownOffsets[i + 1] = own.length();
        }
        data = own.array();
        offsets = ownOffsets;
        firstOffset = 0;
    }

    /** Whether the column is CHAR, VARCHAR or VARBINARY: its texts may be of any length. */
    public boolean isString() {
        return isString;
    }

    public boolean isValid(int rowInWindow) {
        return validity.isValid(firstRow + rowInWindow);
    }

    /** Has the texts; there may be bytes after the last one. */
    public byte[] data() {
        return data;
    }

    /** Where the text of a row begins in {@link #data}. */
    public int start(int rowInWindow) {
        return offsets[firstOffset + rowInWindow];
    }

    /** Where it ends. */
    public int end(int rowInWindow) {
        return offsets[firstOffset + rowInWindow + 1];
    }
}
