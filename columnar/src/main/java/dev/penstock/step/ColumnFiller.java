package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.convert.ColumnConverter;
import dev.penstock.convert.Parsed;
import dev.penstock.convert.ValueParser;
import dev.penstock.parse.FieldSlices;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.PhysicalKind;

/**
 * Fills one column of a batch with one field of a window's rows, in up to three attempts: fields
 * without quotes and NULLs straight from the index; then with quotes cut off and NULLs found; and
 * if the column's kernel refuses a value, all of them one by one, which finds the faulty ones.
 */
final class ColumnFiller {
    /** Windows without a plain attempt after one that failed. */
    private static final int PAUSE = 15;

    private final Column column;
    private final int columnIndex;
    private final int field;
    private final boolean last;
    private final ColumnConverter converter;
    private final boolean emptyIsValue;
    private final boolean number;
    private int pause;

    ColumnFiller(Column column, int columnIndex, int field, boolean last) {
        this.column = column;
        this.columnIndex = columnIndex;
        this.field = field;
        this.last = last;
        this.converter = ColumnConverter.of(column.type());
        this.number = column.type().kind() == PhysicalKind.LONG;
        this.emptyIsValue =
                column.type() instanceof ColumnType.CharType
                        || column.type() instanceof ColumnType.VarcharType
                        || column.type() instanceof ColumnType.VarbinaryType;
    }

    /** Fills {@code count} rows of {@code out} from {@code row} on; enters faults by window row. */
    void fill(FieldSlices slices, int count, ColumnBatch out, int row, RowFaults faults) {
        ColumnData data = out.column(columnIndex);
        data.ensureRows(row + count);
        if (pause > 0) {
            pause--;
        } else if (slices.takePlain(field, last, number)) {
            if (converter.convertPlain(slices.fields(), data, row)) {
                return;
            }
            pause = PAUSE;
        }
        slices.take(field, last);
        if (slices.hasNulls()) {
            enterNulls(slices, count, data, row, faults);
        }
        boolean converted =
                (emptyIsValue || !slices.hasEmptyValues())
                        && converter.convert(slices.fields(), data, row);
        if (!converted) {
            fillOneByOne(slices, count, data, row, faults);
        }
    }

    private void enterNulls(
            FieldSlices slices, int count, ColumnData data, int row, RowFaults faults) {
        for (int i = 0; i < count; i++) {
            if (slices.isNull(i)) {
                if (column.nullable()) {
                    data.validity().setNull(row + i, row + count);
                } else {
                    faults.add(
                            i,
                            fault(RejectReason.NULL_VALUE, "", "a value; the column is NOT NULL"));
                }
            }
        }
    }

    private void fillOneByOne(
            FieldSlices slices, int count, ColumnData data, int row, RowFaults faults) {
        for (int i = 0; i < count; i++) {
            Parsed parsed = EMPTY;
            if (!slices.hasNulls() || !slices.isNull(i)) {
                int start = slices.fields().start(i);
                int length = slices.fields().length(i);
                parsed = ValueParser.parse(column.type(), slices.fields().text(), start, length);
                if (parsed instanceof Parsed.Invalid(RejectReason reason, String expected)) {
                    String value = RejectDraft.shown(slices.fields().text(), start, start + length);
                    faults.add(i, fault(reason, value, expected));
                }
            }
            switch (data) {
                case LongColumn longs ->
                        longs.values()[row + i] =
                                parsed instanceof Parsed.LongValue(long value) ? value : 0;
                case BytesColumn bytes -> {
                    byte[] value = parsed instanceof Parsed.BytesValue(byte[] all) ? all : NO_BYTES;
                    bytes.append(row + i, value, 0, value.length);
                }
            }
        }
    }

    private RowFaults.Fault fault(RejectReason reason, String value, String expected) {
        return new RowFaults.Fault(reason, column.name(), value, expected);
    }

    private static final byte[] NO_BYTES = new byte[0];
    private static final Parsed EMPTY = new Parsed.BytesValue(NO_BYTES);
}
