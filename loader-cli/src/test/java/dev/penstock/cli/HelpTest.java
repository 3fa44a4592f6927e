package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help comes on standard output, begins with examples and fits a terminal. */
final class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "generate",
                "plan",
                "load",
                "serve",
                "table",
                "count",
                "aggregate",
                "get",
                "scan",
                "status",
                "ping",
                "verify",
                "completion",
                "table create",
                "table list",
                "table describe",
                "table drop",
                "rejects",
                "rejects show",
                "rejects replay",
                "loads"
            })
    void every_command_explains_itself_with_an_example_before_its_options(String command) {
        Ran ran = Ran.cli((command + " --help").split(" "));
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        int example = ran.out().indexOf("  penstock " + command);
        int completion = ran.out().indexOf("penstock completion");
        int usage = ran.out().indexOf("Usage: penstock " + command);
        int options = ran.out().indexOf("--help");
        assertThat(Math.max(example, completion)).as("example").isPositive().isLessThan(usage);
        assertThat(usage).as("usage").isLessThan(options);
        assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
    }

    @Test
    void a_replay_says_which_store_it_goes_to() {
        assertThat(Ran.cli("rejects", "replay", "--help").out())
                .contains("Default: the store of the first load")
                .doesNotContain("penstock-data");
    }

    @Test
    void no_arguments_show_how_to_begin() {
        Ran ran = Ran.cli();
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("penstock demo", "penstock load", "Commands:");
        assertThat(ran.out().indexOf("penstock demo")).isLessThan(ran.out().indexOf("Usage:"));
    }

    @Test
    void every_command_is_listed() {
        assertThat(Ran.cli("--help").out())
                .contains("demo", "generate", "plan", "load", "serve", "table", "count")
                .contains("aggregate", "get", "scan", "status", "verify", "rejects", "completion");
    }

    @Test
    void the_version_is_one_line() {
        assertThat(Ran.cli("--version").out()).matches("penstock \\S+\n");
        assertThat(Ran.cli("-V").out()).isEqualTo(Ran.cli("--version").out());
    }

    @Test
    void completion_prints_a_script_that_knows_the_commands() {
        Ran ran = Ran.cli("completion");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("#!/usr/bin/env bash").contains("verify", "--max-rejects");
    }
}
