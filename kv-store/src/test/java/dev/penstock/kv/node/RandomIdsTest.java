package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

final class RandomIdsTest {
    @TempDir private Path folder;

    private static void isRandom(UUID id) {
        assertThat(id.version()).isEqualTo(4);
        assertThat(id.variant()).isEqualTo(2);
    }

    @Test
    void noTwoAreTheSame() {
        Set<UUID> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            UUID id = RandomIds.next();
            isRandom(id);
            ids.add(id);
        }
        assertThat(ids).hasSize(1000);
    }

    @Test
    void bytesAreThoseOfTheSource() throws IOException {
        Path source = folder.resolve("random");
        byte[] bytes = new byte[16];
        Files.write(source, bytes);
        assertThat(RandomIds.next(source)).hasToString("00000000-0000-4000-8000-000000000000");
        Arrays.fill(bytes, (byte) -1);
        Files.write(source, bytes);
        assertThat(RandomIds.next(source)).hasToString("ffffffff-ffff-4fff-bfff-ffffffffffff");
    }

    @Test
    void withoutASourceTheyAreRandomAllTheSame() throws IOException {
        Path none = folder.resolve("none");
        isRandom(RandomIds.next(none));
        Path brief = Files.write(folder.resolve("brief"), new byte[7]);
        assertThat(RandomIds.next(brief)).isNotEqualTo(RandomIds.next(brief));
    }
}
