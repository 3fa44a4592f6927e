package dev.penstock.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/** Text that would act on a terminal is shown and does nothing. */
final class PrintableTest {
    @Test
    void what_acts_on_a_terminal_is_shown() {
        assertThat(Printable.line("a\u001b[2Jb\rc\nd\te\0f\u007fg\u009bh"))
                .isEqualTo("a\\u001b[2Jb\\rc\\nd\\te\\u0000f\\u007fg\\u009bh");
        assertThat(Printable.lines("a\n\tb\u001b")).isEqualTo("a\n\tb\\u001b");
        assertThat(Printable.line("\u202Eevil\u2066\u2028")).isEqualTo("\\u202eevil\\u2066\\u2028");
    }

    @Test
    void other_text_stays() {
        String text = "grüße 🎉 \\n 日本 \u200d \u00a0";
        assertThat(Printable.line(text)).isSameAs(text);
        assertThat(Printable.line("")).isEmpty();
    }

    @Test
    void long_text_is_cut_between_characters() {
        assertThat(Printable.shortened("abcdef", 6)).isEqualTo("abcdef");
        assertThat(Printable.shortened("abcdef", 5)).isEqualTo("abcd…");
        assertThat(Printable.shortened("ab🎉def", 4)).isEqualTo("ab…");
        assertThat(Printable.shortened("\n".repeat(9), 3)).isEqualTo("\\n\\n…");
    }

    @Test
    void what_is_shown_reversibly_is_told_from_what_looks_like_it() {
        assertThat(Printable.reversible("a\nb")).isEqualTo("a\\nb");
        assertThat(Printable.reversible("a\\nb")).isEqualTo("a\\\\nb");
        SplittableRandom random = new SplittableRandom(8);
        String often = "\\\\nrtu0\n\r\t\0\u001b\u2028\"é";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(12);
            for (int k = 0; k < length; k++) {
                text.append(often.charAt(random.nextInt(often.length())));
            }
            String shown = Printable.reversible(text.toString());
            assertThat(shown.chars()).noneMatch(Character::isISOControl);
            assertThat(original(shown)).isEqualTo(text.toString());
        }
    }

    private static String original(String shown) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < shown.length()) {
            char c = shown.charAt(at++);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char kind = shown.charAt(at++);
            switch (kind) {
                case '\\' -> text.append('\\');
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    text.append((char) Integer.parseInt(shown.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> throw new AssertionError("\\" + kind + " in " + shown);
            }
        }
        return text.toString();
    }

    @Test
    void nothing_shown_is_a_control_character_whatever_comes_seed_7() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(40);
            for (int k = 0; k < length; k++) {
                text.append((char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000));
            }
            String shown = Printable.line(text.toString());
            assertThat(shown.chars()).noneMatch(Character::isISOControl);
            assertThat(Printable.line(shown)).isSameAs(shown);
        }
    }
}
