package dev.penstock.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.GT;
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
 * The vector form of {@link DigitKernels#dates}, with the arithmetic of {@link ScalarDates}; the
 * days before a month are {@code (367 m - 362) / 12}, and less after February. Two vectors of words
 * become one of ints, the first one's values in the even lanes.
 */
final class VectorDates {
    private static final boolean WIDE = KernelSelection.VECTOR_BYTES == 64;
    private static final VectorSpecies<Long> LONGS =
            WIDE ? LongVector.SPECIES_512 : LongVector.SPECIES_256;
    private static final VectorSpecies<Integer> INTS =
            WIDE ? IntVector.SPECIES_512 : IntVector.SPECIES_256;
    private static final VectorSpecies<Integer> HALF_INTS =
            WIDE ? IntVector.SPECIES_256 : IntVector.SPECIES_128;
    private static final int HALF = LONGS.length();
    private static final int STEP = 2 * HALF;

    /** The first and the last eight bytes of 1970-01-01, which stands for empty fields. */
    private static final long EPOCH_HEAD = 0x2D31302D30373931L;

    private static final long EPOCH_REST = 0x31302D31302D3037L;

    private VectorDates() {}

    /**
     * @param full whether all fields are known to have ten bytes
     */
    static long dates(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            boolean full,
            long[] out,
            int at,
            long[] scratch) {
        int whole = count & -STEP;
        load(text, before, whole, out, at, scratch);
        long faults = full ? 0 : fillEmpty(before, end, whole, out, at, scratch);
        faults |= pairs(whole, out, at, scratch);
        faults |= days(whole, out, at);
        return faults | ScalarDates.dates(text, before, end, whole, count, out, at);
    }

    /** The first and the last eight bytes of each date. */
    private static void load(
            byte[] text, int[] before, int count, long[] out, int at, long[] rest) {
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            out[at + i] = ByteAccess.getLong(text, start);
            rest[i] = ByteAccess.getLong(text, start + ScalarDates.CHARACTERS - Long.BYTES);
        }
    }

    /** Puts a date where there is none; not 0 if other fields have no ten bytes. */
    private static long fillEmpty(
            int[] before, int[] end, int count, long[] words, int at, long[] rest) {
        LongVector faults = LongVector.zero(LONGS);
        for (int i = 0; i < count; i += HALF) {
            IntVector spans =
                    IntVector.fromArray(HALF_INTS, end, i)
                            .sub(IntVector.fromArray(HALF_INTS, before, i));
            LongVector lengths = (LongVector) spans.sub(1).convertShape(I2L, LONGS, 0);
            VectorMask<Long> empty = lengths.eq(0);
            lengths = lengths.blend(ScalarDates.CHARACTERS, empty);
            faults = faults.or(lengths.lanewise(XOR, ScalarDates.CHARACTERS));
            LongVector.fromArray(LONGS, words, at + i)
                    .blend(EPOCH_HEAD, empty)
                    .intoArray(words, at + i);
            LongVector.fromArray(LONGS, rest, i).blend(EPOCH_REST, empty).intoArray(rest, i);
        }
        return faults.reduceLanes(OR);
    }

    /**
     * Makes century, year, month and day, 16 bits each, of the words that hold a date's bytes;
     * answers what is wrong with dashes and digits.
     */
    private static long pairs(int count, long[] words, int at, long[] rest) {
        LongVector digitFaults = LongVector.zero(LONGS);
        LongVector dashFaults = digitFaults;
        for (int i = 0; i < count; i += HALF) {
            LongVector head = LongVector.fromArray(LONGS, words, at + i);
            LongVector tail = LongVector.fromArray(LONGS, rest, i);
            dashFaults = dashFaults.or(head.lanewise(XOR, ScalarDates.DASHES));
            LongVector word =
                    head.and(ScalarDates.YEAR_BYTES)
                            .or(tail.lanewise(LSHL, 8).and(ScalarDates.MONTH_BYTES))
                            .or(tail.and(ScalarDates.DAY_BYTES))
                            .lanewise(XOR, ScalarDates.ZEROS);
            digitFaults = digitFaults.or(word).or(word.add(ScalarDates.SIXES));
            word.lanewise(LSHL, 3)
                    .add(word.lanewise(LSHL, 1))
                    .add(word.lanewise(LSHR, 8))
                    .and(ScalarDates.PAIRS)
                    .intoArray(words, at + i);
        }
        return dashFaults.reduceLanes(OR) & ScalarDates.DASH_BYTES
                | digitFaults.reduceLanes(OR) & ScalarDates.HIGH_NIBBLES;
    }

    /** Makes days of what {@link #pairs} made. */
    private static int days(int count, long[] words, int at) {
        IntVector faults = IntVector.zero(INTS);
        for (int i = 0; i < count; i += STEP) {
            LongVector one = LongVector.fromArray(LONGS, words, at + i);
            LongVector two = LongVector.fromArray(LONGS, words, at + i + HALF);
            IntVector years = one.and(0xFFFF_FFFFL).or(two.lanewise(LSHL, 32)).reinterpretAsInts();
            IntVector rest =
                    one.lanewise(LSHR, 32).or(two.and(0xFFFF_FFFFL << 32)).reinterpretAsInts();
            IntVector century = years.and(0xFFFF);
            IntVector ofCentury = years.lanewise(LSHR, 16);
            IntVector month = rest.and(0xFFFF);
            IntVector day = rest.lanewise(LSHR, 16);
            VectorMask<Integer> first = ofCentury.eq(0);
            VectorMask<Integer> usual = ofCentury.blend(century, first).and(3).compare(NE, 0);
            VectorMask<Integer> february = month.eq(2);
            IntVector monthDays = month.lanewise(LSHR, 3).lanewise(XOR, month).and(1).add(30);
            monthDays = monthDays.blend(29, february).sub(1, usual.and(february));
            IntVector year = century.mul(100).add(ofCentury);
            faults =
                    faults.or(year.sub(1))
                            .or(month.sub(1))
                            .or(month.neg().add(12))
                            .or(day.sub(1))
                            .or(monthDays.sub(day));
            IntVector centuries = century.add(1).blend(century, first);
            VectorMask<Integer> late = month.compare(GT, 2);
            IntVector yearDays =
                    year.mul(365)
                            .add(year.add(3).lanewise(LSHR, 2))
                            .sub(centuries)
                            .add(centuries.add(3).lanewise(LSHR, 2));
            IntVector monthStart = month.mul(367).sub(362).mul(10_923).lanewise(LSHR, 17);
            monthStart = monthStart.sub(1, late).sub(1, late.and(usual));
            LongVector days =
                    yearDays.add(monthStart)
                            .add(day)
                            .sub(ScalarDates.EPOCH_DAY)
                            .reinterpretAsLongs();
            days.lanewise(LSHL, 32).lanewise(ASHR, 32).intoArray(words, at + i);
            days.lanewise(ASHR, 32).intoArray(words, at + i + HALF);
        }
        return faults.reduceLanes(OR) >>> 31;
    }
}
