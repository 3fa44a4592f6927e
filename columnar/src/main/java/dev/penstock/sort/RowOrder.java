package dev.penstock.sort;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.BitPacking;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.util.List;

/**
 * Finds the key order of rows in memory, stably: rows with equal keys stay in the order they came.
 *
 * <ol>
 *   <li>Rows that are in order already are noticed by comparing neighbours, column by column.
 *   <li>If all key parts are longs and their distances from the smallest value fit, together with
 *       the row number, into 63 bits, each row becomes one long and the longs are radix-sorted by
 *       the bits that the keys use ({@link RadixSort}). Keys that are distinct and lie close
 *       together, as those of a merge's unit often do, are marked in a bitmap and counted instead
 *       ({@link RankSort}).
 *   <li>Otherwise bytes are sorted, of the values if these are their own keys, else of encoded keys
 *       ({@link KeyBytesOrder}).
 * </ol>
 *
 * <p>Only key columns of a batch are looked at. Owned by one thread; results last until the next
 * {@link #find}.
 */
public final class RowOrder {
    private static final long[] NO_KEYS = new long[0];
    private static final int SCAN_WINDOW = 1 << 12;

    private final KeyCodec codec;
    private final int[] columns;
    private final boolean[] descending;
    private ColumnBatch batch = new ColumnBatch(List.of());
    private int rowCount;
    private boolean identity;
    private boolean duplicates;
    private int[] rows = new int[0];
    private long[] packed = new long[0];
    private final RadixSort radix = new RadixSort();
    private final RankSort ranks = new RankSort();
    private final KeyBytesOrder bytes = new KeyBytesOrder(radix);

    /** The packed keys in order, if that is how it was found, else empty. */
    private long[] sorted = NO_KEYS;

    private int sortedShift;

    public RowOrder(TableSchema schema) {
        codec = new KeyCodec(schema);
        columns = codec.columns();
        descending = new boolean[columns.length];
        for (int i = 0; i < columns.length; i++) {
            KeyColumn part = schema.key().get(i);
            descending[i] = part.descending();
        }
    }

    /** Finds the order of the first {@code count} rows. */
    public void find(ColumnBatch newBatch, int count) {
        batch = newBatch;
        rowCount = count;
        sorted = NO_KEYS;
        identity = scan();
        if (!identity && !findPacked()) {
            ensureRows();
            duplicates = bytes.run(codec, batch, rowCount, rows);
        }
    }

    /** Whether the rows were in order. */
    public boolean isIdentity() {
        return identity;
    }

    /** Whether any two rows have the same key. */
    public boolean hasDuplicates() {
        return duplicates;
    }

    /** Row numbers in key order, unless {@link #isIdentity}. */
    public int[] rows() {
        return rows;
    }

    /** The row at a place of the order. */
    public int row(int place) {
        return identity ? place : rows[place];
    }

    /** Whether the row at a place (not the first) has the key of the one before. */
    public boolean sameAsPrevious(int place) {
        if (sorted.length > 0) {
            return sorted[place - 1] >>> sortedShift == sorted[place] >>> sortedShift;
        }
        return compare(row(place - 1), row(place), 0) == 0;
    }

    /** Compares two rows by the key parts from {@code part} on. */
    private int compare(int left, int right, int part) {
        for (int i = part; i < columns.length; i++) {
            int order =
                    switch (batch.column(columns[i])) {
                        case LongColumn longs ->
                                Long.compare(longs.values()[left], longs.values()[right]);
                        case BytesColumn bytes ->
                                ByteAccess.compare(
                                        bytes.data(),
                                        bytes.offsets()[left],
                                        bytes.offsets()[left + 1],
                                        bytes.data(),
                                        bytes.offsets()[right],
                                        bytes.offsets()[right + 1]);
                    };
            if (order != 0) {
                return descending[i] ? -order : order;
            }
        }
        return 0;
    }

    /** Whether neighbours ascend; notices duplicates among them. */
    private boolean scan() {
        duplicates = false;
        if (batch.column(columns[0]) instanceof LongColumn longs) {
            if (columns.length == 1 && !descending[0]) {
                return scanRising(longs.values(), longs.values());
            }
            if (columns.length == 2
                    && !descending[0]
                    && !descending[1]
                    && batch.column(columns[1]) instanceof LongColumn second) {
                return scanRising(longs.values(), second.values());
            }
            return descending[0] ? scanDescending(longs.values()) : scanAscending(longs.values());
        }
        for (int row = 1; row < rowCount; row++) {
            int order = compare(row - 1, row, 0);
            if (order > 0) {
                return false;
            }
            duplicates |= order == 0;
        }
        return true;
    }

