package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.Printable;
import dev.penstock.convert.ColumnConverter;
import dev.penstock.convert.Parsed;
import dev.penstock.convert.ValueParser;
import dev.penstock.parse.FieldSlices;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;

/**
 * Fills one column of a batch with one field of a window's rows. If the column's kernel refuses a
 * value, all of them are converted one by one, which finds the faulty ones.
 */
final class ColumnFiller {
    private final Column column;
    private final int columnIndex;
    private final int field;
    private final boolean last;
    private final ColumnConverter converter;
    private final boolean emptyIsValue;
    private final String nullText;

    /**
     * @param last whether the field is the last one of its record
     * @param nullText of the dialect, for what is said of empty text
     */
    ColumnFiller(Column column, int columnIndex, int field, boolean last, String nullText) {
        this.column = column;
        this.columnIndex = columnIndex;
        this.field = field;
        this.last = last;
        this.nullText = nullText;
        this.converter = ColumnConverter.of(column.type());
        this.emptyIsValue =
                column.type() instanceof ColumnType.CharType
                        || column.type() instanceof ColumnType.VarcharType
                        || column.type() instanceof ColumnType.VarbinaryType;
    }

    int columnIndex() {
        return columnIndex;
    }

    int field() {
        return field;
    }

    /**
     * Fills {@code count} rows of {@code out} from {@code row} on, or spans if it shares the
     * column; enters faults by their number among these.
     */
    void fill(FieldSlices slices, int count, ColumnBatch out, int row, RowFaults faults) {
        ColumnData data = out.held(columnIndex);
        data.ensureRows(row + count);
        slices.take(field, last);
        if (slices.areAllNull() && column.nullable()) {
            data.setAllNull(row, count);
            return;
        }
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
        if (column.nullable()) {
            data.validity().setNulls(row, count, slices.nulls());
            return;
        }
        for (int i = 0; i < count; i++) {
            if (slices.isNull(i)) {
                faults.add(
                        i, fault(RejectReason.NULL_VALUE, "", "a value; the column is NOT NULL"));
            }
        }
    }

    private void fillOneByOne(
            FieldSlices slices, int count, ColumnData data, int row, RowFaults faults) {
        for (int i = 0; i < count; i++) {
            Parsed parsed = EMPTY;
            if (!slices.isNull(i)) {
                int start = slices.fields().start(i);
                int length = slices.fields().length(i);
                parsed = ValueParser.parse(column.type(), slices.fields().text(), start, length);
                if (parsed instanceof Parsed.Invalid(RejectReason reason, String expected)) {
                    String value = RejectDraft.shown(slices.fields().text(), start, start + length);
                    String hint = length == 0 ? ofEmpty() : "";
                    faults.add(i, fault(reason, value, expected + hint));
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

    /** Why empty text is not NULL, which it was meant to be most likely. */
    private String ofEmpty() {
        return nullText.isEmpty()
                ? "; an empty field is NULL only if it is not quoted"
                : "; empty text is not NULL, because --null is '"
                        + Printable.shortened(nullText, RejectDraft.MAX_VALUE_LENGTH)
                        + "'";
    }

    private RowFaults.Fault fault(RejectReason reason, String value, String expected) {
        return new RowFaults.Fault(reason, column.name(), value, expected);
    }

    private static final byte[] NO_BYTES = new byte[0];
    private static final Parsed EMPTY = new Parsed.BytesValue(NO_BYTES);
}
