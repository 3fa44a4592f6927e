package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class FileMetadataLogTest {
    private static final Path FOLDER = Path.of("/leader");
    private static final Path LOG = FOLDER.resolve("metadata");
    private static final Path UNFINISHED = FOLDER.resolve("metadata.new");
    private static final long LIMIT = 2000;

    private final MemoryDisk disk = new MemoryDisk(FOLDER);
    private final MetadataState state = new MetadataState();

    private static FileMetadataLog open(MemoryDisk from, MetadataState replayed) {
        return FileMetadataLog.open(from, LOG, LIMIT, replayed::apply);
    }

    private static MetadataState read(MemoryDisk from) {
        MetadataState replayed = new MetadataState();
        open(from, replayed).close();
        return replayed;
    }

    private int bytes() {
        byte[] file = disk.files().get(LOG);
        return file == null ? 0 : file.length;
    }

    @Test
    void aLogThatGetsLongIsWrittenAnewAndSaysTheSame() {
        MetadataHistory history = new MetadataHistory(new Random(1), state);
        int shortened = 0;
        try (FileMetadataLog log = open(disk, state)) {
            Recorder recorder = new Recorder(log, state);
            for (int i = 0; i < 2000; i++) {
                int before = bytes();
                recorder.record(history.next());
                shortened += bytes() < before ? 1 : 0;
            }
            assertThat(disk.quietFailures().all()).isEmpty();
        }
        assertThat(shortened).isBetween(3, 100);
        assertThat(disk.files()).doesNotContainKey(UNFINISHED);
        assertThat(history.answers(read(disk))).isEqualTo(history.answers(state));
    }

    /** Or each start of a store with a long history would write it anew. */
    @Test
    void aLogThatWasWrittenAnewIsNotWrittenAnewByTheNextStart() {
        MetadataHistory history = new MetadataHistory(new Random(2), state);
        try (FileMetadataLog log = open(disk, state)) {
            Recorder recorder = new Recorder(log, state);
            int before = 0;
            while (bytes() >= before || bytes() < 2 * LIMIT) {
                before = bytes();
                recorder.record(history.next());
            }
        }
        int before = bytes();
        MetadataState replayed = new MetadataState();
        try (FileMetadataLog log = open(disk, replayed)) {
            new Recorder(log, replayed).record(history.next());
        }
        assertThat(bytes()).isGreaterThan(before);
    }

    @Test
    void aPowerCutWhileItIsWrittenAnewTakesNothing() {
        Random random = new Random(3);
        MetadataHistory history = new MetadataHistory(random, state);
        List<MemoryDisk> cuts = new ArrayList<>();
        boolean[] anew = {false};
        int times = 0;
        try (FileMetadataLog log = open(disk, state)) {
            Recorder recorder = new Recorder(log, state);
            disk.watch((call, file) -> {
                anew[0] |= call == Call.RENAME;
                cuts.add(disk.afterPowerCut(random));
            });
            for (int i = 0; i < 600; i++) {
                MetadataRecord next = history.next();
                List<String> before = history.answers(state);
                recorder.record(next);
                List<MemoryDisk> during = List.copyOf(cuts);
                if (anew[0]) {
                    times++;
                    List<String> after = history.answers(state);
                    for (MemoryDisk cut : during) {
                        assertThat(history.answers(read(cut))).isIn(before, after);
                    }
                    MemoryDisk cut = disk.afterPowerCut(random);
                    assertThat(history.answers(read(cut))).isEqualTo(after);
                }
                cuts.clear();
                anew[0] = false;
            }
            disk.watch((call, file) -> {});
        }
        assertThat(times).isGreaterThan(2);
    }

    @Test
    void aLogThatCannotBeWrittenAnewGoesOn() {
        MetadataHistory history = new MetadataHistory(new Random(4), state);
        try (FileMetadataLog log = open(disk, state)) {
            disk.watch((call, file) -> {
                if (call == Call.CREATE && file.equals(UNFINISHED)) {
                    throw PenstockException.io("there is no room left", new IOException());
                }
            });
            Recorder recorder = new Recorder(log, state);
            for (int i = 0; i < 300; i++) {
                recorder.record(history.next());
            }
            assertThat(disk.quietFailures().all()).containsOnlyKeys("could not shorten " + LOG);
            assertThat(disk.quietFailures().all().get("could not shorten " + LOG))
                    .hasMessage("there is no room left");
            assertThat(log.isInDoubt()).isFalse();
            assertThat(disk.files()).doesNotContainKey(UNFINISHED);
            assertThat(history.answers(read(disk))).isEqualTo(history.answers(state));
            disk.watch((call, file) -> {});
            int before = 0;
            while (bytes() >= before) {
                before = bytes();
                recorder.record(history.next());
            }
        }
        assertThat(history.answers(read(disk))).isEqualTo(history.answers(state));
    }
}
