package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.FloatOrder;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;

/** What is a decimal, and of how many places, is what decimal arithmetic says. */
class DecimalsTest {
    private static final int[] COUNTS = {1, 2, 3, 31, 32, 33, 511, 512, 513, 1025, 8192};

    private final Random random = new Random(43);

    @Test
    void numbersOfFewDigitsComeBack() {
        for (int count : COUNTS) {
            for (int places : new int[] {0, 1, 2, 4, 9, 15, 22}) {
                for (int digits : new int[] {1, 3, 7, 14}) {
                    double[] values = new double[count];
                    for (int i = 0; i < count; i++) {
                        values[i] = decimal(digits, random.nextInt(places + 1));
                    }
                    check(values, false);
                }
            }
        }
    }

    private double decimal(int digits, int places) {
        long whole = random.nextLong() % (long) Math.pow(10, digits);
        double value = BigDecimal.valueOf(whole).movePointLeft(places).doubleValue();
        return value == 0 ? 0.0 : value;
    }

    @Test
    void floatsOfFewDigitsComeBack() {
        for (int count : COUNTS) {
            for (int places : new int[] {0, 1, 3}) {
                double[] values = new double[count];
                for (int i = 0; i < count; i++) {
                    values[i] = (float) decimal(5, places);
                }
                check(values, true);
            }
        }
    }

    @Test
    void oneValueOfManyDecides() {
        double[] others = {
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            -0.0,
            Math.PI,
            1e15,
            -1e15,
            999_999_999_999_999.0,
            562_949_953_421_311.0,
            -562_949_953_421_312.0,
            562_949_953_421_312.0,
            5_629_499_534_213.11,
            -5_629_499_534_213.12,
            99_999_999_999_999.9,
            9_999_999_999_999.99,
            1e300,
            Double.MIN_VALUE,
            0.125,
            1e-22,
            1e-23
        };
        for (int row : new int[] {0, 1, 31, 32, 511, 512, 600, 1099}) {
            for (double other : others) {
                double[] values = new double[1100];
                for (int i = 0; i < values.length; i++) {
                    values[i] = decimal(4, 2);
                }
                values[row] = other;
                check(values, false);
                check(new double[] {other}, false);
            }
        }
    }

    @Test
    void floatsOfManyDigitsAreNone() {
        for (double other : new double[] {83_886.07f, 83_886.08f, -83_886.08f, 2_684_354.75f}) {
            double[] values = new double[700];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) decimal(4, 2);
            }
            values[650] = other;
            check(values, true);
            check(new double[] {other}, true);
        }
    }

    @Test
    void neighboursAmongWholeNumbersAreInTheOrderOfTheirValues() {
        for (int i = 0; i < 100_000; i++) {
            long whole = random.nextLong() >> 15;
            int places = random.nextInt(23);
            assertThat(Decimals.value(whole + 1, places, false))
                    .isGreaterThan(Decimals.value(whole, places, false));
            long few = random.nextInt() >> 8;
            assertThat(Decimals.value(few + 1, places, true))
                    .isGreaterThan(Decimals.value(few, places, true));
        }
    }

    private static void check(double[] values, boolean real) {
        int from = 5;
        long[] ordered = new long[from + values.length];
        for (int i = 0; i < values.length; i++) {
            ordered[from + i] = FloatOrder.toOrdered(values[i]);
        }
        long[] out = new long[values.length];
        int places = Decimals.scale(ordered, from, values.length, real, out);
        assertThat(places).isEqualTo(placesOf(values, real));
        if (places == Decimals.NONE) {
            return;
        }
        long[] back = out.clone();
        Decimals.unscale(back, 0, back.length, places, real);
        for (int i = 0; i < values.length; i++) {
            assertThat(out[i]).isEqualTo(whole(values[i], places));
            assertThat(back[i]).isEqualTo(ordered[from + i]);
            assertThat(Decimals.value(out[i], places, real)).isEqualTo(ordered[from + i]);
        }
    }

    private static int placesOf(double[] values, boolean real) {
        for (int places = 0; places <= 22; places++) {
            boolean all = true;
            for (int i = 0; i < values.length && all; i++) {
                all = isDecimal(values[i], places, real);
            }
            if (all) {
                return places;
            }
        }
        return Decimals.NONE;
    }

    private static boolean isDecimal(double value, int places, boolean real) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return false;
        }
        BigDecimal scaled = new BigDecimal(value).movePointRight(places);
        if (scaled.abs().compareTo(new BigDecimal("1e17")) > 0
                || whole(value, places) < -limit(real)
                || whole(value, places) >= limit(real)) {
            return false;
        }
        BigDecimal nearest = BigDecimal.valueOf(whole(value, places)).movePointLeft(places);
        double back = real ? nearest.floatValue() : nearest.doubleValue();
        return Double.compare(back, value) == 0;
    }

    private static long limit(boolean real) {
        return 1L << (real ? 23 : 49);
    }

    private static long whole(double value, int places) {
        return new BigDecimal(value)
                .movePointRight(places)
                .setScale(0, RoundingMode.HALF_EVEN)
                .longValueExact();
    }
}
