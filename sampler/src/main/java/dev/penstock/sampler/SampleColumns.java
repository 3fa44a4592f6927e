package dev.penstock.sampler;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of a table that every sampled row is converted in: the key, and byte strings that may
 * be long, whose lengths say how large a row is.
 *
 * @param schema those columns alone, with the table's key
 * @param fieldColumns for each field of a record the index of its column in {@code schema}, or -1
 * @param longColumns columns of byte strings that may be long, by index in the table
 * @param ownLongColumns the same, by index in {@code schema}
 * @param otherBytes plain bytes of a row's other columns, about
 */
record SampleColumns(
        TableSchema schema,
        List<Integer> fieldColumns,
        List<Integer> longColumns,
        List<Integer> ownLongColumns,
        int otherBytes) {
    /** Byte strings that cannot be longer are taken to be of one length. */
    private static final int MAX_SHORT = 64;

    static SampleColumns of(TableSchema table, List<Integer> fieldColumns) {
        int[] index = new int[table.columnCount()];
        Arrays.fill(index, -1);
        List<Column> columns = new ArrayList<>();
        List<Integer> longColumns = new ArrayList<>();
        List<Integer> ownLongColumns = new ArrayList<>();
        int otherBytes = 0;
        for (int i = 0; i < table.columnCount(); i++) {
            ColumnType type = table.column(i).type();
            boolean mayBeLong = mostBytes(type) > MAX_SHORT;
            if (mayBeLong) {
                longColumns.add(i);
                ownLongColumns.add(columns.size());
            } else {
                otherBytes +=
                        type.kind() == PhysicalKind.LONG ? type.plainBytes() : mostBytes(type) / 2;
            }
            if (mayBeLong || isKey(table, i)) {
                index[i] = columns.size();
                columns.add(table.column(i));
            }
        }
        List<KeyColumn> key = new ArrayList<>();
        for (KeyColumn part : table.key()) {
            key.add(new KeyColumn(index[part.columnIndex()], part.descending()));
        }
        List<Integer> fields = new ArrayList<>();
        for (int column : fieldColumns) {
            fields.add(column < 0 ? -1 : index[column]);
        }
        return new SampleColumns(
                new TableSchema(table.name(), columns, key, table.hiddenRowId()),
                List.copyOf(fields),
                List.copyOf(longColumns),
                List.copyOf(ownLongColumns),
                otherBytes);
    }

    private static int mostBytes(ColumnType type) {
        return switch (type) {
            case ColumnType.CharType(int length) -> length;
            case ColumnType.VarcharType(int length) -> length;
            case ColumnType.VarbinaryType(int length) -> length;
            case ColumnType.UuidType _,
                    ColumnType.BooleanType _,
                    ColumnType.SmallIntType _,
                    ColumnType.IntegerType _,
                    ColumnType.BigIntType _,
                    ColumnType.RealType _,
                    ColumnType.DoubleType _,
                    ColumnType.DecimalType _,
                    ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _ ->
                    type.plainBytes();
        };
    }

    private static boolean isKey(TableSchema table, int column) {
        for (KeyColumn part : table.key()) {
            if (part.columnIndex() == column) {
                return true;
            }
        }
        return false;
    }

    /** Whether all rows are taken to be of one size. */
    boolean haveOneSize() {
        return longColumns.isEmpty();
    }

    /**
     * Finds the plain bytes of the rows of a batch, about.
     *
     * @param whole whether it is one of the table's columns, not of {@link #schema}'s
     * @param rowBytes has room for the rows
     */
    void findRowBytes(ColumnBatch batch, boolean whole, int[] rowBytes) {
        int rows = batch.rowCount();
        Arrays.fill(rowBytes, 0, rows, otherBytes);
        for (int column : whole ? longColumns : ownLongColumns) {
            BytesColumn values = batch.bytes(column);
            int[] offsets = values.offsets();
            for (int row = 0; row < rows; row++) {
                rowBytes[row] += offsets[row + 1] - offsets[row];
            }
        }
    }
}
