package dev.penstock.kernel;

import static jdk.incubator.vector.VectorOperators.I2L;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.XOR;

import dev.penstock.bytes.ByteAccess;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector forms of {@link NumberWords}, with its arithmetic. First the words that fields begin
 * or end with are fetched, by loops that do nothing else; all that follows is done to a vector of
 * them before the next one is looked at.
 *
 * <p>Decimals are expected to have all a point if one of the first has, and none otherwise. Others,
 * and the fields that do not fill a vector, are left to {@link NumberWords}.
 */
final class VectorNumbers {
    private static final boolean WIDE = KernelSelection.VECTOR_BYTES == 64;
    private static final VectorSpecies<Long> LONGS =
            WIDE ? LongVector.SPECIES_512 : LongVector.SPECIES_256;
    private static final VectorSpecies<Integer> HALF_INTS =
            WIDE ? IntVector.SPECIES_256 : IntVector.SPECIES_128;
    private static final int STEP = LONGS.length();

    private VectorNumbers() {}

    static boolean numbers(byte[] text, int[] before, int[] end, int count, long[] out, int at) {
        int whole = count & -STEP;
        load(text, before, whole, out, at);
        return wholeNumbers(before, end, whole, out, at) == 0
                && NumberWords.numbers(text, before, end, whole, count, out, at);
    }

