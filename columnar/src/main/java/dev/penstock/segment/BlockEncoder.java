package dev.penstock.segment;

import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.BitRange;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.Decimals;
import dev.penstock.kernel.IntRange;
import dev.penstock.kernel.Multiples;
import dev.penstock.kernel.NullGaps;
import dev.penstock.schema.ColumnType;

import java.util.Arrays;

/**
 * Appends the bytes of one block to a buffer. Everything it writes is a function of the values and
 * the arguments, never of what was in the arrays behind NULLs. Owned by one thread.
 *
 * <p>Validity is passed as words and the bit of the first row; an empty array says that there is no
 * NULL.
 */
public final class BlockEncoder {
    /** Compressed blocks must be smaller than this share of the plain bytes, in percent. */
    private static final int MAX_COMPRESSED_PERCENT = 90;

    /**
     * Scaled blocks must be no larger than this share of packed and plain ones, in percent: merges
     * move distances from values faster.
     */
    private static final int MAX_SCALED_PERCENT = 60;

    /**
     * Fewer values are not scaled: mostly they are in fragments that a merge takes apart, which
     * moves distances from values faster.
     */
    private static final int MIN_SCALED_VALUES = 1024;

    private static final byte NOT_SCALED = 0;

    /** By length up to 8: the bits of a big-endian word that a string covers. */
    private static final long[] HEAD_MASKS = new long[9];

    static {
        for (int length = 1; length <= 8; length++) {
            HEAD_MASKS[length] = -1L << 64 - 8 * length;
        }
    }

    private final long[] words = new long[SegmentFormat.BLOCK_ROWS / 64];
    private final long[] longs = new long[SegmentFormat.BLOCK_ROWS];
    private final long[] scaled = new long[SegmentFormat.BLOCK_ROWS];
    private final int[] ints = new int[SegmentFormat.BLOCK_ROWS];
    private byte[] packedStrings = new byte[0];
    private int nullCount;

    /** Rows that are not NULL. */
    private int valueCount;

    private long min;
    private long max;

    /** Whether {@link #ints} holds the values' distances from the first one. */
    private boolean narrow;

    /** The least of these distances. */
    private int lowest;

    /** Bytes of the byte strings that are not NULL. */
    private long valueBytes;

    /** Length of the longest one. */
    private int longest;

    /**
     * A block of long values: packed where asked for and smaller, as scaled numbers if these are
     * worth it, else plain.
     *
     * @param type of the values, which all fit its {@link ColumnType#plainBytes}
     */
    public EncodedBlock longs(
            long[] values,
            int from,
            int rows,
            long[] validity,
            int validityFrom,
            ColumnType type,
            boolean packed,
            ByteBuilder out) {
        int start = out.length();
        beginBlock(validity, validityFrom, rows, out);
        byte encoding;
        if (nullCount == 0) {
            encoding = putLongs(values, from, type, packed, out);
        } else {
            NullGaps.close(values, from, rows, words, 0, longs, 0);
            encoding = putLongs(longs, 0, type, packed, out);
        }
        return new EncodedBlock(encoding, out.length() - start, nullCount, 0, min, max);
    }

    /** Writes the block's values, which lie side by side; returns in which encoding. */
    private byte putLongs(
            long[] values, int from, ColumnType type, boolean packed, ByteBuilder out) {
        int count = valueCount;
        if (packed && count >= MIN_SCALED_VALUES) {
            byte encoding = putScaled(values, from, type, out);
            if (encoding != NOT_SCALED) {
                return encoding;
            }
        }
        int plainBytes = type.plainBytes();
        range(values, from, count);
        long base = min <= max ? min : 0;
        int bits = min <= max ? BitPacking.bitsFor(max - min) : 0;
        int length = (int) BitPacking.packedBytes(count, bits);
        if (!packed || !packs(length, plainBytes)) {
            return putPlain(values, from, count, plainBytes, out);
        }
        out.putLong(base).putByte(bits);
        putDistances(values, from, base, bits, out);
        return SegmentFormat.BLOCK_PACKED;
    }

