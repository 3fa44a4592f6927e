package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.QuietFailures.Upkeep;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

final class QuietFailuresTest {
    private static final Path FOLDER = Path.of("region-1");
    private static final Path FILE = FOLDER.resolve("file");

    private final QuietFailures failures = new QuietFailures();

    private void fail(Upkeep upkeep, Path file, String message) {
        failures.attempt(
                upkeep,
                file,
                () -> {
                    throw PenstockException.corrupt(message);
                });
    }

    @Test
    void theLatestFailureStaysUntilTheSameHasWorked() {
        fail(Upkeep.DELETE, FILE, "first");
        fail(Upkeep.DELETE, FILE, "second");
        failures.attempt(Upkeep.SHORTEN, FILE, () -> {});
        assertThat(failures.all()).containsOnlyKeys("could not delete " + FILE);
        assertThat(failures.all().get("could not delete " + FILE)).hasMessage("second");
        failures.attempt(Upkeep.DELETE, FILE, () -> {});
        assertThat(failures.all()).isEmpty();
    }

    @Test
    void memoryUsedUpIsOneOfThem() {
        failures.attempt(
                Upkeep.SHORTEN,
                FILE,
                () -> {
                    throw new OutOfMemoryError("Java heap space");
                });
        assertThat(failures.all().values())
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure).hasCauseInstanceOf(OutOfMemoryError.class));
    }

    @Test
    void manyOfOneKindAreBoundAndHideNoneOfAnother() {
        for (int i = 0; i < 1000; i++) {
            fail(Upkeep.DELETE, FOLDER.resolve("file-" + i), "no");
        }
        fail(Upkeep.SHORTEN, FILE, "no room");
        Map<String, PenstockException> all = failures.all();
        assertThat(all).hasSize(65).containsKey("could not shorten " + FILE);
        assertThat(all).containsKey("could not delete " + FOLDER.resolve("file-0"));
    }

    @Test
    void nothingIsSaidOfFilesWhoseFolderIsGone() {
        Path other = Path.of("region-10", "file");
        fail(Upkeep.DELETE, FILE, "no");
        fail(Upkeep.SHORTEN, FILE, "no");
        fail(Upkeep.DELETE, other, "no");
        failures.removeAllIn(FOLDER);
        assertThat(failures.all()).containsOnlyKeys("could not delete " + other);
    }
}
