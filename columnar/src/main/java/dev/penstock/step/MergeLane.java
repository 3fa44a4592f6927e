package dev.penstock.step;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;

import java.util.Arrays;

/** Decoded rows of one column of a merge, in the form of the column. Owned by one thread. */
final class MergeLane {
    /** What a column's rows are while they are merged. */
    enum Form {
        CODES,
        LONGS,
        STRINGS
    }

    private int[] codes = new int[0];
    private final Validity codeValidity = new Validity();
    private final LongColumn longs = new LongColumn(0);
    private final BytesColumn strings = new BytesColumn(0, 0);

    /** Codes, or distances; valid until the next {@link #ensureCodes}. */
    int[] codes() {
        return codes;
    }

    LongColumn longs() {
        return longs;
    }

    BytesColumn strings() {
        return strings;
    }

    void ensureCodes(int rows) {
        if (codes.length < rows) {
            codes = Arrays.copyOf(codes, Math.max(rows + (rows >> 3), codes.length * 3 / 2));
        }
    }

    void ensureRows(Form form, int rows) {
        switch (form) {
            case CODES -> ensureCodes(rows);
            case LONGS -> longs.ensureRows(rows);
            case STRINGS -> strings.ensureRows(rows);
        }
    }

    Validity validity(Form form) {
        return switch (form) {
            case CODES -> codeValidity;
            case LONGS -> longs.validity();
            case STRINGS -> strings.validity();
        };
    }

    /** Says that rows are not NULL. */
    void makeValid(Form form, int row, int count) {
        validity(form).setValid(row, count);
    }

    /** Rows of a run that does not have the column: 0, or empty. */
    void fillMissing(Form form, int row, int count, int zeroCode) {
        makeValid(form, row, count);
        switch (form) {
            case CODES -> Arrays.fill(codes, row, row + count, zeroCode);
            case LONGS -> Arrays.fill(longs.values(), row, row + count, 0);
            case STRINGS -> {
                int[] offsets = strings.offsets();
                Arrays.fill(offsets, row + 1, row + count + 1, offsets[row]);
            }
        }
    }

    /** Replaces all rows by {@code rows} of another lane. */
    void replace(Form form, MergeLane source, int from, int rows) {
        validity(form).replace(source.validity(form), from, rows);
        ensureRows(form, rows);
        switch (form) {
            case CODES -> System.arraycopy(source.codes, from, codes, 0, rows);
            case LONGS -> System.arraycopy(source.longs.values(), from, longs.values(), 0, rows);
            case STRINGS -> replaceStrings(source.strings, from, rows);
        }
    }

    private void replaceStrings(BytesColumn source, int from, int rows) {
        int[] offsets = source.offsets();
        int[] copied = strings.offsets();
        int start = offsets[from];
        int length = offsets[from + rows] - start;
        strings.ensureBytes(length + 64L);
        for (int i = 0; i <= rows; i++) {
            copied[i] = offsets[from + i] - start;
        }
        System.arraycopy(source.data(), start, strings.data(), 0, length);
    }
}
