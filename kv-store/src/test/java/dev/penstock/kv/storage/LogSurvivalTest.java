package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Logs of processes that were killed, read by the next one, before the power goes. */
class LogSurvivalTest {
    private static final Path FOLDER = Path.of("/logs");
    private static final Path LOG = FOLDER.resolve("log");

    private static List<Long> read(MemoryDisk disk) {
        List<Long> sequences = new ArrayList<>();
        if (disk.exists(LOG)) {
            LogReader.recover(
                    disk, LOG, LogKind.JOURNAL, 5, (sequence, payload) -> sequences.add(sequence));
        }
        return sequences;
    }

    @Test
    void whatWasReadOnceIsThereAfterAPowerCut() {
        MemoryDisk disk = new MemoryDisk(FOLDER);
        try (LogWriter writer = LogWriter.create(disk, LOG, LogKind.JOURNAL, 5)) {
            writer.append(new byte[700], 700);
            writer.force();
            writer.append(new byte[700], 700);
            writer.append(new byte[700], 700);
        }
        assertThat(read(disk)).containsExactly(1L, 2L, 3L);
        for (int seed = 0; seed < 50; seed++) {
            assertThat(read(disk.afterPowerCut(new Random(seed))))
                    .as("seed %d", seed)
                    .containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void whatWasReadAfterAFailedForceIsThereAfterAPowerCut() {
        for (int seed = 0; seed < 50; seed++) {
            MemoryDisk disk = new MemoryDisk(FOLDER);
            try (LogWriter writer = LogWriter.create(disk, LOG, LogKind.JOURNAL, 5)) {
                writer.append(new byte[700], 700);
                writer.force();
                writer.append(new byte[700], 700);
                writer.append(new byte[700], 700);
                failForces(disk);
                assertThatThrownBy(writer::force).hasMessageContaining("injected fault");
            }
            MemoryDisk next = disk.copy();
            assertThat(read(next)).containsExactly(1L, 2L, 3L);
            assertThat(read(next.afterPowerCut(new Random(seed))))
                    .as("seed %d", seed)
                    .containsExactly(1L, 2L, 3L);
        }
    }

    /** Where a block of the disk ends between a seal and the record after it, only that is new. */
    @Test
    void aSealBeforeWhatWasNotForcedIsThereAfterAPowerCutToo() {
        for (int seed = 0; seed < 200; seed++) {
            MemoryDisk disk = new MemoryDisk(FOLDER);
            int bytes = 4096 - 100 + seed;
            try (LogWriter writer = LogWriter.create(disk, LOG, LogKind.JOURNAL, 5)) {
                writer.append(new byte[bytes], bytes);
                writer.force();
                writer.append(new byte[700], 700);
                failForces(disk);
                assertThatThrownBy(writer::force).hasMessageContaining("injected fault");
            }
            MemoryDisk next = disk.copy();
            assertThat(read(next)).containsExactly(1L, 2L);
            try (LogWriter writer = LogWriter.resume(next, LOG, LogKind.JOURNAL, 5, 2)) {
                writer.append(new byte[700], 700);
            }
            assertThat(read(next.afterPowerCut(new Random(seed))))
                    .as("seed %d", seed)
                    .startsWith(1L, 2L);
        }
    }

    @Test
    void nothingIsReadThatCannotBeMadeCertain() {
        MemoryDisk disk = new MemoryDisk(FOLDER);
        try (LogWriter writer = LogWriter.create(disk, LOG, LogKind.JOURNAL, 5)) {
            writer.append(new byte[700], 700);
        }
        failForces(disk);
        List<Long> read = new ArrayList<>();
        assertThatThrownBy(() ->
                        LogReader.recover(
                                disk, LOG, LogKind.JOURNAL, 5, (sequence, _) -> read.add(sequence)))
                .hasMessageContaining("injected fault");
        assertThat(read).isEmpty();
    }

    @Test
    void whatWasForcedIsReadWithoutWritingAnything() {
        MemoryDisk disk = new MemoryDisk(FOLDER);
        try (LogWriter writer = LogWriter.create(disk, LOG, LogKind.JOURNAL, 5)) {
            writer.append(new byte[700], 700);
            writer.force();
        }
        disk.watch((call, file) -> assertThat(call.changes()).as("%s", call).isFalse());
        assertThat(read(disk)).containsExactly(1L);
    }

    private static void failForces(MemoryDisk disk) {
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.FORCE) {
                throw MemoryDisk.injected(file);
            }
        });
    }

    @Test
    void aLogThatGoesOnKeepsItsName() {
        MemoryDisk disk = new MemoryDisk(FOLDER);
        Path unfinished = LogWriter.unfinished(LOG);
        byte[] header = LogDescriptor.header(LogKind.JOURNAL, 5);
        try (StorageFile file = disk.create(unfinished)) {
            file.write(header, 0, header.length);
            file.force();
        }
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.FORCE_FOLDER) {
                throw new IllegalStateException("killed");
            }
        });
        assertThatThrownBy(() -> disk.rename(unfinished, LOG)).hasMessage("killed");
        disk.watch((call, file) -> {});
        try (LogWriter writer = LogWriter.resume(disk, LOG, LogKind.JOURNAL, 5, 0)) {
            writer.append(new byte[10], 10);
            writer.force();
        }
        for (int seed = 0; seed < 50; seed++) {
            assertThat(read(disk.afterPowerCut(new Random(seed))))
                    .as("seed %d", seed)
                    .containsExactly(1L);
        }
    }
}
