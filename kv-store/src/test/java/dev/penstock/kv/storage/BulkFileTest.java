package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 64})
    void howManyBuffersAreOnTheirWayChangesNothing(int spareBuffers) throws IOException {
        BulkWrites shared = new BulkWrites(new DiskState(), spareBuffers);
        byte[] bytes = new byte[20 * BUFFER + 77];
        new Random(spareBuffers).nextBytes(bytes);
        Path one = folder.resolve("one");
        Path other = folder.resolve("other");
        try (StorageFile first = shared.create(one);
                StorageFile second = shared.create(other)) {
            for (int at = 0; at < bytes.length; at += BUFFER / 2) {
                int count = Math.min(BUFFER / 2, bytes.length - at);
                first.write(bytes, at, count);
                second.write(bytes, at, count);
            }
            first.force();
            assertThat(Files.readAllBytes(one)).isEqualTo(bytes);
        }
        assertThat(Files.readAllBytes(other)).isEqualTo(bytes);
        assertThat(shared.spareLeft()).isEqualTo(spareBuffers);
    }

    @Test
    void aFailedWriteIsToldAndGivesEverythingBack() throws IOException {
        BulkWrites shared = new BulkWrites(new DiskState(), 4);
        Path readOnly = Files.createFile(folder.resolve("readonly"));
        FileChannel channel = FileChannel.open(readOnly, StandardOpenOption.READ);
        // A folder cannot be opened past the page cache, so the channel is what is written to.
        Path path = folder;
        StorageFile file = new BulkFile(path, channel, new DiskState(), shared);
        byte[] bytes = new byte[20 * BUFFER];
        assertThatThrownBy(
                        () -> {
                            file.write(bytes, 0, bytes.length);
                            file.force();
                        })
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("cannot write to " + path);
        assertThatThrownBy(file::force).hasMessageContaining("cannot write to " + path);
        assertThat(channel.isOpen()).isTrue();
        file.close();
        assertThat(channel.isOpen()).isFalse();
        assertThat(shared.spareLeft()).isEqualTo(4);
    }
}
