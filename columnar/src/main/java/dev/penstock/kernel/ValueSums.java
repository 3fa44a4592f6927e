package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;

/**
 * Sums modulo 2^64 of one 64-bit hash per value: numbers that depend on which values there are and
 * how often, not on their order. Sums, not exclusive ors, so that a value that came twice does not
 * cancel out. The hashes are good enough that two different multisets of values agree with
 * probability 2^-60 or so; they are not made to withstand an adversary.
 *
 * <p>Loops over many values make the hashes of a window of at most {@link #WINDOW} values in an
 * array, where those of NULLs are replaced, and then add them up, all together or by group. So each
 * loop is short enough for the JIT to make vectors of it where there are instructions for that, is
 * called, and thus compiled, soon, and none asks which rows are NULL.
 *
 * <p>The hash of a byte string is made of its words of eight bytes, zeros after the last one, and
 * of its length. So the loops over strings take as many words of each as the longest of the window
 * has: lengths come in no order that a processor could foresee, and a wrong guess costs more than a
 * few words that are zero.
 */
public final class ValueSums {
    /** What a NULL adds. */
    public static final long NULL_HASH = 0x5851F42D4C957F2DL;

    /** Values that one call of a loop takes. */
    public static final int WINDOW = 512;

    /** Sums of each group in {@link #sumGroups}. */
    public static final int LANES = 4;

    /** Bytes of a string between two turns of its state. */
    static final int PART = 48;

    /** Strings of so many bytes have few words: taking them one by one is faster than a vector. */
    private static final int MAX_SCALAR = 16;

    private static final long FIRST = 0xFF51AFD7ED558CCDL;
    private static final long SEED = 0x1D8E4E27C47D124FL;
    private static final long LENGTH = 0x9E3779B97F4A7C15L;

    private static final long KEY_0 = 0x2545F4914F6CDD1DL;
    private static final long KEY_1 = 0xA0761D6478BD642FL;
    private static final long KEY_2 = 0xC4CEB9FE1A85EC53L;
    private static final long KEY_3 = 0xE7037ED1A0B428DBL;
    private static final long KEY_4 = 0x8EBC6AF09C88C6E3L;
    private static final long KEY_5 = 0x589965CC75374CC3L;
    private static final long[] KEYS = {KEY_0, KEY_1, KEY_2, KEY_3, KEY_4, KEY_5};

    /** Numbers of {@link #BY_LENGTH} for a length. */
    static final int ROW = 8;

    /** Where a row has the state of strings of its length before any of their words. */
    static final int START = ROW - 1;

    /** A power of two, so that no index within the rows need be checked. */
    private static final int ROWS = 64;

    /**
     * A row for each length up to {@link #PART}: masks of the bytes of each word that are the
     * string's, then 0, and at {@link #START} its first state.
     */
    static final long[] BY_LENGTH = byLength();

    /** The hash of the byte string of no bytes. */
    public static final long EMPTY_HASH = hash(new byte[0], 0, 0);

    private static final long[] SINGLE_BYTES = singleBytes();

    private ValueSums() {}

    private static long[] byLength() {
        long[] rows = new long[ROWS * ROW];
        for (int length = 0; length <= PART; length++) {
            for (int word = 0; word < PART / 8; word++) {
                rows[ROW * length + word] = ByteStrings.mask(length - 8 * word);
            }
            rows[ROW * length + START] = start(length);
        }
        return rows;
    }

    static long key(int word) {
        return KEYS[word];
    }

    private static long[] singleBytes() {
        long[] hashes = new long[256];
        for (int i = 0; i < 256; i++) {
            hashes[i] = hash(new byte[] {(byte) i}, 0, 1);
        }
        return hashes;
    }

    /** The hash of a long value: the square of a bijection. */
    public static long hash(long value) {
        return square(value * FIRST);
    }

    private static long square(long value) {
        long bits = value ^ value >>> 32;
        return bits * bits;
    }

