package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "4096, 4096",
        "8k, 8192",
        "8KiB, 8192",
        "8kB, 8000",
        "1.5M, 1572864",
        "2 GiB, 2147483648",
        "1T, 1099511627776",
        "7b, 7"
    })
    void sizes_are_read_with_and_without_units(String text, long bytes) {
        assertThat(Quantities.parseBytes("--memory", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "0", "8X", "8kiloB", "1e3", "..", "9999999999T"})
    void what_is_no_size_is_refused_by_name(String text) {
        assertThatThrownBy(() -> Quantities.parseBytes("--chunk-size", text))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("--chunk-size '" + text + "'");
    }

    @Test
    void bytes_have_about_three_digits() {
        assertThat(Quantities.bytes(0)).isEqualTo("0 B");
        assertThat(Quantities.bytes(999)).isEqualTo("999 B");
        assertThat(Quantities.bytes(999_999)).isEqualTo("1.0 MB");
        assertThat(Quantities.bytes(759_863_287)).isEqualTo("759.9 MB");
        assertThat(Quantities.bytes(Long.MAX_VALUE)).isEqualTo("9223.4 PB");
    }

    @Test
    void times_grow_from_seconds_to_hours() {
        assertThat(Quantities.seconds(0.1234)).isEqualTo("0.12 s");
        assertThat(Quantities.seconds(125)).isEqualTo("2:05 min");
        assertThat(Quantities.seconds(11_220)).isEqualTo("3:07:00 h");
    }
}
