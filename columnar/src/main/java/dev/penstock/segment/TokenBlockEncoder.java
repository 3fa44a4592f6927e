package dev.penstock.segment;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenTable;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.NarrowPacking;
import dev.penstock.kernel.NullGaps;

/**
 * Appends blocks of byte strings that are given as codes of a {@link TokenTable}: as codes where
 * that is clearly smaller than the bytes, else as {@link BlockEncoder} writes byte strings. Which
 * of them is a function of the values and the table. Owned by one thread.
 */
public final class TokenBlockEncoder {
    /** Codes must be smaller than this share of the bytes, in percent. */
    private static final int MAX_PERCENT = 75;

    private final BlockEncoder plain;
    private final long[] words = new long[SegmentFormat.BLOCK_ROWS / 64];
    private final int[] counts = new int[SegmentFormat.BLOCK_ROWS];
    private int[] positions = new int[0];
    private final BytesColumn decoded = new BytesColumn(0, 0);
    private int nullCount;
    private int fewest;
    private int most;
    private long byteCount;
    private int longest;
    private long min;
    private long max;

    /** Blocks that stay bytes are written by {@code plain}. */
    public TokenBlockEncoder(BlockEncoder plain) {
        this.plain = plain;
    }

    /**
     * A block of the first rows, none of them NULL, whose byte strings are at hand: so nobody has
     * to find their lengths from the codes.
     *
     * @param byteOffsets where each of the byte strings, which lie back to back, starts and ends
     * @param byteFrom the first row's start
     */
    public EncodedBlock run(
            TokenTable table,
            TokenColumn values,
            int rows,
            int[] byteOffsets,
            int byteFrom,
            ByteBuilder out) {
        nullCount = 0;
        countCodes(values, 0, rows);
        byteCount = (long) byteOffsets[byteFrom + rows] - byteOffsets[byteFrom];
        longest = longest(byteOffsets, byteFrom, rows);
        return block(table, values, 0, rows, Validity.NO_WORDS, 0, false, out);
    }

    private static int longest(int[] offsets, int from, int rows) {
        int widest = 0;
        for (int i = from; i < from + rows; i++) {
            widest = Math.max(widest, offsets[i + 1] - offsets[i]);
        }
        return widest;
    }

    /**
     * A block of rows [from, from + rows).
     *
     * @param values NULLs have no codes
     * @param validity empty if there are no NULLs
     * @param validityFrom bit of the first row
     * @param compress whether a block of bytes is to be compressed
     */
    public EncodedBlock run(
            TokenTable table,
            TokenColumn values,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            boolean compress,
            ByteBuilder out) {
        nullCount = BlockEncoder.countNulls(validity, validityFrom, rows);
        if (nullCount > 0) {
            BlockEncoder.loadValidity(validity, validityFrom, rows, words);
        }
        countCodes(values, from, rows);
        measure(table, values, from, rows);
        return block(table, values, from, rows, validity, validityFrom, compress, out);
    }

    /** Of rows that are measured. */
    private EncodedBlock block(
            TokenTable table,
            TokenColumn values,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            boolean compress,
            ByteBuilder out) {
        int firstCode = values.offsets()[from];
        int codeCount = values.offsets()[from + rows] - firstCode;
        int codeBits = BitPacking.bitsFor(table.codeCount() - 1L);
        long size = BitPacking.packedBytes(codeCount, codeBits);
        if (codeCount > SegmentFormat.BLOCK_CODE_LIMIT || size * 100 > byteCount * MAX_PERCENT) {
            return bytes(table, values, from, rows, validity, validityFrom, compress, out);
        }
        int start = out.length();
        int count = rows - nullCount;
        if (nullCount > 0 && count > 0) {
            BlockEncoder.putValidity(words, rows, out);
        }
        heads(table, values, from, rows);
        int bits = BitPacking.bitsFor(most - fewest);
        subtract(fewest, counts, count);
        out.putInt(fewest).putByte(bits);
        BlockEncoder.putPacked(counts, 0, count, bits, out);
        out.putInt(codeCount).putByte(codeBits);
        putCodes(values.codes(), firstCode, codeCount, codeBits, out);
        return new EncodedBlock(
                SegmentFormat.BLOCK_TOKENS, out.length() - start, nullCount, longest, min, max);
    }

