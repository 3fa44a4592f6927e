package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.ingest.Staging.Incoming;
import dev.penstock.kv.ingest.Staging.Part;
import dev.penstock.kv.storage.FaultyStorage;
import dev.penstock.kv.storage.NioStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

class StagingTest {
    private static final int MEBIBYTE = 1 << 20;

    @TempDir Path folder;

    private final FaultyStorage storage = new FaultyStorage(new NioStorage());

    private Staging staging(StagingMemory memory, String name) {
        return new Staging(memory, storage, folder.resolve("load").resolve(name));
    }

    private static byte[] fragment(int chunkId, int length) {
        byte[] bytes = new byte[length];
        new Random(chunkId).nextBytes(bytes);
        return bytes;
    }

    private static void check(Staging staging, int count) {
        assertThat(staging.partCount()).isEqualTo(count);
        long total = 0;
        for (Part part : staging.parts()) {
            assertThat(staging.bytes(part).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(fragment(part.chunkId(), part.length()));
            total += part.length();
        }
        assertThat(staging.bytes()).isEqualTo(total);
    }

    private long files() throws IOException {
        if (!Files.exists(folder.resolve("load"))) {
            return 0;
        }
        try (Stream<Path> names = Files.list(folder.resolve("load"))) {
            return names.count();
        }
    }

    @Test
    void whatIsMergedGoesToTheFileFirst() {
        try (StagingMemory memory =
                        new StagingMemory(new StagingLimits(10 * MEBIBYTE, 10 * MEBIBYTE));
                Staging merged = staging(memory, "1");
                Staging other = staging(memory, "2")) {
            for (int i = 0; i < 8; i++) {
                merged.append(i, fragment(i, MEBIBYTE), MEBIBYTE);
            }
            merged.merged(Staging.Need.IN_CASE);
            for (int i = 0; i < 7; i++) {
                other.append(i, fragment(i, MEBIBYTE), MEBIBYTE);
            }
            assertThat(merged.spillableBytes()).isLessThan(4 * MEBIBYTE);
            assertThat(other.spillableBytes()).isEqualTo(7 * MEBIBYTE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void whatNobodyNeedsIsDropped(boolean isInFile) {
        long kept = isInFile ? 0 : 10 * MEBIBYTE;
        try (StagingMemory memory = new StagingMemory(new StagingLimits(kept, kept));
                Staging staging = staging(memory, "1")) {
            staging.append(0, fragment(0, 20_000), 20_000);
            staging.append(1, fragment(1, 2 * MEBIBYTE), 2 * MEBIBYTE);
            // What is being written is not dropped.
            while (isInFile && memory.usedBytes() > 0) {
                Thread.onSpinWait();
            }
            for (Staging.Need need : List.of(Staging.Need.MERGE, Staging.Need.IN_CASE)) {
                staging.merged(need);
                assertThat(staging.drop()).isFalse();
            }
            assertThat(staging.heldBytes()).isEqualTo(staging.bytes());
            assertThat(Files.exists(folder.resolve("load").resolve("1"))).isEqualTo(isInFile);
            staging.merged(Staging.Need.NONE);
            assertThat(staging.drop()).isTrue();
            assertThat(staging.drop()).isFalse();
            assertThat(memory.usedBytes()).isZero();
            assertThat(Files.exists(folder.resolve("load").resolve("1"))).isFalse();
            assertThat(staging.heldBytes()).isZero();
            assertThat(staging.partCount()).isEqualTo(2);
            assertThatThrownBy(staging::load)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("has to begin again");

            assertThat(staging.reopen()).isTrue();
            assertThat(staging.reopen()).isFalse();
            for (int i = 2; i < 5; i++) {
                staging.append(i, fragment(i, MEBIBYTE), MEBIBYTE);
            }
            assertThat(staging.partCount()).isEqualTo(5);
            assertThat(staging.heldBytes()).isEqualTo(3 * MEBIBYTE);
            staging.load();
            assertThat(staging.parts()).extracting(Part::chunkId).containsExactly(2, 3, 4);
            for (Part part : staging.parts()) {
                assertThat(staging.bytes(part).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(fragment(part.chunkId(), part.length()));
            }
            assertThat(staging.drop()).isFalse();
        }
    }

    /** All in memory; all in a file; some in a file and mapped again. */
    @ParameterizedTest
    @CsvSource({"67108864, 67108864", "0, 0", "1048576, 4194304", "0, 67108864"})
    void everyFragmentComesBackHoweverMuchWasWrittenToTheFile(long kept, long max)
            throws IOException {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(kept, max))) {
            Random random = new Random(kept);
            try (Staging first = staging(memory, "1");
                    Staging second = staging(memory, "2")) {
                for (int i = 0; i < 40; i++) {
                    int length = 1 + random.nextInt(i % 3 == 0 ? 2 * MEBIBYTE : 20_000);
                    (i % 4 == 0 ? second : first).append(i, fragment(i, length), length);
                }
                first.load();
                check(first, 30);
                second.load();
                second.load();
                check(second, 10);
                assertThat(files()).isEqualTo(kept > 32 * MEBIBYTE ? 0 : 2);
            }
            assertThat(memory.usedBytes()).isZero();
            assertThat(memory.idleBytes()).isZero();
            assertThat(files()).isZero();
        }
    }

    @Test
    void manyThreadsAppendWhileFragmentsGoToFiles() throws Exception {
        StagingLimits limits = new StagingLimits(2 * MEBIBYTE, 6 * MEBIBYTE);
        try (StagingMemory memory = new StagingMemory(limits);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Staging> stagings = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                stagings.add(staging(memory, Integer.toString(i)));
            }
            List<Future<?>> senders = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = 1000 * thread;
                senders.add(threads.submit(() -> send(stagings, memory, first)));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
            for (Staging staging : stagings) {
                staging.load();
                check(staging, 80);
                staging.close();
            }
            assertThat(memory.usedBytes()).isZero();
        }
    }

    private static void send(List<Staging> stagings, StagingMemory memory, int first) {
        for (int i = 0; i < 60; i++) {
            int length = i % 7 == 0 ? 900_000 : 30_000;
            byte[] bytes = fragment(first + i, length);
            stagings.get(i % 3).append(first + i, bytes, length);
            // The limit, and what each thread brings.
            assertThat(memory.usedBytes()).isLessThan(10L * MEBIBYTE);
        }
    }

    @Test
    void memoryThatWasNotAppendedIsGivenBack() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(MEBIBYTE, MEBIBYTE));
                Staging staging = staging(memory, "1")) {
            byte[] bytes = fragment(1, MEBIBYTE);
            try (Incoming _ = staging.copy(bytes, bytes.length)) {
                assertThat(memory.usedBytes()).isEqualTo(MEBIBYTE);
            }
            assertThat(memory.usedBytes()).isZero();
            assertThat(staging.partCount()).isZero();
        }
    }

    @Test
    void aFullDiskFailsTheLoadAndGivesEverythingBack() throws IOException {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(0, 0))) {
            Staging staging = staging(memory, "1");
            staging.append(0, fragment(0, MEBIBYTE), MEBIBYTE);
            // The thread in the background may still write it; pinning waits for that.
            staging.pin();
            staging.unpin();
            storage.failWriteAfter(1000);
            staging.append(1, fragment(1, MEBIBYTE), MEBIBYTE);
            assertThatThrownBy(staging::pin)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("No space left");
            assertThatThrownBy(() -> staging.append(2, fragment(2, 10), 10))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("No space left");
            assertThatThrownBy(staging::load).isInstanceOf(PenstockException.class);
            staging.close();
            staging.close();
            assertThat(memory.usedBytes()).isZero();
            assertThat(files()).isZero();
        }
    }
}
