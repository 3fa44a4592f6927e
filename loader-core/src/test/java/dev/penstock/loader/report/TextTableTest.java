package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class TextTableTest {
    @Test
    void columns_are_aligned_and_lines_have_no_spaces_at_their_end() {
        TextTable table = new TextTable("lrl", "name", "rows", "note");
        table.row("a", "1", "");
        table.row("longer", "12,345", "x");
        assertThat(table.lines("  "))
                .containsExactly(
                        "  name      rows  note", "  a            1", "  longer  12,345  x");
    }

    @Test
    void a_row_of_another_width_is_refused() {
        TextTable table = new TextTable("l", "a");
        assertThatThrownBy(() -> table.row("1", "2")).isInstanceOf(IllegalArgumentException.class);
    }
}
