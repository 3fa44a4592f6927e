package dev.penstock.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector forms of {@link ScanKernels}.
 *
 * <p>Positions come out of a mask by compressing the constant bytes 0..63 with it, widening them to
 * ints, and storing whole vectors: constant work per block where a loop over set bits mispredicts
 * its end (the technique of FlameCsv). The compression stays in a register, since its memory form
 * is microcoded on Zen. Where the processor cannot compress bytes, masks are still vector compares
 * and positions are taken bit by bit.
 */
final class VectorScan {
    private static final VectorSpecies<Byte> BYTES =
            KernelSelection.VECTOR_BYTES == 64 ? ByteVector.SPECIES_512 : ByteVector.SPECIES_256;
    private static final boolean WIDE = KernelSelection.VECTOR_BYTES == 64;
    private static final VectorSpecies<Byte> BYTES_512 = ByteVector.SPECIES_512;
    private static final VectorSpecies<Integer> INTS_512 = IntVector.SPECIES_512;
    private static final ByteVector INDEXES = ByteVector.broadcast(BYTES_512, 0).addIndex(1);

    private VectorScan() {}

    static long lines(byte[] text, int from, int to, byte delimiter, int[] out, int at) {
        return KernelSelection.COMPRESS
                ? linesCompressing(text, from, to, delimiter, out, at)
                : linesByBits(text, from, to, delimiter, out, at);
    }

    private static long linesCompressing(
            byte[] text, int from, int to, byte delimiter, int[] out, int at) {
        int count = at;
        int lines = 0;
        int i = from;
        long beyond = 0;
        for (; i <= to - 64; i += 64) {
            ByteVector block = ByteVector.fromArray(BYTES_512, text, i);
            beyond |= block.lt((byte) 0).toLong();
            VectorMask<Byte> lineEnds = block.eq((byte) '\n');
            VectorMask<Byte> found = block.eq(delimiter).or(lineEnds);
            lines += Long.bitCount(lineEnds.toLong());
            ByteVector indexes = INDEXES.compress(found);
            int hits = Long.bitCount(found.toLong());
            store(indexes, 0, i, out, count);
            if (hits > 16) {
                storeRest(indexes, hits, i, out, count);
            }
            count += hits;
        }
        long found = ScalarScan.lineTail(text, i, to, delimiter, out, count, lines);
        return found | allAscii(beyond, text, i, to);
    }

    private static long allAscii(long beyond, byte[] text, int from, int to) {
        return beyond == 0 && ScalarScan.isAscii(text, from, to) ? ScanKernels.ALL_ASCII : 0;
    }

    private static long linesByBits(
            byte[] text, int from, int to, byte delimiter, int[] out, int at) {
        int count = at;
        int lines = 0;
        int i = from;
        long beyond = 0;
        for (; i <= to - 64; i += 64) {
            beyond |= highBits(text, i);
            long lineEnds = mask(text, i, (byte) '\n');
            lines += Long.bitCount(lineEnds);
            count = ScalarScan.bits(lineEnds | mask(text, i, delimiter), i, out, count);
        }
        long found = ScalarScan.lineTail(text, i, to, delimiter, out, count, lines);
        return found | allAscii(beyond, text, i, to);
    }

    static long anyLines(byte[] text, int from, int to, byte delimiter, int[] out, int at) {
        int count = at;
        int lines = 0;
        int i = from;
        long afterReturn = 0;
        for (; i <= to - 64; i += 64) {
            long returns = mask(text, i, (byte) '\r');
            long feeds = mask(text, i, (byte) '\n') & ~(returns << 1 | afterReturn);
            afterReturn = returns >>> 63;
            lines += Long.bitCount(returns | feeds);
            long found = returns | feeds | mask(text, i, delimiter);
            if (KernelSelection.COMPRESS) {
                int hits = Long.bitCount(found);
                ByteVector indexes = INDEXES.compress(VectorMask.fromLong(BYTES_512, found));
                store(indexes, 0, i, out, count);
                if (hits > 16) {
                    storeRest(indexes, hits, i, out, count);
                }
                count += hits;
            } else {
                count = ScalarScan.bits(found, i, out, count);
            }
        }
        return ScalarScan.anyLines(text, i, to, delimiter, out, count, lines, afterReturn != 0);
    }

