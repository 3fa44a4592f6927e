package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

/** Which changes of inputs are seen. */
final class InputDigestTest {
    @TempDir private Path folder;

    @Test
    void one_byte_anywhere_in_small_files_is_seen_and_the_time_is_not() throws IOException {
        Path file = folder.resolve("a.csv");
        byte[] bytes = new byte[3_000_000];
        Files.write(file, bytes);
        String before = digest(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertThat(digest(file)).isEqualTo(before);
        bytes[1_500_000] = 1;
        Files.write(file, bytes);
        assertThat(digest(file)).isNotEqualTo(before);
    }

    @Test
    void a_change_of_64_KiB_in_a_large_file_is_seen_and_one_byte_at_its_end() throws IOException {
        Path file = folder.resolve("a.csv");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(65 << 20);
            String before = digest(file);
            for (long at = 30 << 20; at < (30 << 20) + (64 << 10); at += 1000) {
                sparse.seek(at);
                sparse.write(1);
            }
            assertThat(digest(file)).isNotEqualTo(before);
            String other = digest(file);
            sparse.seek((65 << 20) - 1);
            sparse.write(1);
            assertThat(digest(file)).isNotEqualTo(other);
        }
    }

    private static String digest(Path file) {
        try (Inputs inputs = Inputs.open(List.of(file.toString()), InputStream.nullInputStream())) {
            return InputDigest.of(inputs);
        }
    }
}
