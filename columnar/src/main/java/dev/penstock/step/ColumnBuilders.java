package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.dict.BytesDictionaryBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionaryBuilder;
import dev.penstock.dict.ValuedRows;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.NullSlots;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** The dictionary builders of a table's columns, made when first needed. Owned by one thread. */
final class ColumnBuilders {
    private final @Nullable LongDictionaryBuilder[] longs;
    private final @Nullable BytesDictionaryBuilder[] strings;
    private final ValuedRows valued;
    private long[] filled = new long[0];

    ColumnBuilders(int columnCount, ValuedRows valued) {
        longs = new LongDictionaryBuilder[columnCount];
        strings = new BytesDictionaryBuilder[columnCount];
        this.valued = valued;
    }

    /**
     * Numbers the values [from, from + count) of a column; a NULL gets some code and no entry.
     *
     * @param limit most distinct values wanted
     * @param codes gets {@code count} codes into {@link #dictionary}
     * @return false if there are too many distinct values
     */
    boolean run(int column, ColumnData source, int from, int count, int limit, int[] codes) {
        return switch (source) {
            case LongColumn values -> run(longs(column), values, from, count, limit, codes);
            case BytesColumn values ->
                    strings(column)
                            .run(
                                    values.offsets(),
                                    values.data(),
                                    from,
                                    count,
                                    Encode.words(values.validity()),
                                    limit,
                                    codes);
        };
    }

    private boolean run(
            LongDictionaryBuilder builder,
            LongColumn source,
            int from,
            int count,
            int limit,
            int[] codes) {
        if (!source.validity().hasNulls()) {
            return builder.run(source.values(), from, count, limit, codes);
        }
        filled = filled.length < count ? new long[count] : filled;
        int valued = fill(source, from, count);
        if (valued == 0) {
            Arrays.fill(codes, 0, count, 0);
        }
        return builder.run(filled, 0, valued, limit, codes);
    }

    /** Copies values so that NULLs repeat some value. Returns the rows, or 0 if all are NULL. */
    private int fill(LongColumn source, int from, int rows) {
        long[] words = source.validity().words();
        long[] values = source.values();
        int some = BitRange.nextSet(words, from, from + rows);
        if (some == from + rows) {
            return 0;
        }
        System.arraycopy(values, from, filled, 0, rows);
        NullSlots.fill(filled, 0, rows, words, from, values[some]);
        return rows;
    }

    /** The dictionary of the last successful run for a column. */
    Dictionary dictionary(int column, ColumnData source) {
        return switch (source) {
            case LongColumn _ -> longs(column).dictionary();
            case BytesColumn _ -> strings(column).dictionary();
        };
    }

    private LongDictionaryBuilder longs(int column) {
        LongDictionaryBuilder known = longs[column];
        if (known == null) {
            known = new LongDictionaryBuilder();
            longs[column] = known;
        }
        return known;
    }

    private BytesDictionaryBuilder strings(int column) {
        BytesDictionaryBuilder known = strings[column];
        if (known == null) {
            known = new BytesDictionaryBuilder(valued);
            strings[column] = known;
        }
        return known;
    }
}
