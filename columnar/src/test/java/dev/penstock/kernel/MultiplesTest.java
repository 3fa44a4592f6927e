package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.Random;

/** What values are multiples of is what division says. */
class MultiplesTest {
    private static final int[] COUNTS = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 500, 8192};
    private static final BigInteger FIVE = BigInteger.valueOf(5);

    private final Random random = new Random(41);

    @Test
    void theGreatestPowersOfTwoAndFiveAreFound() {
        for (int count : COUNTS) {
            for (int shift : new int[] {0, 1, 2, 6, 31, 40, 62}) {
                for (int fives : new int[] {0, 1, 6, 13, 27}) {
                    BigInteger divisor = FIVE.pow(fives).shiftLeft(shift);
                    if (divisor.bitLength() < 64) {
                        check(values(count, divisor.longValueExact()), 3);
                    }
                }
            }
        }
    }

    @Test
    void cornersAreNotMistaken() {
        check(new long[] {Long.MIN_VALUE, 0, 1L << 62}, 0);
        check(new long[] {Long.MIN_VALUE}, 0);
        check(new long[] {Long.MIN_VALUE, Long.MAX_VALUE - 1}, 0);
        check(new long[] {Long.MIN_VALUE + 8, Long.MAX_VALUE - 7}, 0);
        check(new long[] {2 * 7_450_580_596_923_828L, -1_490_116_119_384_765_6L}, 0);
        check(new long[] {0, 0, 1000}, 0);
        check(new long[] {10, 20, 30, 41}, 0);
        assertThat(Multiples.divide(new long[40], 0, 40, new long[40])).isZero();
    }

    @Test
    void oneValueOfManyDecides() {
        for (int odd = 0; odd < 300; odd++) {
            long[] values = values(300, 1_000_000);
            for (long other : new long[] {1, 2, 5, 10, 1000, 15_625, -64}) {
                values[odd] = other;
                check(values, 0);
            }
        }
    }

    @Test
    void onlyDivisorsThatFitAreDivisors() {
        assertThat(Multiples.isDivisor(6 | 6 << 8)).isTrue();
        assertThat(Multiples.divisor(6 | 6 << 8)).isEqualTo(1_000_000);
        assertThat(Multiples.isDivisor(62)).isTrue();
        assertThat(Multiples.isDivisor(1 | 26 << 8)).isTrue();
        assertThat(Multiples.isDivisor(1 | 27 << 8)).isFalse();
        assertThat(Multiples.isDivisor(63)).isFalse();
        assertThat(Multiples.isDivisor(6 << 8)).isFalse();
        assertThat(Multiples.isDivisor(-1)).isFalse();
    }

    private long[] values(int count, long divisor) {
        long[] values = new long[count];
        long most = Long.MAX_VALUE / divisor;
        for (int i = 0; i < count; i++) {
            long quotient = most == 0 ? 0 : random.nextLong() % most;
            values[i] = divisor * (random.nextInt(9) == 0 ? 0 : quotient >> random.nextInt(60));
        }
        values[random.nextInt(count)] = divisor;
        return values;
    }

    private void check(long[] values, int from) {
        long[] all = new long[from + values.length];
        System.arraycopy(values, 0, all, from, values.length);
        BigInteger any = BigInteger.ZERO;
        for (long value : values) {
            any = any.gcd(BigInteger.valueOf(value));
        }
        int shift = Math.min(62, any.getLowestSetBit());
        int fives = 0;
        BigInteger rest = any.shiftRight(shift);
        while (rest.mod(FIVE).signum() == 0) {
            fives++;
            rest = rest.divide(FIVE);
        }
        long[] out = new long[values.length];
        int found = Multiples.divide(all, from, values.length, out);
        if (shift == 0) {
            assertThat(found).isEqualTo(Multiples.NONE);
            return;
        }
        assertThat(found).isEqualTo(shift | fives << 8);
        assertThat(Multiples.isDivisor(found)).isTrue();
        for (int i = 0; i < values.length; i++) {
            assertThat(out[i]).isEqualTo(values[i] / Multiples.divisor(found));
            assertThat(out[i] * Multiples.divisor(found)).isEqualTo(values[i]);
        }
    }
}