    static boolean decimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long unit) {
        int whole = count & -STEP;
        load(text, before, whole, out, at);
        boolean point = anyPoint(text, before, end, Math.min(whole, STEP), scale);
        long faults =
                point
                        ? pointed(before, end, whole, out, at, 56 - 8 * scale)
                        : wholeNumbers(before, end, whole, out, at);
        int done = faults == 0 ? whole : 0;
        if (!point) {
            NumberWords.multiply(out, at, at + done, unit);
        }
        return NumberWords.decimals(text, before, end, done, count, out, at, scale, unit);
    }

    static boolean longNumbers(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] heads) {
        int whole = count & -STEP;
        loadLong(text, before, end, whole, out, at, heads);
        return longWhole(before, end, whole, out, at, heads) == 0
                && NumberWords.longNumbers(text, before, end, whole, count, out, at, heads);
    }

    static boolean longDecimals(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            long[] out,
            int at,
            int scale,
            long[] heads) {
        int whole = count & -STEP;
        loadLong(text, before, end, whole, out, at, heads);
        return longPointed(before, end, whole, out, at, 56 - 8 * scale, heads) == 0
                && NumberWords.longDecimals(text, before, end, whole, count, out, at, scale, heads);
    }

    private static boolean anyPoint(byte[] text, int[] before, int[] end, int count, int scale) {
        boolean any = false;
        for (int i = 0; i < count; i++) {
            int place = end[i] - 1 - scale;
            any |= place > before[i] && text[place] == '.';
        }
        return any;
    }

    /** The eight bytes from each field's start on. */
    private static void load(byte[] text, int[] before, int count, long[] out, int at) {
        for (int i = 0; i < count; i++) {
            out[at + i] = ByteAccess.getLong(text, before[i] + 1);
        }
    }

    /** The first eight bytes of each field, and its last eight if it has more. */
    private static void loadLong(
            byte[] text, int[] before, int[] end, int count, long[] out, int at, long[] heads) {
        load(text, before, count, heads, 0);
        for (int i = 0; i < count; i++) {
            int tail = Math.max(before[i] + 1, end[i] - Long.BYTES);
            out[at + i] = ByteAccess.getLong(text, tail);
        }
    }

    /** Replaces fetched words by numbers; not 0 if some are none. */
    private static long wholeNumbers(int[] before, int[] end, int count, long[] words, int at) {
        LongVector faults = LongVector.zero(LONGS);
        for (int i = 0; i < count; i += STEP) {
            LongVector shift = shift(spans(before, end, i));
            LongVector word = digits(words, at + i, shift);
            faults = faults.or(word).or(word.add(NumberWords.SIXES));
            value(word).intoArray(words, at + i);
        }
        return faults.reduceLanes(OR) & NumberWords.HIGH_NIBBLES;
    }

    /** The same of numbers that have a point in its place; 0 may lack it. */
    private static long pointed(
            int[] before, int[] end, int count, long[] words, int at, int pointShift) {
        long mask = 0xFFL << pointShift;
        long point = NumberWords.POINT << pointShift;
        long beforePoint = (1L << pointShift) - 1;
        long afterPoint = -1L << (pointShift + 8);
        LongVector faults = LongVector.zero(LONGS);
        LongVector others = faults;
        for (int i = 0; i < count; i += STEP) {
            LongVector shift = shift(spans(before, end, i));
            LongVector word = digits(words, at + i, shift);
            VectorMask<Long> some = word.compare(NE, 0);
            others = others.lanewise(OR, word.and(mask).lanewise(XOR, point), some);
            word = word.and(beforePoint).lanewise(LSHL, 8).or(word.and(afterPoint));
            faults = faults.or(word).or(word.add(NumberWords.SIXES));
            value(word).intoArray(words, at + i);
        }
        return others.reduceLanes(OR) | faults.reduceLanes(OR) & NumberWords.HIGH_NIBBLES;
    }

    /** The same as {@link #wholeNumbers} of words that have others before them. */
    private static long longWhole(
            int[] before, int[] end, int count, long[] words, int at, long[] heads) {
        LongVector faults = LongVector.zero(LONGS);
        for (int i = 0; i < count; i += STEP) {
            IntVector spans = spans(before, end, i);
            IntVector beyond = beyond(spans);
            LongVector word = digits(words, at + i, shift(spans.sub(beyond)));
            LongVector head = digits(heads, i, shift(beyond.add(1)));
            faults = faults.or(word).or(word.add(NumberWords.SIXES));
            faults = faults.or(head).or(head.add(NumberWords.SIXES));
            value(head).mul(NumberWords.HEAD_OF_NUMBER).add(value(word)).intoArray(words, at + i);
        }
        return faults.reduceLanes(OR) & NumberWords.HIGH_NIBBLES;
    }

    /** The same as {@link #pointed} of words that have others before them. */
    private static long longPointed(
            int[] before,
            int[] end,
            int count,
            long[] words,
            int at,
            int pointShift,
            long[] heads) {
        long mask = 0xFFL << pointShift;
        long point = NumberWords.POINT << pointShift;
        long beforePoint = (1L << pointShift) - 1;
        long afterPoint = -1L << (pointShift + 8);
        LongVector faults = LongVector.zero(LONGS);
        LongVector others = faults;
        for (int i = 0; i < count; i += STEP) {
            IntVector spans = spans(before, end, i);
            IntVector beyond = beyond(spans);
            LongVector word = digits(words, at + i, shift(spans.sub(beyond)));
            LongVector head = digits(heads, i, shift(beyond.add(1)));
            VectorMask<Long> some = word.or(head).compare(NE, 0);
            others = others.lanewise(OR, word.and(mask).lanewise(XOR, point), some);
            word = word.and(beforePoint).lanewise(LSHL, 8).or(word.and(afterPoint));
            faults = faults.or(word).or(word.add(NumberWords.SIXES));
            faults = faults.or(head).or(head.add(NumberWords.SIXES));
            value(head).mul(NumberWords.HEAD_OF_DECIMAL).add(value(word)).intoArray(words, at + i);
        }
        return others.reduceLanes(OR) | faults.reduceLanes(OR) & NumberWords.HIGH_NIBBLES;
    }

    /** How many characters of a field are before its last eight. */
    private static IntVector beyond(IntVector spans) {
        return spans.sub(1 + DigitKernels.WORD_CHARACTERS).max(0);
    }

    /** Length of each field, and one more. */
    private static IntVector spans(int[] before, int[] end, int i) {
        return IntVector.fromArray(HALF_INTS, end, i)
                .sub(IntVector.fromArray(HALF_INTS, before, i));
    }

    /** Half of how far a word is moved for its last character to be its highest byte. */
    private static LongVector shift(IntVector spans) {
        IntVector shift = spans.lanewise(LSHL, 2).neg().add(4 * DigitKernels.WORD_CHARACTERS + 4);
        return (LongVector) shift.convertShape(I2L, LONGS, 0);
    }

    private static LongVector digits(long[] words, int i, LongVector shift) {
        return LongVector.fromArray(LONGS, words, i)
                .lanewise(XOR, NumberWords.ZEROS)
                .lanewise(LSHL, shift)
                .lanewise(LSHL, shift);
    }

    /**
     * The number that eight digits stand for. The first two products have room in 16 bits, where
     * they are one instruction; of 64 bits they are three of some processors.
     */
    private static LongVector value(LongVector digits) {
        LongVector pairs =
                shortProducts(digits, 10).add(digits.lanewise(LSHR, 8)).and(NumberWords.PAIRS);
        LongVector quads =
                shortProducts(pairs, 100).add(pairs.lanewise(LSHR, 16)).and(NumberWords.QUADS);
        return quads.mul(10_000).add(quads.lanewise(LSHR, 32)).and(0xFFFF_FFFFL);
    }

    /** Multiplies each 16 bits. */
    private static LongVector shortProducts(LongVector vector, int factor) {
        return vector.reinterpretAsShorts().mul((short) factor).reinterpretAsLongs();
    }
}
