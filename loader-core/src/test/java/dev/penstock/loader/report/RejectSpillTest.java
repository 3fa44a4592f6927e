package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What rejects leave does not depend on how many of them memory holds, and nothing else stays. */
final class RejectSpillTest {
    private static final RejectLimits ALL = RejectLimits.parse("100%");
    private static final int CHUNKS = 30;
    private static final int CHUNK_BYTES = 1_000_000;

    @TempDir private Path folder;

    private Path rejectsFile() {
        return folder.resolve("out").resolve("bad.csv");
    }

    @BeforeEach
    void makeFolder() throws IOException {
        Files.createDirectory(folder.resolve("out"));
        Files.writeString(folder.resolve("in.csv"), "");
    }

    private Inputs inputs() {
        return Inputs.open(
                List.of(folder.resolve("in.csv").toString()), InputStream.nullInputStream());
    }

    /** Up to thousands of rejects a chunk, of a few bytes or many, in input order. */
    private static List<Reject> chunk(Random random, int chunkId) {
        List<Reject> rejects = new ArrayList<>();
        int count = random.nextInt(4) == 0 ? 0 : random.nextInt(2_000);
        long position = (long) chunkId * CHUNK_BYTES;
        for (int i = 0; i < count; i++) {
            position += 1 + random.nextInt(CHUNK_BYTES / 2_000 - 1);
            byte[] record = new byte[random.nextInt(50) == 0 ? 20_000 : random.nextInt(60)];
            Arrays.fill(record, (byte) ('a' + random.nextInt(26)));
            RejectReason[] reasons = RejectReason.values();
            rejects.add(
                    new Reject(
                            reasons[random.nextInt(reasons.length)],
                            0,
                            position,
                            Reject.LINE_UNKNOWN,
                            "column",
                            "value " + i,
                            "something else",
                            record));
        }
        return rejects;
    }

    /**
     * Has a load's rejects added as a load does: of several chunks at a time, of each in order and
     * besides as regions answer, and the rest when regions finish.
     */
    private static List<Reject> fill(RejectLog log, long seed) {
        Random random = new Random(seed);
        List<Reject> all = new ArrayList<>();
        List<Runnable> calls = new ArrayList<>();
        List<List<Reject>> deferred = new ArrayList<>();
        for (int region = 0; region < 7; region++) {
            deferred.add(new ArrayList<>());
        }
        for (int chunkId = 0; chunkId < CHUNKS; chunkId++) {
            int id = chunkId;
            List<Reject> rejects = chunk(random, chunkId);
            all.addAll(rejects);
            List<Reject> ordered = new ArrayList<>();
            List<Reject> answered = new ArrayList<>();
            for (Reject reject : rejects) {
                switch (random.nextInt(3)) {
                    case 0 -> ordered.add(reject);
                    case 1 -> answered.add(reject);
                    default -> deferred.get(random.nextInt(deferred.size())).add(reject);
                }
            }
            Collections.shuffle(answered, random);
            int half = ordered.size() / 2;
            calls.add(() -> {
                log.add(id, ordered.subList(0, half));
                log.add(id, answered);
                log.add(id, ordered.subList(half, ordered.size()));
            });
        }
        Collections.shuffle(calls, random);
        calls.forEach(Runnable::run);
        for (List<Reject> region : deferred) {
            Collections.shuffle(region, random);
            log.defer(region);
        }
        long before = log.count();
        assertThat(log.addDeferred()).isEqualTo(all.size() - before);
        assertThat(log.count()).isEqualTo(all.size());
        return all;
    }

    private Map<String, String> written() {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(folder.resolve("out"))) {
            for (Path file : entries.toList()) {
                files.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static String records(List<Reject> rejects) {
        StringBuilder text = new StringBuilder("header\n");
        for (Reject reject : rejects) {
            text.append(new String(reject.record(), StandardCharsets.UTF_8)).append('\n');
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void files_are_the_same_whether_rejects_went_to_the_disk_or_not(long seed) {
        Map<String, String> expected = new TreeMap<>();
        for (long memoryBytes : new long[] {Long.MAX_VALUE, 100_000, 0}) {
            try (Inputs inputs = inputs();
                    RejectLog log =
                            new RejectLog(ALL, rejectsFile(), LocalDisk.SYSTEM, -1, memoryBytes)) {
                List<Reject> all = fill(log, seed);
                boolean spilled = memoryBytes < Long.MAX_VALUE;
                assertThat(log.spilledBytes() > 0).isEqualTo(spilled);
                new RejectFiles(log, null, inputs, LocalDisk.SYSTEM)
                        .write(
                                rejectsFile(),
                                "header".getBytes(StandardCharsets.UTF_8),
                                "{}",
                                null,
                                () -> {});
                if (!spilled) {
                    expected.putAll(written());
                    assertThat(expected.get("bad.csv")).isEqualTo(records(all));
                }
            }
            assertThat(written()).isEqualTo(expected);
        }
        assertThat(expected)
                .containsOnlyKeys("bad.csv", "bad.csv.load.json", "bad.csv.reasons.csv");
    }

    @Test
    void nothing_stays_of_a_load_that_does_not_come_to_write_its_files() {
        try (RejectLog log = new RejectLog(ALL, rejectsFile(), LocalDisk.SYSTEM, -1, 0)) {
            fill(log, 1);
            assertThat(log.spilledBytes()).isPositive();
        }
        assertThat(written()).isEmpty();
    }

    @Test
    void what_servers_find_counts_when_all_have_finished() {
        try (Inputs inputs = inputs();
                RejectLog log = new RejectLog(ALL, rejectsFile(), LocalDisk.SYSTEM, -1, 0)) {
            log.defer(chunk(new Random(3), 0));
            assertThat(log.count()).isZero();
            new RejectFiles(log, null, inputs, LocalDisk.SYSTEM)
                    .write(rejectsFile(), new byte[0], "{}", null, () -> {});
            assertThat(written()).containsEntry("bad.csv", "");
            assertThat(log.addDeferred()).isPositive();
        }
    }

    @Test
    void what_cannot_be_kept_ends_the_load_and_is_not_missing_from_files() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone")).resolve("bad.csv");
        List<Reject> rejects = chunk(new Random(3), 0);
        try (Inputs inputs = inputs();
                RejectLog log = new RejectLog(ALL, gone, LocalDisk.SYSTEM, -1, 0)) {
            Files.delete(folder.resolve("gone"));
            assertThatThrownBy(() -> log.add(0, rejects))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.IO))
                    .hasMessageContaining("could not be written")
                    .hasMessageContaining("Nothing of this load is visible");
            Files.createDirectory(folder.resolve("gone"));
            assertThatThrownBy(() -> log.add(1, rejects))
                    .hasMessageContaining("could not be written");
            assertThatThrownBy(() ->
                            new RejectFiles(log, null, inputs, LocalDisk.SYSTEM)
                                    .write(gone, new byte[0], "{}", null, () -> {}))
                    .hasMessageContaining("could not be written");
        }
        assertThat(folder.resolve("gone")).isEmptyDirectory();
    }
}
