package dev.penstock.segment;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.IntRange;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

import java.util.Arrays;

/**
 * Appends the bytes of one block to a buffer. Everything it writes is a function of the values and
 * the arguments, never of what was in the arrays behind NULLs. Owned by one thread.
 *
 * <p>Validity is passed as words and the bit of the first row; an empty array says that there is no
 * NULL.
 */
public final class BlockEncoder {
    private static final LZ4Compressor LZ4 = LZ4Factory.fastestInstance().fastCompressor();

    /** Compressed blocks must be smaller than this share of the plain bytes, in percent. */
    private static final int MAX_COMPRESSED_PERCENT = 90;

    private static final long[] NO_WORDS = new long[0];

    private final long[] words = new long[SegmentFormat.BLOCK_ROWS / 64];
    private final long[] longs = new long[SegmentFormat.BLOCK_ROWS];
    private final int[] ints = new int[SegmentFormat.BLOCK_ROWS];
    private byte[] packedStrings = new byte[0];
    private int nullCount;
    private long min;
    private long max;

    /**
     * A block of long values: packed where asked for and smaller, else plain.
     *
     * @param plainBytes width of a plain value: 1, 2, 4 or 8, enough for all values
     */
    public EncodedBlock longs(
            long[] values,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            int plainBytes,
            boolean packed,
            ByteBuilder out) {
        int start = out.length();
        beginBlock(validity, validityFrom, rows, out);
        long[] source = values;
        int first = from;
        if (nullCount > 0) {
            rangeOfValid(values, from, rows);
            long filler = packed && min <= max ? min : 0;
            for (int i = 0; i < rows; i++) {
                boolean valid = (words[i >> 6] >>> i & 1) != 0;
                longs[i] = valid ? values[from + i] : filler;
            }
            source = longs;
            first = 0;
        } else {
            range(values, from, rows);
        }
        long base = min <= max ? min : 0;
        int bits = min <= max ? BitPacking.bitsFor(max - min) : 0;
        byte encoding;
        if (packed && 9 + BitPacking.packedBytes(rows, bits) < (long) rows * plainBytes) {
            out.putLong(base).putByte(bits);
            int length = (int) BitPacking.packedBytes(rows, bits);
            int at = out.reserve(length + BitPacking.PACK_SLACK);
            BitPacking.pack(source, first, rows, base, bits, out.array(), at);
            out.setLength(at + length);
            encoding = SegmentFormat.BLOCK_PACKED;
        } else {
            if (packed && nullCount > 0) {
                clearNulls(rows);
            }
            encoding = putPlain(source, first, rows, plainBytes, out);
        }
        return new EncodedBlock(encoding, out.length() - start, nullCount, 0, min, max);
    }

