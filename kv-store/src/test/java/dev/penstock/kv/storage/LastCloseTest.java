package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class LastCloseTest {
    private final Path folder = Path.of("/data");
    private final Path log = folder.resolve("journal");
    private final MemoryDisk disk = new MemoryDisk(folder);

    /** What is written about a log's end must not be more than what a power cut leaves of it. */
    @Test
    void aLogThatGrewWhileItWasForcedIsForcedAgain() {
        LogWriter writer = LogWriter.create(disk, log, LogKind.JOURNAL, 0, first -> {});
        writer.append(new byte[10], 10);
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.FORCE) {
                disk.watch((other, any) -> {});
                writer.append(new byte[20], 20);
            }
        });
        writer.force();
        writer.close();
        assertThat(forcedByWriting()).contains(log);
    }

    @Test
    void aLogThatEndsWithAForceIsNot() {
        LogWriter writer = LogWriter.create(disk, log, LogKind.JOURNAL, 0, first -> {});
        writer.append(new byte[10], 10);
        writer.force();
        writer.close();
        assertThat(forcedByWriting()).doesNotContain(log);
    }

    /** The files that are forced by writing down where logs end; that they do is checked. */
    private List<Path> forcedByWriting() {
        List<Path> forced = new ArrayList<>();
        LastClose close = LastClose.open(disk, folder);
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.FORCE) {
                forced.add(file);
            }
        });
        close.write();
        disk.watch((call, file) -> {});
        assertThat(LastClose.open(disk, folder).damage(folder.resolve("any"))).isEmpty();
        return forced;
    }
}
