package dev.penstock.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Wide decimals as bytes: they come back, and sort as their values do. */
final class WideOrderTest {
    private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(127);

    @Test
    void values_come_back_and_bytes_sort_as_they_do() {
        List<BigInteger> values = values();
        for (BigInteger left : values) {
            byte[] bytes = WideOrder.toOrdered(left);
            assertThat(bytes).hasSize(16);
            assertThat(WideOrder.fromOrdered(bytes, 0, 16)).isEqualTo(left);
            for (BigInteger right : values) {
                assertThat(
                                Integer.signum(
                                        Arrays.compareUnsigned(bytes, WideOrder.toOrdered(right))))
                        .as("%s and %s", left, right)
                        .isEqualTo(left.compareTo(right));
            }
        }
    }

    @Test
    void larger_values_are_refused() {
        for (BigInteger value : List.of(LIMIT, LIMIT.negate().subtract(BigInteger.ONE))) {
            assertThatThrownBy(() -> WideOrder.toOrdered(value))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static List<BigInteger> values() {
        List<BigInteger> values =
                new ArrayList<>(
                        List.of(
                                BigInteger.ZERO,
                                BigInteger.ONE,
                                BigInteger.ONE.negate(),
                                LIMIT.subtract(BigInteger.ONE),
                                LIMIT.negate()));
        Random random = new Random(5);
        for (int i = 0; i < 60; i++) {
            BigInteger value = new BigInteger(1 + random.nextInt(126), random);
            values.add(random.nextBoolean() ? value : value.negate());
        }
        return values;
    }
}
