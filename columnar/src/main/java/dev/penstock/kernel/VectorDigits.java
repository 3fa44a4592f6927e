package dev.penstock.kernel;

import static jdk.incubator.vector.VectorOperators.I2L;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.UGT;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** The vector forms of {@link DigitKernels}' numbers: the words of 8 (or 4) values at once. */
final class VectorDigits {
    private static final boolean WIDE = KernelSelection.VECTOR_BYTES == 64;
    private static final VectorSpecies<Long> LONGS =
            WIDE ? LongVector.SPECIES_512 : LongVector.SPECIES_256;
    private static final VectorSpecies<Integer> INTS =
            WIDE ? IntVector.SPECIES_256 : IntVector.SPECIES_128;
    private static final int STEP = LONGS.length();

    private static final long ZEROS = 0x3030303030303030L;
    private static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long PAIRS = 0x00FF00FF00FF00FFL;
    private static final long QUADS = 0x000000FF000000FFL;
    private static final long HIGH_FACTORS = 0x000F424000000064L;
    private static final long LOW_FACTORS = 0x0000271000000001L;

    private VectorDigits() {}

    static int numbers(byte[] text, int[] before, int[] end, int count, long[] out, int at) {
        int whole = count & -STEP;
        DigitKernels.load(text, before, 0, whole, out, at);
        LongVector faults = LongVector.zero(LONGS);
        LongVector longer = faults;
        for (int i = 0; i < whole; i += STEP) {
            LongVector shorter = lengths(before, end, i);
            longer = longer.or(shorter.neg().add(DigitKernels.WORD_CHARACTERS - 1));
            LongVector word = word(LongVector.fromArray(LONGS, out, at + i), shorter);
            faults = faults.or(word).or(word.add(SIXES));
            value(word).intoArray(out, at + i);
        }
        int found =
                ScalarDigits.flags(faults.reduceLanes(OR) & HIGH_NIBBLES, longer.reduceLanes(OR));
        return found | ScalarDigits.numbers(text, before, end, whole, count, out, at);
    }

    static int decimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long unit) {
        int pointShift = 56 - 8 * scale;
        long point = (long) ('.' ^ '0') << pointShift;
        long pointMask = 0xFFL << pointShift;
        long head = (1L << pointShift) - 1;
        long tail = -1L << (pointShift + 8);
        int whole = count & -STEP;
        DigitKernels.load(text, before, 0, whole, out, at);
        LongVector faults = LongVector.zero(LONGS);
        LongVector longer = faults;
        for (int i = 0; i < whole; i += STEP) {
            LongVector shorter = lengths(before, end, i);
            longer = longer.or(shorter.neg().add(DigitKernels.WORD_CHARACTERS - 1));
            LongVector word = word(LongVector.fromArray(LONGS, out, at + i), shorter);
            VectorMask<Long> pointed = word.and(pointMask).eq(point);
            LongVector moved = word.and(head).lanewise(LSHL, 8).or(word.and(tail));
            word = word.blend(moved, pointed);
            faults = faults.or(word).or(word.add(SIXES));
            LongVector value = value(word);
            value.mul(unit).blend(value, pointed).intoArray(out, at + i);
        }
        int found =
                ScalarDigits.flags(faults.reduceLanes(OR) & HIGH_NIBBLES, longer.reduceLanes(OR));
        return found | ScalarDigits.decimals(text, before, end, whole, count, out, at, scale, unit);
    }

    /** Lengths of fields, less 1. */
    private static LongVector lengths(int[] before, int[] end, int i) {
        IntVector spans =
                IntVector.fromArray(INTS, end, i).sub(IntVector.fromArray(INTS, before, i));
        return ((LongVector) spans.convertShape(I2L, LONGS, 0)).sub(2);
    }

    /** A field's digits, the last one highest; 0 for fields that are empty or longer. */
    private static LongVector word(LongVector loaded, LongVector shorter) {
        LongVector shift = shorter.lanewise(LSHL, 3).neg().add(56);
        LongVector shifted = loaded.lanewise(XOR, ZEROS).lanewise(LSHL, shift);
        return shifted.blend(0, shorter.compare(UGT, DigitKernels.WORD_CHARACTERS - 1));
    }

    /** The number that a word of digits stands for. */
    private static LongVector value(LongVector word) {
        LongVector pairs =
                word.lanewise(LSHL, 3)
                        .add(word.lanewise(LSHL, 1))
                        .add(word.lanewise(LSHR, 8))
                        .and(PAIRS);
        LongVector high = pairs.and(QUADS).mul(HIGH_FACTORS);
        LongVector low = pairs.lanewise(LSHR, 16).and(QUADS).mul(LOW_FACTORS);
        return high.add(low).lanewise(LSHR, 32);
    }
}
