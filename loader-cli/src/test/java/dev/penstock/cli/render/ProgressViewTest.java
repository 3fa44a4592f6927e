package dev.penstock.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadProgress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

final class ProgressViewTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void a_line_shows_phase_share_speed_rows_rejects_and_time_left() {
        assertThat(ProgressView.line(loading(50, 100, 3), true))
                .isEqualTo(
                        "load    [=====     ]  50%  9 s left  3 rejected"
                                + "  300 MB/s, mean 250  1,234 rows");
    }

    @ParameterizedTest
    @CsvSource({"99.4, 99 s", "100, 2 min", "5969, 99 min", "5970, 1:40 h", "90000, 25:00 h"})
    void times_left_are_short(double seconds, String time) {
        assertThat(ProgressView.line(ofMany(seconds), true)).contains("  " + time + " left  ");
    }

    @Test
    void a_load_of_a_billion_rows_fits_a_terminal() {
        assertThat(ProgressView.line(ofMany(5000), true)).hasSizeLessThanOrEqualTo(80);
        assertThat(
                        ProgressView.line(
                                new LoadProgress(
                                        LoadPhase.MERGE,
                                        9,
                                        9,
                                        1_234_567_890,
                                        0,
                                        0,
                                        100,
                                        256,
                                        4,
                                        1e9,
                                        1,
                                        0,
                                        -1),
                                true))
                .contains("  1000 MB/s  ")
                .hasSizeLessThanOrEqualTo(80);
    }

    @Test
    void input_of_unknown_size_shows_bytes_instead_of_a_share() {
        assertThat(ProgressView.line(loading(1_500_000, -1, 0), true))
                .startsWith("load    1.5 MB  ")
                .doesNotContain("%");
    }

    @Test
    void merging_counts_regions() {
        LoadProgress progress =
                new LoadProgress(LoadPhase.MERGE, 100, 100, 9, 0, 50, 3, 12, 4, 0, 0, 0, -1);
        assertThat(ProgressView.line(progress, false)).contains("25%").contains("3 of 12 regions");
    }

    @Test
    void one_row_of_one_region_is_called_so() {
        LoadProgress progress =
                new LoadProgress(LoadPhase.MERGE, 100, 100, 1, 0, 50, 0, 1, 4, 0, 0, 0, -1);
        assertThat(ProgressView.line(progress, false))
                .contains("0 of 1 region ")
                .endsWith(" 1 row");
    }

    @Test
    void without_a_terminal_a_line_comes_every_ten_seconds() {
        ProgressView view = new ProgressView(out, false);
        for (int second = 1; second <= 35; second++) {
            view.progressed(at(second));
        }
        view.clear();
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).hasSize(3);
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .doesNotContain("\u001b")
                .doesNotContain("=");
    }

    @Test
    void on_a_terminal_one_line_is_rewritten_and_taken_away() {
        ProgressView view = new ProgressView(out, true);
        view.progressed(at(1));
        view.progressed(at(2));
        view.clear();
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("\n").endsWith("\r\u001b[K");
        // Never left without the wrapping of lines, which is off only while one is written.
        assertThat(text.split("\u001b\\[\\?7l")).hasSize(3);
        assertThat(text.lastIndexOf("\u001b[?7h")).isGreaterThan(text.lastIndexOf("\u001b[?7l"));
    }

    private static LoadProgress loading(long done, long total, long rejects) {
        return new LoadProgress(
                LoadPhase.LOAD, done, total, 1234, rejects, 0, 0, 4, 2, 250e6, 300e6, 1e6, 9);
    }

    private static LoadProgress ofMany(double etaSeconds) {
        return new LoadProgress(
                LoadPhase.LOAD, 5, 9, 1_234_567_890, 0, 0, 0, 4, 2, 999e6, 999e6, 1, etaSeconds);
    }

    private static LoadProgress at(double seconds) {
        return new LoadProgress(LoadPhase.LOAD, 1, 2, 3, 0, 0, 0, 4, seconds, 1e6, 1e6, 1, 1);
    }
}