    /** The hash of the byte string {@code data[from, to)}. */
    public static long hash(byte[] data, int from, int to) {
        long state = start(to - from);
        int at = from;
        while (to - at > PART) {
            state = addPart(state, data, at);
            state = (state ^ state >>> 32) * FIRST;
            at += PART;
        }
        return at <= data.length - PART
                ? squareOfLast(state, data, at, row(to - at))
                : square(addWords(state, data, at, to));
    }

    /** Adds the {@link #PART} bytes from one on, without asking for each word how long it is. */
    private static long addPart(long state, byte[] data, int at) {
        long low = spread(ByteAccess.getLong(data, at), KEY_0);
        low += spread(ByteAccess.getLong(data, at + 8), KEY_1);
        low += spread(ByteAccess.getLong(data, at + 16), KEY_2);
        long high = spread(ByteAccess.getLong(data, at + 24), KEY_3);
        high += spread(ByteAccess.getLong(data, at + 32), KEY_4);
        high += spread(ByteAccess.getLong(data, at + 40), KEY_5);
        return state + low + high;
    }

    /** Adds what is left, and as many zeros as make a part of it; {@code row} is of its length. */
    private static long squareOfLast(long state, byte[] data, int at, int row) {
        long low = state + part(data, at, row, 0, KEY_0);
        low += part(data, at, row, 1, KEY_1);
        low += part(data, at, row, 2, KEY_2);
        long high = part(data, at, row, 3, KEY_3);
        high += part(data, at, row, 4, KEY_4);
        high += part(data, at, row, 5, KEY_5);
        return square(low + high);
    }

    private static long addWords(long state, byte[] data, int from, int to) {
        long sum = state;
        for (int i = 0; from + 8 * i < to; i++) {
            int at = from + 8 * i;
            sum += spread(ByteStrings.head(data, at, to - at), KEYS[i]);
        }
        return sum;
    }

    private static long start(int length) {
        return SEED + length * LENGTH;
    }

    /** A bijection in which each byte of the word changes at least 40 bits. */
    private static long spread(long word, long key) {
        return (word ^ word >>> 32) * key;
    }

    /** The sum of {@code values[from, from + count)}, of at most {@link #WINDOW}. */
    public static long sumLongs(long[] values, int from, int count, long[] scratch) {
        multiply(values, from, count, scratch);
        return sumSquares(scratch, count);
    }