    private static void putCodes(byte[] codes, int from, int count, int bits, ByteBuilder out) {
        int length = (int) BitPacking.packedBytes(count, bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        NarrowPacking.packShorts(codes, from, count, bits, out.array(), at);
        out.setLength(at + length);
    }

    private static void subtract(int fewest, int[] counts, int count) {
        for (int i = 0; i < count; i++) {
            counts[i] -= fewest;
        }
    }

    /** Counts the codes of each row that is not NULL. */
    private void countCodes(TokenColumn values, int from, int rows) {
        int[] offsets = values.offsets();
        for (int i = 0; i < rows; i++) {
            counts[i] = offsets[from + i + 1] - offsets[from + i];
        }
        if (nullCount > 0) {
            NullGaps.close(counts, 0, rows, words, 0, counts, 0);
        }
        int low = Integer.MAX_VALUE;
        int high = 0;
        for (int i = 0; i < rows - nullCount; i++) {
            low = Math.min(low, counts[i]);
            high = Math.max(high, counts[i]);
        }
        fewest = Math.min(low, high);
        most = high;
    }

    /**
     * Counts the bytes of the rows. They are summed up over all codes first: rows have few codes
     * each, and a loop over those of one row is left too early to be foreseen.
     */
    private void measure(TokenTable table, TokenColumn values, int from, int rows) {
        int[] offsets = values.offsets();
        int first = offsets[from];
        int codeCount = offsets[from + rows] - first;
        if (positions.length <= codeCount) {
            positions = new int[codeCount + (codeCount >> 2) + 1];
        }
        sumLengths(table.lengths(), values.codes(), first, codeCount, positions);
        byteCount = positions[codeCount];
        int widest = 0;
        int at = 0;
        for (int i = 0; i < rows; i++) {
            int end = offsets[from + i + 1] - first;
            widest = Math.max(widest, positions[end] - positions[at]);
            at = end;
        }
        longest = widest;
    }

    /** The bytes before each code, and after the last. */
    private static void sumLengths(
            byte[] lengths, byte[] codes, int from, int count, int[] positions) {
        int position = 0;
        for (int i = 0; i < count; i++) {
            positions[i] = position;
            position += lengths[ByteAccess.getShort(codes, 2 * (from + i))];
        }
        positions[count] = position;
    }

    /** Bounds of the rows' heads, from the first code of each. */
    private void heads(TokenTable table, TokenColumn values, int from, int rows) {
        int[] offsets = values.offsets();
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        if (fewest > 0 && nullCount == 0) {
            for (int i = 0; i < rows; i++) {
                int code = values.code(offsets[from + i]);
                low = Math.min(low, table.lowestHead(code));
                high = Math.max(high, table.highestHead(code));
            }
        } else {
            for (int i = 0; i < rows; i++) {
                if (offsets[from + i] < offsets[from + i + 1]) {
                    int code = values.code(offsets[from + i]);
                    low = Math.min(low, table.lowestHead(code));
                    high = Math.max(high, table.highestHead(code));
                } else if (nullCount == 0 || (words[i >> 6] >>> i & 1) != 0) {
                    low = Long.MIN_VALUE;
                }
            }
        }
        min = low;
        max = high;
    }

    private EncodedBlock bytes(
            TokenTable table,
            TokenColumn values,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            boolean compress,
            ByteBuilder out) {
        decoded.ensureRows(rows);
        decoded.ensureBytes(byteCount + TokenTable.SLACK);
        int[] offsets = values.offsets();
        int[] ends = decoded.offsets();
        for (int i = 0; i < rows; i++) {
            int start = offsets[from + i];
            int stop = offsets[from + i + 1];
            ends[i + 1] = table.decode(values.codes(), start, stop, decoded.data(), ends[i]);
        }
        return plain.bytes(ends, decoded.data(), 0, rows, validity, validityFrom, compress, out);
    }
}