    /**
     * The block that {@link #longs}, packed, makes of the values {@code reference + distances[from
     * + i]}, none NULL, if the largest distance is at most {@link Integer#MAX_VALUE} more than the
     * smallest.
     */
    public EncodedBlock distances(
            int[] distances, int from, int rows, long reference, int plainBytes, ByteBuilder out) {
        long range = IntRange.of(distances, from, rows);
        int low = IntRange.low(range);
        int bits = BitPacking.bitsFor(IntRange.high(range) - low);
        int length = (int) BitPacking.packedBytes(rows, bits);
        if (9 + length >= (long) rows * plainBytes) {
            for (int i = 0; i < rows; i++) {
                longs[i] = reference + distances[from + i];
            }
            return longs(longs, 0, rows, NO_WORDS, 0, plainBytes, true, out);
        }
        long base = reference + low;
        out.putLong(base).putByte(bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        BitPacking.pack(distances, from, rows, low, bits, out.array(), at);
        out.setLength(at + length);
        long max = reference + IntRange.high(range);
        return new EncodedBlock(SegmentFormat.BLOCK_PACKED, 9 + length, 0, 0, base, max);
    }

    /** A block of codes below {@code 1 << bits}. */
    public EncodedBlock codes(
            int[] codes,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            int bits,
            ByteBuilder out) {
        int start = out.length();
        beginBlock(validity, validityFrom, rows, out);
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        int[] source = codes;
        int first = from;
        if (nullCount > 0) {
            for (int i = 0; i < rows; i++) {
                boolean valid = (words[i >> 6] >>> i & 1) != 0;
                int code = codes[from + i];
                ints[i] = valid ? code : 0;
                low = valid ? Math.min(low, code) : low;
                high = valid ? Math.max(high, code) : high;
            }
            source = ints;
            first = 0;
        } else {
            long range = IntRange.of(codes, from, rows);
            low = IntRange.low(range);
            high = IntRange.high(range);
        }
        out.putByte(bits);
        putPacked(source, first, rows, bits, out);
        return new EncodedBlock(
                SegmentFormat.BLOCK_CODES, out.length() - start, nullCount, 0, low, high);
    }

    /** A block of byte strings, compressed where asked for and worth it. */
    public EncodedBlock bytes(
            int[] offsets,
            byte[] data,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            boolean compress,
            ByteBuilder out) {
        int start = out.length();
        beginBlock(validity, validityFrom, rows, out);
        int maxLength = putLengths(offsets, from, rows, out);
        heads(offsets, data, from, rows);
        int dataFrom = offsets[from];
        int length = offsets[from + rows] - dataFrom;
        byte[] source = data;
        if (nullCount > 0) {
            length = gatherValid(offsets, data, from, rows);
            source = packedStrings;
            dataFrom = 0;
        }
        out.putInt(length);
        byte encoding = SegmentFormat.BLOCK_BYTES_PLAIN;
        if (compress && length > 0 && putCompressed(source, dataFrom, length, out)) {
            encoding = SegmentFormat.BLOCK_BYTES_LZ4;
        } else {
            out.write(source, dataFrom, length);
        }
        return new EncodedBlock(encoding, out.length() - start, nullCount, maxLength, min, max);
    }

    /** Counts NULLs into {@link #nullCount} and, if there are any, writes the validity words. */
    private void beginBlock(long[] validity, int validityFrom, int rows, ByteBuilder out) {
        nullCount = countNulls(validity, validityFrom, rows);
        if (nullCount > 0) {
            putValidity(validity, validityFrom, rows, words, out);
        }
    }

    /** NULLs among rows whose validity bits begin at a bit; none if there are no bits. */
    static int countNulls(long[] validity, int from, int rows) {
        return validity.length == 0 ? 0 : rows - BitRange.count(validity, from, rows);
    }

    /** Writes the rows' validity words, which are left in {@code words}. */
    static void putValidity(long[] validity, int from, int rows, long[] words, ByteBuilder out) {
        int count = (rows + 63) >> 6;
        Arrays.fill(words, 0, count, 0);
        BitRange.copy(validity, from, words, 0, rows);
        for (int i = 0; i < count; i++) {
            out.putLong(words[i]);
        }
    }

    private void range(long[] values, int from, int rows) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = from; i < from + rows; i++) {
            low = Math.min(low, values[i]);
            high = Math.max(high, values[i]);
        }
        min = low;
        max = high;
    }

    private void rangeOfValid(long[] values, int from, int rows) {
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            if ((words[i >> 6] >>> i & 1) != 0) {
                min = Math.min(min, values[from + i]);
                max = Math.max(max, values[from + i]);
            }
        }
    }

    private void clearNulls(int rows) {
        for (int i = 0; i < rows; i++) {
            longs[i] = (words[i >> 6] >>> i & 1) != 0 ? longs[i] : 0;
        }
    }

    private static byte putPlain(
            long[] values, int from, int rows, int plainBytes, ByteBuilder out) {
        int at = out.reserve(rows * plainBytes);
        byte[] target = out.array();
        out.setLength(at + rows * plainBytes);
        return switch (plainBytes) {
            case 1 -> {
                for (int i = 0; i < rows; i++) {
                    target[at + i] = (byte) values[from + i];
                }
                yield SegmentFormat.BLOCK_PLAIN_1;
            }
            case 2 -> {
                for (int i = 0; i < rows; i++) {
                    ByteAccess.putShort(target, at + 2 * i, (int) values[from + i]);
                }
                yield SegmentFormat.BLOCK_PLAIN_2;
            }
            case 4 -> {
                for (int i = 0; i < rows; i++) {
                    ByteAccess.putInt(target, at + 4 * i, (int) values[from + i]);
                }
                yield SegmentFormat.BLOCK_PLAIN_4;
            }
            case 8 -> {
                for (int i = 0; i < rows; i++) {
                    ByteAccess.putLong(target, at + 8 * i, values[from + i]);
                }
                yield SegmentFormat.BLOCK_PLAIN_8;
            }
            default -> throw new IllegalArgumentException("plain width " + plainBytes);
        };
    }

    static void putPacked(int[] values, int from, int rows, int bits, ByteBuilder out) {
        int length = (int) BitPacking.packedBytes(rows, bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        BitPacking.pack(values, from, rows, bits, out.array(), at);
        out.setLength(at + length);
    }

    private int putLengths(int[] offsets, int from, int rows, ByteBuilder out) {
        int shortest = Integer.MAX_VALUE;
        int longest = 0;
        if (nullCount == 0) {
            for (int i = 0; i < rows; i++) {
                ints[i] = offsets[from + i + 1] - offsets[from + i];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                boolean valid = (words[i >> 6] >>> i & 1) != 0;
                ints[i] = valid ? offsets[from + i + 1] - offsets[from + i] : -1;
            }
        }
        for (int i = 0; i < rows; i++) {
            shortest = ints[i] >= 0 ? Math.min(shortest, ints[i]) : shortest;
            longest = Math.max(longest, ints[i]);
        }
        int base = Math.min(shortest, longest);
        for (int i = 0; i < rows; i++) {
            ints[i] = Math.max(0, ints[i] - base);
        }
        int bits = BitPacking.bitsFor(longest - base);
        out.putInt(base).putByte(bits);
        putPacked(ints, 0, rows, bits, out);
        return longest;
    }

    private void heads(int[] offsets, byte[] data, int from, int rows) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        int row = from;
        int safe = data.length - 8;
        if (nullCount == 0) {
            for (; row < from + rows && offsets[row] <= safe; row++) {
                int start = offsets[row];
                int length = offsets[row + 1] - start;
                long word = ByteAccess.getLongBigEndian(data, start);
                long head = length >= 8 ? word : length == 0 ? 0 : word & -1L << 8 * (8 - length);
                head ^= Long.MIN_VALUE;
                low = Math.min(low, head);
                high = Math.max(high, head);
            }
        }
        for (; row < from + rows; row++) {
            int i = row - from;
            if (nullCount == 0 || (words[i >> 6] >>> i & 1) != 0) {
                int length = offsets[row + 1] - offsets[row];
                long head = ByteStrings.orderedHead(data, offsets[row], length);
                low = Math.min(low, head);
                high = Math.max(high, head);
            }
        }
        min = low;
        max = high;
    }

    private int gatherValid(int[] offsets, byte[] data, int from, int rows) {
        int upper = offsets[from + rows] - offsets[from];
        if (packedStrings.length < upper) {
            packedStrings = new byte[upper];
        }
        int length = 0;
        for (int i = 0; i < rows; i++) {
            if ((words[i >> 6] >>> i & 1) != 0) {
                int count = offsets[from + i + 1] - offsets[from + i];
                System.arraycopy(data, offsets[from + i], packedStrings, length, count);
                length += count;
            }
        }
        return length;
    }

    private static boolean putCompressed(byte[] source, int from, int length, ByteBuilder out) {
        int at = out.length();
        int room = LZ4.maxCompressedLength(length);
        out.reserve(4 + room);
        int compressed = LZ4.compress(source, from, length, out.array(), at + 4, room);
        if ((long) compressed * 100 > (long) length * MAX_COMPRESSED_PERCENT) {
            return false;
        }
        ByteAccess.putInt(out.array(), at, compressed);
        out.setLength(at + 4 + compressed);
        return true;
    }

    /** A dictionary's entries as a block. */
    EncodedBlock dictionary(Dictionary dictionary, ByteBuilder out) {
        return switch (dictionary) {
            case LongDictionary longs -> dictionary(longs, out);
            case BytesDictionary bytes ->
                    bytes(bytes.offsets(), bytes.data(), 0, bytes.size(), NO_WORDS, 0, false, out);
        };
    }

    private EncodedBlock dictionary(LongDictionary dictionary, ByteBuilder out) {
        int start = out.length();
        int size = dictionary.size();
        long base = size == 0 ? 0 : dictionary.value(0);
        int bits = size == 0 ? 0 : BitPacking.bitsFor(dictionary.value(size - 1) - base);
        out.putLong(base).putByte(bits);
        int length = (int) BitPacking.packedBytes(size, bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        BitPacking.pack(dictionary.values(), 0, size, base, bits, out.array(), at);
        out.setLength(at + length);
        return new EncodedBlock(SegmentFormat.BLOCK_PACKED, out.length() - start, 0, 0, 0, 0);
    }
}
