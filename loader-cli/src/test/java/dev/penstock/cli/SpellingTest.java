package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

final class SpellingTest {
    private static final List<String> COMMANDS =
            List.of("demo", "generate", "plan", "load", "serve", "table", "count", "scan");

    @ParameterizedTest
    @CsvSource({
        "laod, load",
        "lod, load",
        "loads, load",
        "genrate, generate",
        "skan, scan",
        "tabel, table",
        "conut, count"
    })
    void slips_of_the_finger_are_understood(String word, String meant) {
        assertThat(Spelling.nearest(word, COMMANDS)).contains(meant);
    }

    @Test
    void other_words_are_left_alone() {
        assertThat(Spelling.nearest("x", COMMANDS)).isEmpty();
        assertThat(Spelling.nearest("delete", COMMANDS)).isEmpty();
        assertThat(Spelling.nearest("", COMMANDS)).isEmpty();
    }
}
