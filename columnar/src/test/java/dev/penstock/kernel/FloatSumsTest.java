package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.FloatOrder;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;

/** Sums are those of exact arithmetic, rounded once. */
class FloatSumsTest {
    private final Random random = new Random(47);

    @Test
    void sumsLoseNothing() {
        for (int count : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1023, 8192}) {
            for (int spread : new int[] {0, 1, 20, 60}) {
                double[] numbers = new double[count];
                BigDecimal exact = BigDecimal.ZERO;
                BigDecimal distance = BigDecimal.ZERO;
                for (int i = 0; i < count; i++) {
                    double number = random.nextGaussian() * Math.pow(2, random.nextInt(spread + 1));
                    numbers[i] = number;
                    exact = exact.add(new BigDecimal(number));
                    distance = distance.add(new BigDecimal(number).abs());
                }
                double found = sum(numbers);
                // An ulp of the sum, and what is lost of what is lost.
                double allowed = Math.ulp(exact.doubleValue()) + distance.doubleValue() * 0x1p-90;
                assertThat(found)
                        .isBetween(exact.doubleValue() - allowed, exact.doubleValue() + allowed);
            }
        }
    }

    @Test
    void whatCancelsIsExact() {
        double[] numbers = new double[1000];
        for (int i = 0; i < 500; i++) {
            numbers[i] = 1e16 + 2 * i;
            numbers[999 - i] = -numbers[i];
        }
        numbers[77] += 2;
        assertThat(sum(numbers)).isEqualTo(2);
        assertThat(sum(new double[] {1, 1e100, 1, -1e100})).isEqualTo(2);
    }

    @Test
    void whatIsNotFiniteStaysSo() {
        for (int at = 0; at < 9; at++) {
            double[] numbers = new double[9];
            Arrays.fill(numbers, 3);
            numbers[at] = Double.POSITIVE_INFINITY;
            assertThat(sum(numbers)).isEqualTo(Double.POSITIVE_INFINITY);
            numbers[at] = Double.NaN;
            assertThat(sum(numbers)).isNaN();
            numbers[at] = Double.NEGATIVE_INFINITY;
            numbers[(at + 3) % 9] = Double.POSITIVE_INFINITY;
            assertThat(sum(numbers)).isNaN();
        }
    }

    @Test
    void sumsThatAreTooLargeApartAreNotSoTogether() {
        double[] numbers = new double[8];
        for (int i = 0; i < 8; i++) {
            numbers[i] = i % 2 == 0 ? 1e308 : -1e308;
        }
        numbers[7] += 1e300;
        assertThat(sum(numbers)).isEqualTo(1e308 + (-1e308 + 1e300));
    }

    @Test
    void sumsGoOnFromWhatThereIs() {
        double[] sums = {5, 1e16, 7};
        double[] lost = {0, 0.5, 0};
        long[] numbers = {FloatOrder.toOrdered(0.25), FloatOrder.toOrdered(-1e16)};
        FloatSums.add(numbers, 2, sums, lost, 1);
        assertThat(sums[1] + lost[1]).isEqualTo(0.75);
        assertThat(sums[0] + sums[2] + lost[0] + lost[2]).isEqualTo(12);
    }

    private static double sum(double[] numbers) {
        long[] ordered = Arrays.stream(numbers).mapToLong(FloatOrder::toOrdered).toArray();
        double[] sums = new double[1];
        double[] lost = new double[1];
        FloatSums.add(ordered, numbers.length, sums, lost, 0);
        return Double.isFinite(sums[0]) ? sums[0] + lost[0] : sums[0];
    }
}
