package dev.penstock.convert;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;

/** The JDK's parser is the one to agree with, bit by bit. */
class NearestFloatTest {
    private static final long SEED = 2024;

    private final Random random = new Random(SEED);

    @Test
    void anyDigitsAndExponent() {
        for (int round = 0; round < 200_000; round++) {
            long digits = random.nextLong() >>> random.nextInt(64);
            int exponent = random.nextInt(round % 2 == 0 ? 720 : 50) - (round % 2 == 0 ? 370 : 25);
            check(digits, exponent);
        }
        for (long digits : new long[] {0, 1, 9, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            for (int exponent = -400; exponent <= 400; exponent++) {
                check(digits, exponent);
            }
            check(digits, Integer.MIN_VALUE);
            check(digits, Integer.MAX_VALUE);
        }
    }

    /** Numbers that lie exactly, or all but exactly, between two doubles or floats. */
    @Test
    void numbersBetweenTwo() {
        for (int round = 0; round < 100_000; round++) {
            int scale = random.nextInt(60) - 20;
            double some = Math.scalb(1 + random.nextDouble(), scale);
            checkAround(new BigDecimal(some).add(new BigDecimal(Math.ulp(some) / 2)));
            float less = (float) some;
            checkAround(new BigDecimal(less).add(new BigDecimal(Math.ulp(less) / 2)));
        }
    }

    /** The smallest numbers of all have fewer bits, and the largest end at infinity. */
    @Test
    void numbersAtTheEnds() {
        for (int round = 0; round < 50_000; round++) {
            long bits = random.nextLong() >>> 1 + random.nextInt(63);
            checkAround(new BigDecimal(Double.longBitsToDouble(bits & (1L << 53) - 1)));
            checkAround(new BigDecimal(Float.intBitsToFloat((int) bits & (1 << 24) - 1)));
        }
        checkAround(new BigDecimal(Double.MAX_VALUE));
        checkAround(new BigDecimal(Float.MAX_VALUE));
        checkAround(new BigDecimal(Double.MIN_VALUE).divide(BigDecimal.TWO));
        checkAround(new BigDecimal(Float.MIN_VALUE).divide(BigDecimal.TWO));
    }

    /** Its first digits, as many as fit, and their neighbours. */
    private void checkAround(BigDecimal number) {
        BigDecimal rounded = number.round(new MathContext(18));
        long digits = rounded.unscaledValue().longValueExact();
        for (long near = Math.max(0, digits - 1); near <= digits + 1; near++) {
            check(near, -rounded.scale());
        }
    }

    private static void check(long digits, int exponent) {
        String text = Long.toUnsignedString(digits) + "e" + exponent;
        double expected = Double.parseDouble(text);
        assertThat(Double.doubleToRawLongBits(NearestFloat.toDouble(digits, exponent)))
                .as("seed %d, %s", SEED, text)
                .isEqualTo(Double.doubleToRawLongBits(expected));
        assertThat(Float.floatToRawIntBits(NearestFloat.toFloat(digits, exponent)))
                .as("seed %d, %s", SEED, text)
                .isEqualTo(Float.floatToRawIntBits(Float.parseFloat(text)));
    }
}
