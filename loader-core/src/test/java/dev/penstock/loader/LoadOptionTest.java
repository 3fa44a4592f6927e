package dev.penstock.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/** Settings of a load by name and text. */
final class LoadOptionTest {
    @Test
    void every_option_sets_what_its_name_says() {
        LoadSpecBuilder spec = LoadSpec.builder("t").from("x");
        for (LoadOption option : LoadOption.values()) {
            option.set(
                    spec,
                    switch (option) {
                        case DELIMITER -> "tab";
                        case QUOTE, ESCAPE, COMMENT -> "none";
                        case HEADER, TRAILING_DELIMITER, DRY_RUN -> "true";
                        case NULL -> "\\N";
                        case MAX_REJECTS -> "1%";
                        case REJECTS -> "bad.csv";
                        case ON_DUPLICATE -> "keep-first";
                        case VERIFY -> "full";
                        case REGIONS, SAMPLES, THREADS, WORKERS, SEED -> "7";
                        case CHUNK_SIZE, MEMORY -> "1MiB";
                        case OFFLOAD -> "all";
                        case CUT -> "sorted";
                        case LABEL -> "nightly";
                        case RESUME -> "true";
                    });
        }
        LoadSpec built = spec.build();
        assertThat(built.dialect())
                .isEqualTo(new DialectOptions('\t', -1, -1, -1, true, true, "\\N"));
        assertThat(built.maxRejects()).isEqualTo(RejectLimits.of(RejectLimit.ofPercent(1)));
        assertThat(built.rejectsFile()).isEqualTo(Path.of("bad.csv"));
        assertThat(built.duplicates()).isEqualTo(DuplicatePolicy.KEEP_FIRST);
        assertThat(built.verification()).isEqualTo(Verification.FULL);
        assertThat(built.threads()).isEqualTo(7);
        assertThat(built.chunkBytes()).isEqualTo(1 << 20);
        assertThat(built.offload()).isEqualTo(OffloadPolicy.ALL);
        assertThat(built.label()).isEqualTo("nightly");
        assertThat(built.resume()).isTrue();
        assertThat(built.dryRun()).isTrue();
    }

    @Test
    void names_are_known_in_any_case_and_others_refused_with_the_list() {
        assertThat(LoadOption.of("max_rejects")).isEqualTo(LoadOption.MAX_REJECTS);
        assertThat(LoadOption.of("Rejects_File")).isEqualTo(LoadOption.REJECTS);
        assertThatThrownBy(() -> LoadOption.of("format"))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("format is no option of a load")
                .hasMessageContaining("MAX_REJECTS");
    }

    @Test
    void values_without_sense_are_refused_with_the_name() {
        assertRefused(LoadOption.THREADS, "many", "THREADS 'many'");
        assertRefused(LoadOption.THREADS, "-1", "THREADS '-1'");
        assertRefused(LoadOption.HEADER, "perhaps", "HEADER 'perhaps'");
        assertRefused(LoadOption.DELIMITER, "ab", "DELIMITER 'ab'");
        assertRefused(LoadOption.ON_DUPLICATE, "cry", "keep-first");
    }

    private static void assertRefused(LoadOption option, String value, String part) {
        assertThatThrownBy(() -> option.set(LoadSpec.builder("t"), value))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(part);
    }
}
