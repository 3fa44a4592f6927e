package dev.penstock.kernel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Runs the kernels of {@link VectorKernels} until they are compiled: on a text that is the same
 * date and decimal again and again, and on values of all widths. Itself it should not be compiled,
 * as the kernels would become part of it.
 */
final class KernelRehearsal {
    /** Few values for each call: the kernels shall be compiled, not their loops apart. */
    private static final int COUNT = 1 << 6;

    /** All kernels are compiled after half of these. */
    private static final int CALLS = 1 << 14;

    private static final byte[] FIELD = "1992-02-29.50|".getBytes(StandardCharsets.US_ASCII);
    private static final int DATE_BYTES = 10;
    private static final int YEAR_BYTES = 4;

    /** Where the decimal begins, the day's two digits included. */
    private static final int DECIMAL_FROM = 8;

    private static final int TEXT_BYTES = COUNT * FIELD.length;

    /** Bytes after the last field that kernels read, and after the last string that they write. */
    private static final int SLACK = 64;

    private final byte[] text = new byte[TEXT_BYTES + SLACK];
    private final int[] before = new int[COUNT];
    private final int[] end = new int[COUNT];
    private final int[] yearEnd = new int[COUNT];
    private final int[] beforeDecimal = new int[COUNT];
    private final int[] decimalEnd = new int[COUNT];

    private final int[] positions = new int[COUNT + ScanKernels.POSITION_SLACK];
    private final int[][] columns = new int[ScanKernels.COLUMNS][COUNT];

    private final byte[] strings = new byte[TEXT_BYTES + SLACK];
    private final int[] offsets = new int[COUNT + 1];
    private final int[] order = new int[COUNT];
    private final byte[] gathered = new byte[TEXT_BYTES + SLACK];
    private final int[] gatheredOffsets = new int[COUNT + 1];

    private final long[] longs = new long[COUNT];
    private final long[] scratch = new long[COUNT];
    private final int[] ints = new int[COUNT];
    private final byte[] packed = new byte[Long.BYTES * COUNT + BitPacking.PACK_SLACK];

    KernelRehearsal() {
        for (int i = 0; i < COUNT; i++) {
            System.arraycopy(FIELD, 0, text, i * FIELD.length, FIELD.length);
            before[i] = i * FIELD.length - 1;
            end[i] = before[i] + 1 + DATE_BYTES;
            yearEnd[i] = before[i] + 1 + YEAR_BYTES;
            beforeDecimal[i] = before[i] + DECIMAL_FROM;
            decimalEnd[i] = before[i] + FIELD.length;
        }
        Arrays.setAll(order, i -> COUNT - 1 - i);
    }

    void run() {
        for (int call = 0; call < CALLS; call++) {
            convert();
            if (VectorKernels.AVAILABLE) {
                gather();
                pack(1 + call % VectorPacking.MAX_LONG_BITS);
                packInts(1 + call % VectorBitPacking.MAX_INT_BITS);
            }
        }
    }

    private void convert() {
        VectorNumbers.numbers(text, before, yearEnd, COUNT, longs, 0);
        VectorNumbers.longNumbers(text, before, yearEnd, COUNT, longs, 0, scratch);
        VectorNumbers.decimals(text, before, yearEnd, COUNT, longs, 0, 2, 100);
        VectorNumbers.decimals(text, beforeDecimal, decimalEnd, COUNT, longs, 0, 2, 100);
        VectorNumbers.longDecimals(text, beforeDecimal, decimalEnd, COUNT, longs, 0, 2, scratch);
        VectorDates.dates(text, before, end, COUNT, true, longs, 0, scratch);
        VectorDates.dates(text, before, end, COUNT, false, longs, 0, scratch);
        VectorCopy.gather(text, before, end, COUNT, strings, offsets, 0, FIELD.length);
        VectorCopy.gather(text, before, end, COUNT, strings, offsets, 0, SLACK);
    }

    private void gather() {
        VectorColumns.columns(positions, 0, 1, COUNT, columns, 0);
        VectorValueSums.states(offsets, strings, 0, COUNT, longs);
        VectorStrings.gather(offsets, strings, order, 0, COUNT, gatheredOffsets, gathered, 0);
    }

    private void pack(int bits) {
        VectorPacking.pack(longs, 0, COUNT, 0, bits, packed, 0);
        VectorBitPacking.unpack(packed, 0, 0, COUNT, bits, 0, longs, 0);
    }

    private void packInts(int bits) {
        VectorPacking.pack(ints, 0, COUNT, 0, bits, packed, 0);
        VectorBitPacking.unpack(packed, 0, 0, COUNT, bits, 0, ints, 0);
    }
}