    /** Packs distances from the base, after {@link #range} of the same values. */
    private void putDistances(long[] values, int from, long base, int bits, ByteBuilder out) {
        int length = (int) BitPacking.packedBytes(valueCount, bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        if (narrow) {
            BitPacking.pack(ints, 0, valueCount, lowest, bits, out.array(), at);
        } else {
            BitPacking.pack(values, from, valueCount, base, bits, out.array(), at);
        }
        out.setLength(at + length);
    }

    /** Writes values as decimals or multiples; returns as which, or {@link #NOT_SCALED}. */
    private byte putScaled(long[] values, int from, ColumnType type, ByteBuilder out) {
        int plainBytes = type.plainBytes();
        if (type.isFloatingPoint()) {
            boolean real = type instanceof ColumnType.RealType;
            int places = Decimals.scale(values, from, valueCount, real, scaled);
            if (places != Decimals.NONE
                    && putScaled(
                            SegmentFormat.BLOCK_DECIMALS,
                            Scale.ofDecimals(places, real),
                            plainBytes,
                            out)) {
                return SegmentFormat.BLOCK_DECIMALS;
            }
        }
        int divisor = Multiples.divide(values, from, valueCount, scaled);
        return divisor != Multiples.NONE
                        && putScaled(SegmentFormat.BLOCK_MULTIPLES, divisor, plainBytes, out)
                ? SegmentFormat.BLOCK_MULTIPLES
                : NOT_SCALED;
    }

    /** Writes {@link #scaled} numbers if they are worth it. */
    private boolean putScaled(byte encoding, int scale, int plainBytes, ByteBuilder out) {
        range(scaled, 0, valueCount);
        long base = min;
        int bits = BitPacking.bitsFor(max - base);
        min = Scale.value(encoding, scale, base);
        max = Scale.value(encoding, scale, max);
        long unscaledBytes =
                Math.min(
                        9 + BitPacking.packedBytes(valueCount, BitPacking.bitsFor(max - min)),
                        (long) valueCount * plainBytes);
        long bytes = Scale.HEADER_BYTES + BitPacking.packedBytes(valueCount, bits);
        if (bytes * 100 > unscaledBytes * MAX_SCALED_PERCENT) {
            return false;
        }
        out.putShort(scale).putLong(base).putByte(bits);
        putDistances(scaled, 0, base, bits, out);
        return true;
    }

    /** Whether packed values are smaller than plain ones; a block without values is packed. */
    private boolean packs(int packedBytes, int plainBytes) {
        return valueCount == 0 || 9 + packedBytes < (long) valueCount * plainBytes;
    }

    /**
     * The block that {@link #longs}, packed, makes of the values {@code reference + distances[from
     * + i]}, if the largest distance is at most {@link Integer#MAX_VALUE} more than the smallest.
     * Distances of NULLs may be any; distances may change.
     */
    public EncodedBlock distances(
            int[] distances,
            int from,
            int rows,
            long reference,
            long[] validity,
            int validityFrom,
            ColumnType type,
            ByteBuilder out) {
        int start = out.length();
        beginBlock(validity, validityFrom, rows, out);
        closeGaps(distances, from, rows);
        int count = valueCount;
        long range = IntRange.of(distances, from, count);
        int low = IntRange.low(range);
        int bits = BitPacking.bitsFor(IntRange.high(range) - low);
        int length = (int) BitPacking.packedBytes(count, bits);
        if (count == 0
                || !packs(length, type.plainBytes())
                || count >= MIN_SCALED_VALUES
                        && (type.isFloatingPoint()
                                || areEven(distances, from, count, (int) reference))) {
            for (int i = 0; i < count; i++) {
                longs[i] = reference + distances[from + i];
            }
            byte encoding = putLongs(longs, 0, type, true, out);
            return new EncodedBlock(encoding, out.length() - start, nullCount, 0, min, max);
        }
        long base = reference + low;
        out.putLong(base).putByte(bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        BitPacking.pack(distances, from, count, low, bits, out.array(), at);
        out.setLength(at + length);
        long highest = reference + IntRange.high(range);
        return new EncodedBlock(
                SegmentFormat.BLOCK_PACKED, out.length() - start, nullCount, 0, base, highest);
    }

    /** Whether all numbers are even if another one is added to each. */
    private static boolean areEven(int[] values, int from, int count, int summand) {
        int any = 0;
        for (int i = 0; i < count && (any & 1) == 0; i += 64) {
            int end = from + Math.min(count, i + 64);
            for (int row = from + i; row < end; row++) {
                any |= values[row] + summand;
            }
        }
        return (any & 1) == 0;
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
        int[] source = codes;
        int first = from;
        if (nullCount > 0) {
            NullGaps.close(codes, from, rows, words, 0, ints, 0);
            source = ints;
            first = 0;
        }
        long range = IntRange.of(source, first, valueCount);
        out.putByte(bits);
        putPacked(source, first, valueCount, bits, out);
        return new EncodedBlock(
                SegmentFormat.BLOCK_CODES,
                out.length() - start,
                nullCount,
                0,
                IntRange.low(range),
                IntRange.high(range));
    }

    /**
     * The same of codes of which each below {@code size}, which is positive, occurs among those
     * that are not NULL: their range need not be looked for. Codes may change.
     */
    public EncodedBlock allCodes(
            int[] codes, int rows, long[] validity, int validityFrom, int size, ByteBuilder out) {
        int start = out.length();
        beginBlock(validity, validityFrom, rows, out);
        closeGaps(codes, 0, rows);
        int bits = BitPacking.bitsFor(size - 1L);
        out.putByte(bits);
        putPacked(codes, 0, valueCount, bits, out);
        return new EncodedBlock(
                SegmentFormat.BLOCK_CODES, out.length() - start, nullCount, 0, 0, size - 1);
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
        heads(offsets, data, from, rows);
        byte encoding = putStrings(offsets, data, from, rows, compress, out);
        return new EncodedBlock(encoding, out.length() - start, nullCount, longest, min, max);
    }

    /** Writes lengths and bytes; returns in which encoding. */
    private byte putStrings(
            int[] offsets, byte[] data, int from, int rows, boolean compress, ByteBuilder out) {
        putLengths(offsets, from, rows, out);
        int dataFrom = offsets[from];
        int length = offsets[from + rows] - dataFrom;
        byte[] source = data;
        if (length != valueBytes) {
            length = gatherValid(offsets, data, from, rows);
            source = packedStrings;
            dataFrom = 0;
        }
        if (length > SegmentFormat.mostBytes(rows)) {
            throw PenstockException.corrupt(
                    "a block of more than one row would have "
                            + length
                            + " bytes: its rows are longer than their segments said");
        }
        out.putInt(length);
        if (compress && length > 0 && putCompressed(source, dataFrom, length, out)) {
            return SegmentFormat.BLOCK_BYTES_LZ4;
        }
        out.write(source, dataFrom, length);
        return SegmentFormat.BLOCK_BYTES_PLAIN;
    }

    /** Counts NULLs and values, and writes the validity words if there are both. */
    private void beginBlock(long[] validity, int validityFrom, int rows, ByteBuilder out) {
        nullCount = countNulls(validity, validityFrom, rows);
        valueCount = rows - nullCount;
        if (nullCount > 0) {
            loadValidity(validity, validityFrom, rows, words);
        }
        if (nullCount > 0 && valueCount > 0) {
            putValidity(words, rows, out);
        }
    }

    /** Takes the NULLs out of rows, if there are any. */
    private void closeGaps(int[] values, int from, int rows) {
        if (nullCount > 0) {
            NullGaps.close(values, from, rows, words, 0, values, from);
        }
    }

    /** NULLs among rows whose validity bits begin at a bit; none if there are no bits. */
    static int countNulls(long[] validity, int from, int rows) {
        return validity.length == 0 ? 0 : rows - BitRange.count(validity, from, rows);
    }

    /** Puts the rows' validity, which begins at a bit, into words of its own. */
    static void loadValidity(long[] validity, int from, int rows, long[] words) {
        Arrays.fill(words, 0, (rows + 63) >> 6, 0);
        BitRange.copy(validity, from, words, 0, rows);
    }

    static void putValidity(long[] words, int rows, ByteBuilder out) {
        for (int i = 0; i << 6 < rows; i++) {
            out.putLong(words[i]);
        }
    }

    /**
     * Finds the range of the values, of their distances from the first one if these are ints: most
     * are, and the JVM makes vectors of loops over ints. {@link #ints} keeps the distances then.
     */
    private void range(long[] values, int from, int count) {
        narrow = count > 0 && IntRange.distances(values, from, count, ints);
        if (narrow) {
            long range = IntRange.of(ints, 0, count);
            lowest = IntRange.low(range);
            min = values[from] + lowest;
            max = values[from] + IntRange.high(range);
            narrow = max - min >>> 31 == 0 && min <= values[from] && values[from] <= max;
        }
        if (!narrow) {
            wideRange(values, from, count);
        }
    }

    private void wideRange(long[] values, int from, int count) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = from; i < from + count; i++) {
            low = Math.min(low, values[i]);
            high = Math.max(high, values[i]);
        }
        min = low;
        max = high;
    }

