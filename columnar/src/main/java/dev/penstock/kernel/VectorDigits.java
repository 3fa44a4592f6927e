package dev.penstock.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The vector forms of {@link DigitKernels}: the words of 8 (or 4) values at once. */
final class VectorDigits {
    private static final VectorSpecies<Long> LONGS =
            KernelSelection.VECTOR_BYTES == 64 ? LongVector.SPECIES_512 : LongVector.SPECIES_256;
    private static final int STEP = LONGS.length();

    private static final long HIGH_NIBBLES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long PAIRS = 0x00FF00FF00FF00FFL;
    private static final long QUADS = 0x000000FF000000FFL;
    private static final long HIGH_FACTORS = 0x000F424000000064L;
    private static final long LOW_FACTORS = 0x0000271000000001L;
    private static final int EPOCH_DAY = 719_468;

    private VectorDigits() {}

    static long numbers(long[] words, int at, int count) {
        LongVector faults = LongVector.zero(LONGS);
        int end = at + count;
        int i = at;
        for (; i <= end - STEP; i += STEP) {
            LongVector word = LongVector.fromArray(LONGS, words, i);
            faults = faults.or(word).or(word.add(SIXES));
            value(word).intoArray(words, i);
        }
        long found = faults.reduceLanes(VectorOperators.OR) & HIGH_NIBBLES;
        return found | ScalarDigits.numbers(words, i, end - i);
    }

    static long decimals(long[] words, int at, int count, int scale, long unit) {
        int pointShift = 56 - 8 * scale;
        long point = (long) ('.' ^ '0') << pointShift;
        long pointMask = 0xFFL << pointShift;
        long before = (1L << pointShift) - 1;
        long after = -1L << (pointShift + 8);
        LongVector faults = LongVector.zero(LONGS);
        int end = at + count;
        int i = at;
        for (; i <= end - STEP; i += STEP) {
            LongVector word = LongVector.fromArray(LONGS, words, i);
            VectorMask<Long> pointed = word.and(pointMask).eq(point);
            LongVector moved = word.and(before).lanewise(LSHL, 8).or(word.and(after));
            word = word.blend(moved, pointed);
            faults = faults.or(word).or(word.add(SIXES));
            LongVector value = value(word);
            value.mul(unit).blend(value, pointed).intoArray(words, i);
        }
        long found = faults.reduceLanes(VectorOperators.OR) & HIGH_NIBBLES;
        return found | ScalarDigits.decimals(words, i, end - i, scale, unit);
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

    /** Hinnant's days_from_civil, as in {@link ScalarDigits#days}. */
    static long days(long[] words, int at, int count) {
        LongVector digitFaults = LongVector.zero(LONGS);
        LongVector rangeFaults = LongVector.zero(LONGS);
        int end = at + count;
        int i = at;
        for (; i <= end - STEP; i += STEP) {
            LongVector word = LongVector.fromArray(LONGS, words, i);
            digitFaults = digitFaults.or(word).or(word.add(SIXES));
            LongVector pairs =
                    word.lanewise(LSHL, 3)
                            .add(word.lanewise(LSHL, 1))
                            .add(word.lanewise(LSHR, 8))
                            .and(PAIRS);
            LongVector year = pairs.and(0xFF).mul(100).add(pairs.lanewise(LSHR, 16).and(0xFF));
            LongVector month = pairs.lanewise(LSHR, 32).and(0xFF);
            LongVector day = pairs.lanewise(LSHR, 48);
            LongVector century = year.mul(5243).lanewise(LSHR, 19);
            VectorMask<Long> noLeap =
                    year.and(3)
                            .compare(VectorOperators.NE, 0)
                            .or(
                                    year.eq(century.mul(100))
                                            .and(century.and(3).compare(VectorOperators.NE, 0)));
            LongVector usual = month.lanewise(LSHR, 3).lanewise(VectorOperators.XOR, month);
            LongVector monthDays = usual.and(1).add(30).blend(29, month.eq(2));
            monthDays = monthDays.sub(1, noLeap.and(month.eq(2)));
            rangeFaults =
                    rangeFaults
                            .or(year.sub(1))
                            .or(month.sub(1))
                            .or(month.neg().add(12))
                            .or(day.sub(1))
                            .or(monthDays.sub(day));
            LongVector early = month.sub(3).lanewise(ASHR, 63);
            year = year.add(early);
            century = year.mul(5243).lanewise(LSHR, 19);
            month = month.sub(3).add(early.and(12));
            LongVector dayOfYear = month.mul(153).add(2).mul(52_429).lanewise(LSHR, 18).add(day);
            year.mul(365)
                    .add(year.lanewise(LSHR, 2))
                    .sub(century)
                    .add(century.lanewise(LSHR, 2))
                    .add(dayOfYear)
                    .sub(EPOCH_DAY + 1)
                    .intoArray(words, i);
        }
        long digits = digitFaults.reduceLanes(VectorOperators.OR) & HIGH_NIBBLES;
        long ranges = rangeFaults.reduceLanes(VectorOperators.OR) >> 63;
        return digits | ranges | ScalarDigits.days(words, i, end - i);
    }
}