    /** The same for one or two ascending parts, without a branch per row. */
    private boolean scanRising(long[] first, long[] second) {
        for (int from = 1; from < rowCount; from += SCAN_WINDOW) {
            int to = Math.min(rowCount, from + SCAN_WINDOW);
            if (!KeyScan.rises(first, second, from, to)) {
                if (KeyScan.falls(first, second, from, to)) {
                    return false;
                }
                duplicates = true;
            }
        }
        return true;
    }

    private boolean scanAscending(long[] values) {
        for (int row = 1; row < rowCount; row++) {
            if (values[row - 1] < values[row]) {
                continue;
            }
            if (values[row - 1] > values[row] || !scanTie(row)) {
                return false;
            }
        }
        return true;
    }

    private boolean scanDescending(long[] values) {
        for (int row = 1; row < rowCount; row++) {
            if (values[row - 1] > values[row]) {
                continue;
            }
            if (values[row - 1] < values[row] || !scanTie(row)) {
                return false;
            }
        }
        return true;
    }

    private boolean scanTie(int row) {
        int order = compare(row - 1, row, 1);
        duplicates |= order == 0;
        return order <= 0;
    }

    private boolean findPacked() {
        int rowBits = BitPacking.bitsFor(rowCount - 1L);
        int[] bits = new int[columns.length];
        long[] bases = new long[columns.length];
        int total = rowBits;
        for (int i = 0; i < columns.length; i++) {
            if (!(batch.column(columns[i]) instanceof LongColumn longs)) {
                return false;
            }
            long min = Long.MAX_VALUE;
            long max = Long.MIN_VALUE;
            long[] values = longs.values();
            for (int row = 0; row < rowCount; row++) {
                min = Math.min(min, values[row]);
                max = Math.max(max, values[row]);
            }
            bases[i] = descending[i] ? max : min;
            bits[i] = BitPacking.bitsFor(max - min);
            total += bits[i];
            if (total > 63) {
                return false;
            }
        }
        if (packed.length < rowCount) {
            packed = new long[rowCount + (rowCount >> 2)];
        }
        for (int i = 0; i < columns.length; i++) {
            long[] values = batch.longs(columns[i]).values();
            int below = i + 1 < columns.length ? 0 : rowBits;
            packPart(values, i == 0, bases[i], bits[i], descending[i], below);
        }
        ensureRows();
        int keyBits = total - rowBits;
        boolean ranked =
                RankSort.pays(rowCount, keyBits)
                        && ranks.run(packed, rowCount, rowBits, keyBits, rows);
        if (!ranked) {
            sortPacked(rowBits, keyBits);
        }
        return true;
    }

    /** Appends a part to all packed keys and, after the last one, the row number. */
    private void packPart(
            long[] values, boolean first, long base, int bits, boolean descends, int rowBits) {
        long[] target = packed;
        long sign = descends ? -1 : 0;
        long rowMask = rowBits > 0 ? -1 : 0;
        if (first) {
            for (int row = 0; row < rowCount; row++) {
                long part = (values[row] - base ^ sign) - sign;
                target[row] = part << rowBits | row & rowMask;
            }
        } else {
            for (int row = 0; row < rowCount; row++) {
                long part = (values[row] - base ^ sign) - sign;
                target[row] = (target[row] << bits | part) << rowBits | row & rowMask;
            }
        }
    }

    private void sortPacked(int rowBits, int keyBits) {
        long[] target = radix.run(packed, rowCount, rowBits, keyBits);
        sorted = target;
        sortedShift = rowBits;
        int mask = (1 << rowBits) - 1;
        int[] order = rows;
        boolean same = false;
        long previous = -1;
        for (int i = 0; i < rowCount; i++) {
            long value = target[i];
            order[i] = (int) value & mask;
            same |= (value ^ previous) >>> rowBits == 0;
            previous = value;
        }
        duplicates = same;
    }

    private void ensureRows() {
        if (rows.length < rowCount) {
            rows = new int[rowCount + (rowCount >> 2)];
        }
    }
}