    static int masks(byte[] text, int from, int to, byte wanted, long[] out) {
        int found = 0;
        int word = 0;
        int i = from;
        for (; i <= to - 64; i += 64) {
            long mask = mask(text, i, wanted);
            out[word++] = mask;
            found += Long.bitCount(mask);
        }
        return i < to ? found + ScalarScan.lastMask(text, i, to, wanted, out, word) : found;
    }

    static int fieldEnds(byte[] text, int from, int to, byte delimiter, long[] out) {
        int lines = 0;
        int word = 0;
        int i = from;
        for (; i <= to - 64; i += 64) {
            long lineEnds = mask(text, i, (byte) '\n');
            out[word++] = lineEnds | mask(text, i, delimiter);
            lines += Long.bitCount(lineEnds);
        }
        return i < to ? lines + ScalarScan.lastFieldEnds(text, i, to, delimiter, out, word) : lines;
    }

    static int positions(long[] masks, int blockCount, int base, int[] out, int at) {
        if (!KernelSelection.COMPRESS) {
            return ScalarScan.positions(masks, blockCount, base, out, at);
        }
        int count = at;
        for (int block = 0; block < blockCount; block++) {
            long mask = masks[block];
            int hits = Long.bitCount(mask);
            ByteVector indexes = INDEXES.compress(VectorMask.fromLong(BYTES_512, mask));
            store(indexes, 0, base + 64 * block, out, count);
            if (hits > 16) {
                storeRest(indexes, hits, base + 64 * block, out, count);
            }
            count += hits;
        }
        return count;
    }

    static int indexOf(byte[] text, int from, int to, byte wanted) {
        int i = from;
        for (; i <= to - 64; i += 64) {
            long mask = mask(text, i, wanted);
            if (mask != 0) {
                return i + Long.numberOfTrailingZeros(mask);
            }
        }
        return ScalarScan.indexOf(text, i, to, wanted);
    }

    /** Bits are collected from masks: a vector carried through the loop may be compiled boxed. */
    static boolean isAscii(byte[] text, int from, int to) {
        int step = BYTES.length();
        long beyond = 0;
        int i = from;
        for (; i <= to - step; i += step) {
            beyond |= ByteVector.fromArray(BYTES, text, i).lt((byte) 0).toLong();
        }
        return beyond == 0 && ScalarScan.isAscii(text, i, to);
    }

    /** The matches in the 64 bytes from {@code i}. */
    private static long mask(byte[] text, int i, byte wanted) {
        if (WIDE) {
            return ByteVector.fromArray(BYTES, text, i).eq(wanted).toLong();
        }
        long low = ByteVector.fromArray(BYTES, text, i).eq(wanted).toLong();
        long high = ByteVector.fromArray(BYTES, text, i + 32).eq(wanted).toLong();
        return low | high << 32;
    }

    /** Not 0 if a byte of the 64 from {@code i} has its high bit set. */
    private static long highBits(byte[] text, int i) {
        long low = ByteVector.fromArray(BYTES, text, i).lt((byte) 0).toLong();
        return WIDE ? low : low | ByteVector.fromArray(BYTES, text, i + 32).lt((byte) 0).toLong();
    }

    /** Stores 16 of the indexes as positions, those from {@code 16 * part} on. */
    private static void store(ByteVector indexes, int part, int base, int[] out, int at) {
        IntVector positions =
                (IntVector) indexes.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS_512, part);
        positions.add(base).intoArray(out, at);
    }

    /** More than 16 matches in a block: fields of less than three bytes. */
    private static void storeRest(ByteVector indexes, int hits, int base, int[] out, int at) {
        store(indexes, 1, base, out, at + 16);
        if (hits > 32) {
            store(indexes, 2, base, out, at + 32);
            store(indexes, 3, base, out, at + 48);
        }
    }
}
