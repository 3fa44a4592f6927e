package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.storage.NioStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Entries of loads that can be resumed come back in pages, all of them, in order. */
final class CheckpointLogsTest {
    private static final String LOAD = "00000000-0000-0001-0000-000000000002";
    private static final int ENTRY_BYTES = 3 << 20;

    @TempDir private Path folder;

    private CheckpointLogs open() {
        return new CheckpointLogs(new NioStorage(), folder.resolve("checkpoints"));
    }

    private static byte[] entry(int number) {
        byte[] entry = new byte[ENTRY_BYTES];
        Arrays.fill(entry, (byte) number);
        return entry;
    }

    /** The numbers of the entries from one on, and how many pages they took. */
    private static List<Integer> numbers(CheckpointLogs logs, int from, int pages) {
        List<Integer> numbers = new ArrayList<>();
        int read = 0;
        List<byte[]> page = logs.read(LOAD, from);
        while (!page.isEmpty()) {
            read++;
            page.forEach(entry -> numbers.add((int) entry[ENTRY_BYTES - 1]));
            page = logs.read(LOAD, from + numbers.size());
        }
        assertThat(read).as("pages").isEqualTo(pages);
        return numbers;
    }

    @Test
    void pages_in_order_and_from_anywhere_have_every_entry_once() {
        try (CheckpointLogs logs = open()) {
            assertThat(logs.read(LOAD, 0)).isEmpty();
            for (int i = 0; i < 8; i++) {
                logs.append(LOAD, entry(i));
            }
            assertThat(numbers(logs, 0, 3)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
            assertThat(numbers(logs, 0, 3)).hasSize(8);
            assertThat(numbers(logs, 7, 1)).containsExactly(7);
            assertThat(logs.read(LOAD, 8)).isEmpty();
            logs.append(LOAD, entry(8));
            assertThat(numbers(logs, 8, 1)).containsExactly(8);
        }
        try (CheckpointLogs logs = open()) {
            assertThat(numbers(logs, 5, 2)).as("in a new process").containsExactly(5, 6, 7, 8);
            logs.append(LOAD, entry(9));
            assertThat(numbers(logs, 8, 2)).containsExactly(8, 9);
            logs.remove(LOAD);
            assertThat(logs.read(LOAD, 0)).isEmpty();
            logs.append(LOAD, entry(1));
            assertThat(numbers(logs, 0, 1)).as("a new log").containsExactly(1);
            logs.keepOnly(Set.of());
        }
    }

    @Test
    void damage_while_the_log_is_open_is_an_error_and_no_end() throws IOException {
        try (CheckpointLogs logs = open()) {
            for (int i = 0; i < 4; i++) {
                logs.append(LOAD, entry(i));
            }
            Path file = folder.resolve("checkpoints").resolve(LOAD);
            byte[] bytes = Files.readAllBytes(file);
            bytes[ENTRY_BYTES + 100_000] ^= 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> logs.read(LOAD, 0))
                    .hasMessageContaining("record 2 does not match its checksum");
        }
    }
}