    private static long sumSquares(long[] values, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long bits = values[i];
            bits ^= bits >>> 32;
            sum += bits * bits;
        }
        return sum;
    }

    /**
     * Writes the hashes of {@code values[from, from + count)} to the beginning of {@code out},
     * which may be the same array if {@code from} is 0.
     *
     * @param count at most {@link #WINDOW}
     */
    public static void hashLongs(long[] values, int from, int count, long[] out) {
        multiply(values, from, count, out);
        squares(out, count);
    }

    /** The first half of {@link #hash(long)}: the whole of it is too long for vectors. */
    private static void multiply(long[] values, int from, int count, long[] out) {
        for (int i = 0; i < count; i++) {
            out[i] = values[from + i] * FIRST;
        }
    }

    private static void squares(long[] out, int count) {
        for (int i = 0; i < count; i++) {
            long bits = out[i];
            bits ^= bits >>> 32;
            out[i] = bits * bits;
        }
    }

    /** As {@link #hashLongs} of the values {@code base + distances[i]}, for i below the count. */
    public static void hashDistances(int[] distances, int count, long base, long[] out) {
        long start = base * FIRST;
        for (int i = 0; i < count; i++) {
            out[i] = distances[i] * FIRST + start;
        }
        squares(out, count);
    }

    /**
     * Writes the hashes of byte strings [from, from + count) to the beginning of {@code out};
     * returns their sum.
     *
     * @param offsets string i is {@code data[offsets[i] .. offsets[i + 1])}
     * @param count at most {@link #WINDOW}
     */
    public static long hashStrings(int[] offsets, byte[] data, int from, int count, long[] out) {
        int to = from + count;
        int longest = longest(offsets, from, to);
        if (longest > PART) {
            return hashAny(offsets, data, from, count, out);
        }
        if (longest == 0) {
            Arrays.fill(out, 0, count, EMPTY_HASH);
            return count * EMPTY_HASH;
        }
        if (longest == 1 && offsets[to] - offsets[from] == count) {
            return hashSingleBytes(data, offsets[from], count, out);
        }
        if (longest > MAX_SCALAR
                && offsets[to] + VectorValueSums.READ <= data.length
                && VectorKernels.pack(count)) {
            VectorValueSums.states(offsets, data, from, count, out);
            squares(out, count);
            return sum(out, count);
        }
        if (offsets[to] + PART <= data.length) {
            return hashShort(offsets, data, from, count, longest, out);
        }
        return hashAny(offsets, data, from, count, out);
    }

    /**
     * Hashes strings of at most {@code longest} bytes, and that of at most {@link #PART}; as many
     * after the start of each are readable.
     */
    static long hashShort(
            int[] offsets, byte[] data, int from, int count, int longest, long[] out) {
        if (longest <= 8) {
            return hashWord(offsets, data, from, count, out);
        }
        if (longest <= 16) {
            return hashTwoWords(offsets, data, from, count, out);
        }
        return longest <= 32
                ? hashFourWords(offsets, data, from, count, out)
                : hashSixWords(offsets, data, from, count, out);
    }

    /** The greatest length; with a branch, as it is seldom another one than before. */
    static int longest(int[] offsets, int from, int to) {
        int longest = 0;
        for (int i = from; i < to; i++) {
            int length = offsets[i + 1] - offsets[i];
            if (length > longest) {
                longest = length;
            }
        }
        return longest;
    }

    private static long hashSingleBytes(byte[] data, int from, int count, long[] out) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long hash = SINGLE_BYTES[data[from + i] & 0xFF];
            out[i] = hash;
            sum += hash;
        }
        return sum;
    }

    /** Of strings of any length, or that end where the array does. */
    private static long hashAny(int[] offsets, byte[] data, int from, int count, long[] out) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long hash = hash(data, offsets[from + i], offsets[from + i + 1]);
            out[i] = hash;
            sum += hash;
        }
        return sum;
    }

    /** What a word of a string adds to its state; {@code row} is of its length. */
    private static long part(byte[] data, int start, int row, int word, long key) {
        return spread(ByteAccess.getLong(data, start + 8 * word) & BY_LENGTH[row + word], key);
    }

    /** Where the numbers of a length begin. */
    static int row(int length) {
        return (length & ROWS - 1) * ROW;
    }

    /** Of strings of at most 8 bytes; {@link #PART} bytes after the start of each are readable. */
    private static long hashWord(int[] offsets, byte[] data, int from, int count, long[] out) {
        long sum = 0;
        int start = offsets[from];
        for (int i = 0; i < count; i++) {
            int end = offsets[from + i + 1];
            int row = row(end - start);
            long hash = square(BY_LENGTH[row + START] + part(data, start, row, 0, KEY_0));
            out[i] = hash;
            sum += hash;
            start = end;
        }
        return sum;
    }

    /** The same of at most 16 bytes. */
    private static long hashTwoWords(int[] offsets, byte[] data, int from, int count, long[] out) {
        long sum = 0;
        int start = offsets[from];
        for (int i = 0; i < count; i++) {
            int end = offsets[from + i + 1];
            int row = row(end - start);
            long state = BY_LENGTH[row + START] + part(data, start, row, 0, KEY_0);
            long hash = square(state + part(data, start, row, 1, KEY_1));
            out[i] = hash;
            sum += hash;
            start = end;
        }
        return sum;
    }

    /** The same of at most 32 bytes. */
    private static long hashFourWords(int[] offsets, byte[] data, int from, int count, long[] out) {
        long sum = 0;
        int start = offsets[from];
        for (int i = 0; i < count; i++) {
            int end = offsets[from + i + 1];
            int row = row(end - start);
            long state = BY_LENGTH[row + START] + part(data, start, row, 0, KEY_0);
            state += part(data, start, row, 1, KEY_1);
            state += part(data, start, row, 2, KEY_2);
            long hash = square(state + part(data, start, row, 3, KEY_3));
            out[i] = hash;
            sum += hash;
            start = end;
        }
        return sum;
    }

    /** The same of at most {@link #PART} bytes. */
    private static long hashSixWords(int[] offsets, byte[] data, int from, int count, long[] out) {
        long sum = 0;
        int start = offsets[from];
        for (int i = 0; i < count; i++) {
            int end = offsets[from + i + 1];
            int row = row(end - start);
            long state = BY_LENGTH[row + START] + part(data, start, row, 0, KEY_0);
            state += part(data, start, row, 1, KEY_1);
            state += part(data, start, row, 2, KEY_2);
            state += part(data, start, row, 3, KEY_3);
            state += part(data, start, row, 4, KEY_4);
            long hash = square(state + part(data, start, row, 5, KEY_5));
            out[i] = hash;
            sum += hash;
            start = end;
        }
        return sum;
    }

    /** The sum of the first hashes. */
    public static long sum(long[] hashes, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += hashes[i];
        }
        return sum;
    }

    /**
     * Adds each of the first hashes to the sum of its group. A group has {@link #LANES} sums, which
     * belong together, so that rows of one group that follow each other need not wait for each
     * other.
     *
     * @param groups {@code groups[from + i]} is {@link #LANES} times the group of hash i
     */
    public static void sumGroups(long[] hashes, int count, int[] groups, int from, long[] sums) {
        int whole = count & -LANES;
        for (int i = 0; i < whole; i += LANES) {
            sums[groups[from + i]] += hashes[i];
            sums[groups[from + i + 1] + 1] += hashes[i + 1];
            sums[groups[from + i + 2] + 2] += hashes[i + 2];
            sums[groups[from + i + 3] + 3] += hashes[i + 3];
        }
        for (int i = whole; i < count; i++) {
            sums[groups[from + i]] += hashes[i];
        }
    }

    /**
     * The sum of what a table says of codes that lie packed in a stream of bits ({@link
     * BitPacking}), from the byte {@code at} on.
     *
     * @param bits of a code, at most {@link #MAX_CODE_BITS}
     * @param table one number for each code of so many bits
     */
    public static long ofCodes(byte[] in, int at, int count, int bits, long[] table) {
        if (bits == 0) {
            return count * table[0];
        }
        long room = Math.max(0, (long) in.length - at - 8 - 8) * 8 / bits;
        int whole = (int) Math.min(count, room) & ~7;
        long sum = 0;
        for (int i = 0; i < whole; i += CODES) {
            int codes = Math.min(CODES, whole - i);
            sum += sumCodes(in, at + (int) ((long) i * bits >> 3), codes, bits, table);
        }
        for (int i = whole; i < count; i++) {
            sum += table[(int) BitPacking.get(in, at, i, bits)];
        }
        return sum;
    }

    /** Codes are looked up four at a time from one word. */
    public static final int MAX_CODE_BITS = 14;

    /** Codes that one call of a loop takes, a multiple of 8. */
    private static final int CODES = 2048;

    /** Eight codes begin on a byte border. */
    private static long sumCodes(byte[] in, int at, int count, int bits, long[] table) {
        int mask = table.length - 1;
        int half = 4 * bits;
        int position = at;
        long even = 0;
        long odd = 0;
        for (int i = 0; i < count; i += 8) {
            long low = ByteAccess.getLong(in, position);
            long high = ByteAccess.getLong(in, position + (half >> 3)) >>> (half & 7);
            even += table[(int) low & mask];
            odd += table[(int) (low >>> bits) & mask];
            even += table[(int) (low >>> 2 * bits) & mask];
            odd += table[(int) (low >>> 3 * bits) & mask];
            even += table[(int) high & mask];
            odd += table[(int) (high >>> bits) & mask];
            even += table[(int) (high >>> 2 * bits) & mask];
            odd += table[(int) (high >>> 3 * bits) & mask];
            position += bits;
        }
        return even + odd;
    }
}