    private static byte putPlain(
            long[] values, int from, int count, int plainBytes, ByteBuilder out) {
        int at = out.reserve(count * plainBytes);
        byte[] target = out.array();
        out.setLength(at + count * plainBytes);
        return switch (plainBytes) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    target[at + i] = (byte) values[from + i];
                }
                yield SegmentFormat.BLOCK_PLAIN_1;
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    ByteAccess.putShort(target, at + 2 * i, (int) values[from + i]);
                }
                yield SegmentFormat.BLOCK_PLAIN_2;
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    ByteAccess.putInt(target, at + 4 * i, (int) values[from + i]);
                }
                yield SegmentFormat.BLOCK_PLAIN_4;
            }
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    ByteAccess.putLong(target, at + 8 * i, values[from + i]);
                }
                yield SegmentFormat.BLOCK_PLAIN_8;
            }
            default -> throw new IllegalArgumentException("plain width " + plainBytes);
        };
    }

    static void putPacked(int[] values, int from, int count, int bits, ByteBuilder out) {
        int length = (int) BitPacking.packedBytes(count, bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        BitPacking.pack(values, from, count, bits, out.array(), at);
        out.setLength(at + length);
    }

    /** Writes the lengths and notes the longest. */
    private void putLengths(int[] offsets, int from, int rows, ByteBuilder out) {
        for (int i = 0; i < rows; i++) {
            ints[i] = offsets[from + i + 1] - offsets[from + i];
        }
        closeGaps(ints, 0, rows);
        int count = valueCount;
        long range = IntRange.of(ints, 0, count);
        int base = count > 0 ? IntRange.low(range) : 0;
        longest = count > 0 ? IntRange.high(range) : 0;
        valueBytes = sum(ints, count);
        int bits = BitPacking.bitsFor(longest - base);
        out.putInt(base).putByte(bits);
        int length = (int) BitPacking.packedBytes(count, bits);
        int at = out.reserve(length + BitPacking.PACK_SLACK);
        BitPacking.pack(ints, 0, count, base, bits, out.array(), at);
        out.setLength(at + length);
    }

    private static long sum(int[] values, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        return sum;
    }

    private void heads(int[] offsets, byte[] data, int from, int rows) {
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
        int safe = rows;
        while (safe > 0 && offsets[from + safe - 1] > data.length - 8) {
            safe--;
            if (nullCount == 0 || (words[safe >> 6] >>> safe & 1) != 0) {
                int start = offsets[from + safe];
                int length = offsets[from + safe + 1] - start;
                long head = ByteStrings.orderedHead(data, start, length);
                min = Math.min(min, head);
                max = Math.max(max, head);
            }
        }
        if (nullCount == 0) {
            headsOfAll(offsets, data, from, safe);
        } else {
            headsOfValid(offsets, data, from, safe);
        }
    }

    private void headsOfAll(int[] offsets, byte[] data, int from, int rows) {
        long low = min;
        long high = max;
        for (int row = from; row < from + rows; row++) {
            int start = offsets[row];
            int length = Math.min(8, offsets[row + 1] - start);
            long head = ByteAccess.getLongBigEndian(data, start) & HEAD_MASKS[length];
            low = Math.min(low, head ^ Long.MIN_VALUE);
            high = Math.max(high, head ^ Long.MIN_VALUE);
        }
        min = low;
        max = high;
    }

    private void headsOfValid(int[] offsets, byte[] data, int from, int rows) {
        long low = min;
        long high = max;
        for (int done = 0; done < rows; done += 64) {
            long left = words[done >> 6];
            left &= -1L >>> Math.max(0, 64 - (rows - done));
            while (left != 0) {
                int row = from + done + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                int start = offsets[row];
                int length = Math.min(8, offsets[row + 1] - start);
                long head = ByteAccess.getLongBigEndian(data, start) & HEAD_MASKS[length];
                low = Math.min(low, head ^ Long.MIN_VALUE);
                high = Math.max(high, head ^ Long.MIN_VALUE);
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
        int room = Lz4.COMPRESSOR.maxCompressedLength(length);
        out.reserve(4 + room);
        int compressed = Lz4.COMPRESSOR.compress(source, from, length, out.array(), at + 4, room);
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
            case BytesDictionary bytes -> dictionary(bytes, out);
        };
    }

    private EncodedBlock dictionary(BytesDictionary dictionary, ByteBuilder out) {
        int start = out.length();
        int size = dictionary.size();
        beginBlock(Validity.NO_WORDS, 0, size, out);
        byte encoding = putStrings(dictionary.offsets(), dictionary.data(), 0, size, false, out);
        return new EncodedBlock(encoding, out.length() - start, 0, longest, 0, 0);
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
