package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

class BulkFileTest {
    private static final int BUFFER = BulkWrites.BUFFER_BYTES;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 4095, 4096, BUFFER - 1, BUFFER, BUFFER + 1, 2 * BUFFER, 5 * BUFFER + 77})
    void theFileIsWhatWasAppended(int length) throws IOException {
        byte[] bytes = new byte[length];
        Random random = new Random(length);
        random.nextBytes(bytes);
        Path path = folder.resolve("bulk");
        try (StorageFile file = new NioStorage().createBulk(path)) {
            for (int at = 0; at < length; ) {
                int count = Math.min(length - at, 1 + random.nextInt(BUFFER));
                file.write(bytes, at, count);
                at += count;
                assertThat(file.position()).isEqualTo(at);
            }
            file.force();
            assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatFollowsAForceIsInTheFileToo(boolean forceAgain) throws IOException {
        byte[] bytes = new byte[3 * BUFFER];
        new Random(1).nextBytes(bytes);
        Path path = folder.resolve("bulk");
        int cut = BUFFER + 1000;
        int end = 2 * BUFFER + 5000;
        try (StorageFile file = new NioStorage().createBulk(path)) {
            file.write(bytes, 0, cut);
            file.force();
            assertThat(Files.readAllBytes(path)).isEqualTo(Arrays.copyOf(bytes, cut));
            file.write(bytes, cut, end - cut);
            if (forceAgain) {
                file.force();
            }
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(Arrays.copyOf(bytes, end));
    }
}
