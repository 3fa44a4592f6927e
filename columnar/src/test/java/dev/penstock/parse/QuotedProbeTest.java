package dev.penstock.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

final class QuotedProbeTest {
    private static final int FIELDS = 4;
    private static final int WINDOW_BYTES = 1 << 10;

    private final QuotedProbe probe = new QuotedProbe(Dialect.csv(), FIELDS);

    /** Records with line ends, delimiters and quotes in their fields, and where each begins. */
    private record Text(byte[] bytes, NavigableSet<Integer> starts) {
        static Text random(long seed, String lineEnd) {
            SplittableRandom random = new SplittableRandom(seed);
            StringBuilder text = new StringBuilder();
            NavigableSet<Integer> starts = new TreeSet<>();
            for (int i = 0; i < 1500; i++) {
                starts.add(text.length());
                text.append(i);
                for (int field = 1; field < FIELDS; field++) {
                    text.append(',').append(field(random));
                }
                text.append(lineEnd);
            }
            starts.add(text.length());
            return new Text(text.toString().getBytes(StandardCharsets.US_ASCII), starts);
        }

        private static String field(SplittableRandom random) {
            String[] parts = {"a", ",", "\n", "\"\"", "b c", "\r\n", ",\"\"x\"\","};
            StringBuilder field = new StringBuilder();
            for (int left = random.nextInt(6); left > 0; left--) {
                field.append(parts[random.nextInt(parts.length)]);
            }
            return random.nextInt(3) == 0 ? "plain" : "\"" + field + "\"";
        }
    }

    @ParameterizedTest
    @CsvSource({"1,LF", "2,LF", "3,CRLF", "4,CRLF"})
    void what_is_found_is_where_records_begin(long seed, String newline) {
        Text text = Text.random(seed, newline.equals("LF") ? "\n" : "\r\n");
        int found = 0;
        int end = text.bytes().length - WINDOW_BYTES;
        for (int from = 0; from < end; from++) {
            int start = probe.startAfter(text.bytes(), from, from + WINDOW_BYTES);
            if (start >= 0) {
                found++;
                assertThat(text.starts()).contains(start);
                assertThat(start).isGreaterThan(from);
                assertThat(probe.end(text.bytes(), start, text.bytes().length))
                        .isEqualTo(text.starts().higher(start));
            }
        }
        assertThat(found).isGreaterThan(end * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void the_last_record_begins_where_quotes_are_even(long seed) {
        Text text = Text.random(seed, "\n");
        for (int end : text.starts().tailSet(1)) {
            int start = text.starts().lower(end);
            assertThat(probe.lastStart(text.bytes(), Math.max(0, start - 100), end))
                    .isEqualTo(start == 0 ? -1 : start);
            assertThat(probe.lastStart(text.bytes(), start, end)).isEqualTo(-1);
        }
        byte[] open = bytes("1,a,b,c\n2,\"x\ny\",b,\"c\nd\"");
        assertThat(probe.lastStart(open, 0, open.length)).isEqualTo(8);
    }

    @Test
    void a_record_that_does_not_end_has_no_end() {
        byte[] text = bytes("1,\"a\nb\",c,d\n2,\"e\nf");
        assertThat(probe.end(text, 0, text.length)).isEqualTo(12);
        assertThat(probe.end(text, 0, 11)).isEqualTo(-1);
        assertThat(probe.end(text, 12, text.length)).isEqualTo(-1);
    }

    /** Rows within a field look like others, unless what surrounds them is seen. */
    @Test
    void text_that_can_be_read_both_ways_is_not_decided() {
        byte[] text = bytes("x\n" + "1,2,3,4\n".repeat(4) + "\",3,4\n" + "5,6,7,8\n".repeat(4));
        assertThat(probe.startAfter(text, 0, text.length)).isEqualTo(-1);
    }

    @Test
    void too_few_records_tell_nothing() {
        byte[] text = bytes("x\n1,2,3,4\n2,3,4,");
        assertThat(probe.startAfter(text, 0, text.length)).isEqualTo(-1);
        assertThat(probe.startAfter(bytes("no line ends"), 0, 12)).isEqualTo(-1);
        assertThat(probe.startAfter(new byte[0], 0, 0)).isEqualTo(-1);
    }

    @Test
    void text_without_quotes_is_cut_at_lines() {
        byte[] text = bytes("3,4\n" + "1,2,3,4\n".repeat(3));
        assertThat(probe.startAfter(text, 0, text.length)).isEqualTo(4);
    }

    @Test
    void a_delimiter_that_ends_each_record_counts() {
        Dialect trailing = Dialect.csv().withTrailingDelimiter(true);
        byte[] text = bytes("x\n" + "1,2,3,4,\n".repeat(3));
        QuotedProbe ofTrailing = new QuotedProbe(trailing, FIELDS);
        assertThat(ofTrailing.startAfter(text, 0, text.length)).isEqualTo(2);
        assertThat(probe.startAfter(text, 0, text.length)).isEqualTo(-1);
    }

    @Test
    void dialects_that_say_more_than_quotes_do_are_not_guessed() {
        assertThat(Dialect.csv().quotesAloneHideLines()).isTrue();
        assertThat(Dialect.csv().withEscape('"').quotesAloneHideLines()).isTrue();
        assertThat(Dialect.tpch().quotesAloneHideLines()).isFalse();
        assertThat(Dialect.csv().withEscape('\\').quotesAloneHideLines()).isFalse();
        assertThat(Dialect.csv().withComment('#').quotesAloneHideLines()).isFalse();
        assertThat(Dialect.csv().withNewline(Dialect.Newline.ANY).quotesAloneHideLines()).isFalse();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
