package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/**
 * Finds bytes in text. Each function has a vector and a scalar form with equal results, but for
 * what is said of {@link #ALL_ASCII}; the process runs the one of {@link KernelSelection}.
 *
 * <p>Texts are cut into blocks of 64 bytes; a mask word has bit i set if byte i of its block
 * matches. Functions that write positions need {@link #POSITION_SLACK} spare elements after the
 * last position. Nothing is read outside of the given range.
 */
public final class ScanKernels {
    /** Elements that a kernel may overwrite after the positions it reports. */
    public static final int POSITION_SLACK = 64;

    /** Elements that a kernel may overwrite after the mask words it reports. */
    public static final int MASK_SLACK = ScalarScan.STRETCH;

    /** Columns that {@link #columns} copies. */
    public static final int COLUMNS = 8;

    /** Of what {@link #lines} answers: all bytes of the text are ASCII characters. */
    public static final long ALL_ASCII = Long.MIN_VALUE;

    /** Words of scratch memory that some kernels need. */
    public static final int SCRATCH_WORDS = ScalarScan.STRETCH;

    private ScanKernels() {}

    /**
     * Appends the positions of all delimiters and LFs in {@code text[from, to)} to {@code out} at
     * {@code at}.
     *
     * @param scratch of {@link #SCRATCH_WORDS}
     * @return the end of the positions in {@code out}, in the lower 32 bits; {@link #lineCount},
     *     and {@link #ALL_ASCII} if that is known: only vector kernels find it out
     */
    public static long lines(
            byte[] text, int from, int to, byte delimiter, int[] out, int at, long[] scratch) {
        return KernelSelection.vector()
                ? VectorScan.lines(text, from, to, delimiter, out, at)
                : ScalarScan.lines(text, from, to, delimiter, out, at, scratch);
    }

    /**
     * The same where LF, CRLF and CR end a record: of CRLF only the CR's position is reported.
     * {@code from} must not lie between CR and LF. Never says that all is ASCII.
     */
    public static long anyLines(byte[] text, int from, int to, byte delimiter, int[] out, int at) {
        return KernelSelection.vector()
                ? VectorScan.anyLines(text, from, to, delimiter, out, at)
                : ScalarScan.anyLines(text, from, to, delimiter, out, at, 0, false);
    }

    /** The number of line ends, of what {@link #lines} and {@link #anyLines} answer. */
    public static int lineCount(long answer) {
        return (int) (answer >>> 32) & Integer.MAX_VALUE;
    }

    /**
     * Writes one mask word per block of {@code text[from, to)}; bits beyond {@code to} are 0.
     * {@code out} needs {@link #MASK_SLACK} spare elements after the last word. Fastest if there
     * are few matches.
     *
     * @return the number of matches
     */
    public static int masks(byte[] text, int from, int to, byte wanted, long[] out) {
        return KernelSelection.vector()
                ? VectorScan.masks(text, from, to, wanted, out)
                : ScalarScan.masks(text, from, to, wanted, out);
    }

    /**
     * The same for bytes that are delimiters or LFs.
     *
     * @return the number of LFs
     */
    public static int fieldEnds(byte[] text, int from, int to, byte delimiter, long[] out) {
        return KernelSelection.vector()
                ? VectorScan.fieldEnds(text, from, to, delimiter, out)
                : ScalarScan.fieldEnds(text, from, to, delimiter, out);
    }

    /**
     * Appends the position of each set bit, counted from {@code base}, to {@code out} at {@code
     * at}.
     *
     * @return the end of the positions in {@code out}
     */
    public static int positions(long[] masks, int blockCount, int base, int[] out, int at) {
        return KernelSelection.vector()
                ? VectorScan.positions(masks, blockCount, base, out, at)
                : ScalarScan.positions(masks, blockCount, base, out, at);
    }

    /** Whether {@link #columns} can be called, and is faster than one column after the other. */
    public static boolean copiesColumns() {
        return VectorKernels.transpose();
    }

    /**
     * Copies {@link #COLUMNS} columns of positions: {@code out[(at + k) % out.length][i] =
     * positions[first + i * stride + k]}. {@link #POSITION_SLACK} positions behind those of the
     * last row must be readable. Only where {@link #copiesColumns}.
     *
     * @param out a power of two of arrays, {@link #COLUMNS} or more
     */
    public static void columns(
            int[] positions, int first, int stride, int count, int[][] out, int at) {
        VectorColumns.columns(positions, first, stride, count, out, at);
    }

    /** Copies every stride-th position: {@code out[i] = positions[first + i * stride]}. */
    public static void column(int[] positions, int first, int stride, int count, int[] out) {
        int k = first;
        for (int i = 0; i < count; i++) {
            out[i] = positions[k];
            k += stride;
        }
    }

    /**
     * Copies positions of chosen rows: {@code out[i] = positions[first + rows[i]]}. One method for
     * these and for all rows was slower by a tenth of all parsing.
     */
    public static void column(int[] positions, int first, int[] rows, int count, int[] out) {
        for (int i = 0; i < count; i++) {
            out[i] = positions[first + rows[i]];
        }
    }

    /**
     * Sets bit {@code i & 63} of {@code out[i >> 6]} if field i, {@code text[before[i] + 1,
     * end[i])}, is empty, and clears all other bits of the words that {@code count} fields take.
     *
     * @param scratch an element for each field
     * @param flags a byte for each field, and for as many as fill the last word
     */
    public static void empties(
            int[] before, int[] end, int count, int[] scratch, byte[] flags, long[] out) {
        for (int i = 0; i < count; i++) {
            scratch[i] = (end[i] - before[i] - 2) >>> 31;
        }
        for (int i = 0; i < count; i++) {
            flags[i] = (byte) scratch[i];
        }
        for (int i = 0; i < count; i += 64) {
            long bits = 0;
            for (int k = 56; k >= 0; k -= 8) {
                bits = bits << 8 | ByteAccess.getLong(flags, i + k) * ScalarScan.GATHER_BITS >>> 56;
            }
            out[i >> 6] = count - i >= 64 ? bits : bits & ((1L << (count - i)) - 1);
        }
    }

    /** The first position of a byte in {@code text[from, to)}, or {@code to}. */
    public static int indexOf(byte[] text, int from, int to, byte wanted) {
        return KernelSelection.vector()
                ? VectorScan.indexOf(text, from, to, wanted)
                : ScalarScan.indexOf(text, from, to, wanted);
    }

    /** Whether no byte of {@code text[from, to)} has its high bit set. */
    public static boolean isAscii(byte[] text, int from, int to) {
        return KernelSelection.vector()
                ? VectorScan.isAscii(text, from, to)
                : ScalarScan.isAscii(text, from, to);
    }
}
