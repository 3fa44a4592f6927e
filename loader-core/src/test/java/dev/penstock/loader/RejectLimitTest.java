package dev.penstock.loader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Limits are met exactly, whatever floating-point numbers make of a percentage. */
final class RejectLimitTest {
    @Test
    void a_percentage_is_reached_and_not_passed_at_every_two_decimals() {
        for (int hundredths = 1; hundredths <= 10_000; hundredths++) {
            String text = hundredths / 100 + "." + String.format("%02d", hundredths % 100) + "%";
            RejectLimit limit = RejectLimit.parse(text);
            for (long tenThousands : new long[] {1, 5, 123_457}) {
                long records = 10_000 * tenThousands;
                long most = hundredths * tenThousands;
                assertThat(limit.exceeded(most, records)).as(text).isFalse();
                assertThat(limit.exceeded(most + 1, records)).as(text).isTrue();
            }
        }
    }

    @Test
    void of_records_that_nobody_has_counted_none_are_too_many() {
        RejectLimit limit = RejectLimit.parse("0.000001%");
        assertThat(limit.exceeded(90_000_000, Long.MAX_VALUE)).isFalse();
    }
}
