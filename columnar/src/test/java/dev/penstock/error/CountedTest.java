package dev.penstock.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CountedTest {
    @Test
    void only_one_is_one() {
        assertThat(Counted.of(0, "row")).isEqualTo("0 rows");
        assertThat(Counted.of(1, "row")).isEqualTo("1 row");
        assertThat(Counted.of(2, "row")).isEqualTo("2 rows");
        assertThat(Counted.of(2, "worker process")).isEqualTo("2 worker processes");
        assertThat(Counted.verb(1, "is", "are")).isEqualTo("is");
        assertThat(Counted.verb(0, "is", "are")).isEqualTo("are");
    }
}
