package dev.penstock.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The words of duplicate policies. */
final class DuplicatePolicyTest {
    @ParameterizedTest
    @EnumSource
    void every_policy_is_read_as_it_is_written(DuplicatePolicy policy) {
        assertThat(DuplicatePolicy.parse("--on-duplicate", policy.word())).isEqualTo(policy);
        assertThat(DuplicatePolicy.parse("--on-duplicate", policy.word().toUpperCase(Locale.ROOT)))
                .isEqualTo(policy);
    }

    @Test
    void every_pair_has_a_policy() {
        Set<String> pairs = new HashSet<>();
        for (DuplicatePolicy.Within within : DuplicatePolicy.Within.values()) {
            for (DuplicatePolicy.Stored stored : DuplicatePolicy.Stored.values()) {
                String pair = (within + "," + stored).toLowerCase(Locale.ROOT).replace('_', '-');
                DuplicatePolicy policy = DuplicatePolicy.parse("--on-duplicate", pair);
                assertThat(policy.within()).isEqualTo(within);
                assertThat(policy.stored()).isEqualTo(stored);
                pairs.add(pair);
            }
        }
        assertThat(pairs).hasSize(16);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "keep", "replace,error", "keep-existing,replace", "a,b,c", "error,"})
    void what_is_no_policy_is_refused_with_all_words(String text) {
        assertThatThrownBy(() -> DuplicatePolicy.parse("--on-duplicate", text))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("--on-duplicate '" + text + "'")
                .hasMessageContaining("keep-existing, reject, or two words")
                .hasMessageContaining("(error, keep-first, keep-last, reject)")
                .hasMessageContaining("(error, keep-existing, replace, reject)");
    }
}
