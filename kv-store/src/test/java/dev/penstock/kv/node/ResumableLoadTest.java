package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.meta.LocalMetadata;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Loads with a plan on disks that lose what was not forced, and between servers that restart. */
final class ResumableLoadTest {
    private static final int CHUNKS = 8;
    private static final int ROWS = 40;
    private static final StagingLimits SMALL = new StagingLimits(0, 0);

    @TempDir private Path folder;

    private Path home() {
        return folder.resolve("store");
    }

    private static LoadDescriptor begin(TestStore store, String label) {
        return begin(store, label, "the plan");
    }

    private static LoadDescriptor begin(TestStore store, String label, String plan) {
        return Unfinished.begin(store, label, DuplicatePolicy.ERROR, plan);
    }

    /** Rows of a chunk in key order, over all three regions. */
    private static List<Item> chunk(int number) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            items.add(TestTable.item((long) i * (3000 / ROWS) + number, 1));
        }
        return items;
    }

    private static List<Item> all() {
        List<Item> items = new ArrayList<>();
        for (int number = 0; number < CHUNKS; number++) {
            items.addAll(chunk(number));
        }
        items.sort((a, b) -> Long.compare(a.id(), b.id()));
        return items;
    }

    private static void record(TestStore store, LoadDescriptor load, int number, long loader) {
        Unfinished.record(store, load, number, chunk(number), loader);
    }

    /** Sends what is not recorded, and publishes. */
    private static Set<Integer> goOn(TestStore store, LoadDescriptor unfinished, long loader) {
        LoadDescriptor load = store.metadata().resumeLoad(unfinished.loadId(), loader);
        Set<Integer> recorded = Unfinished.recorded(store, load);
        for (int number = 0; number < CHUNKS; number++) {
            if (!recorded.contains(number)) {
                record(store, load, number, loader);
            }
        }
        store.publish(load);
        return recorded;
    }

    private static void checkDone(TestStore store, MemoryDisk disk) {
        assertThat(store.scan()).isEqualTo(all());
        assertThat(store.metadata().runningLoads("items")).isEmpty();
        assertThat(disk.files().keySet())
                .noneMatch(file -> file.toString().contains("checkpoints/"))
                .noneMatch(file -> file.toString().contains("resume/"));
    }

    /** What a power cut or a kill may leave, and what was acknowledged before it. */
    private record Left(MemoryDisk disk, boolean begun, int recorded) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatWasRecordedSurvivesPowerCutsAtAnyMoment(long seed) {
        Random random = new Random(seed);
        MemoryDisk disk = StoreCheck.disk(home(), seed % 2 == 0);
        List<Left> left = new ArrayList<>();
        boolean[] begun = {false};
        int[] recorded = {0};
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            disk.watch((call, file) -> {
                if (call.changes() && random.nextInt(6) == 0) {
                    boolean killed = random.nextInt(3) == 0;
                    MemoryDisk image = killed ? disk.copy() : disk.afterPowerCut(random);
                    left.add(new Left(image, begun[0], recorded[0]));
                }
            });
            LoadDescriptor load = begin(store, "monday");
            begun[0] = true;
            for (int number = 0; number < CHUNKS; number++) {
                record(store, load, number, 1);
                recorded[0]++;
            }
            store.publish(load);
            disk.watch((call, file) -> {});
            checkDone(store, disk);
        }
        assertThat(left).hasSizeGreaterThan(10);
        left.forEach(one -> check(one, random));
    }

    private void check(Left left, Random random) {
        MemoryDisk disk = left.disk();
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 100)) {
            if (store.metadata().epoch() > 0) {
                assertThat(left.recorded()).isEqualTo(CHUNKS);
                checkDone(store, disk);
                return;
            }
            List<RunningLoad> running = store.metadata().runningLoads("items");
            assertThat(running).hasSizeBetween(left.begun() ? 1 : 0, 1);
            if (running.isEmpty()) {
                return;
            }
            LoadDescriptor load = running.getFirst().load();
            if (random.nextBoolean()) {
                store.metadata().resumeLoad(load.loadId(), 2);
                int more = left.recorded() % CHUNKS;
                record(store, load, more, 2);
                store.metadata().releaseLoad(load.loadId(), 2);
                store.restartServer();
            }
            assertThat(goOn(store, load, 3).size()).isGreaterThanOrEqualTo(left.recorded());
            checkDone(store, disk);
        }
    }

    @Test
    void whatWasForcedAndIsDamagedIsRefusedAndWhatWasNotIsSentAgain() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            record(store, load, 0, 1);
            record(store, load, 1, 1);
            store.send(load, 2, chunk(2));
        }
        int refused = 0;
        int sent = 0;
        for (Path log : disk.files().keySet()) {
            if (!log.endsWith("fragments") && !log.toString().contains("checkpoints/")) {
                continue;
            }
            int size = disk.files().get(log).length;
            for (int at = 0; at < size; at += 1 + size / 40) {
                MemoryDisk damaged = disk.copy();
                byte[] bytes = disk.files().get(log).clone();
                bytes[at] ^= 16;
                damaged.tamper(log, bytes);
                if (goesOn(damaged)) {
                    sent++;
                } else {
                    refused++;
                }
            }
        }
        assertThat(refused).as("refused").isGreaterThan(20);
        assertThat(sent).as("torn ends that nobody was promised").isPositive();
    }

    @Test
    void aLogThatHasLostItsEndSinceTheStoreWasClosedIsRefused() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        long length;
        Path log;
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            record(store, load, 0, 1);
            log = store.serverFolder().resolve("resume", load.loadId(), "fragments");
            length = disk.size(log);
            record(store, load, 1, 1);
        }
        disk.tamper(log, Arrays.copyOf(disk.read(log, 1 << 20), (int) length));
        for (int i = 0; i < 2; i++) {
            try (TestStore store = StoreCheck.open(home(), disk, SMALL, 100)) {
                LoadDescriptor load = store.metadata().runningLoads("items").getFirst().load();
                assertThatThrownBy(() -> store.metadata().resumeLoad(load.loadId(), 2))
                        .hasMessageContaining("fragments does not end as it did");
            }
        }
    }

    /** Whether the load comes to its right end; otherwise it is refused as damaged. */
    private boolean goesOn(MemoryDisk disk) {
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 100)) {
            LoadDescriptor load = store.metadata().runningLoads("items").getFirst().load();
            try {
                goOn(store, load, 2);
            } catch (PenstockException e) {
                assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.CORRUPT);
                store.metadata().abort(load.loadId());
                assertThat(store.scan()).isEmpty();
                return false;
            }
            checkDone(store, disk);
            return true;
        }
    }

    @Test
    void aServerThatHasStartedAnewForcesNothingItHasForgotten() {
        MemoryDisk disk = StoreCheck.disk(home(), false);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            record(store, load, 0, 1);
            store.send(load, 1, chunk(1));
            store.restartServer();
            assertThatThrownBy(() -> store.service().forceLoad(load.loadId()))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("has started anew");
            store.metadata().releaseLoad(load.loadId(), 1);
            assertThat(goOn(store, load, 2)).containsExactly(0);
            checkDone(store, disk);
        }
    }

    @Test
    void loadersTakeEachOthersPlaceOnlyWhenOneIsSilent() {
        MemoryDisk disk = StoreCheck.disk(home(), false);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            record(store, load, 0, 1);
            assertThatThrownBy(() -> store.metadata().resumeLoad(load.loadId(), 2))
                    .hasMessageContaining("another loader works on load")
                    .extracting(e -> ((PenstockException) e).category())
                    .isEqualTo(ErrorCategory.RETRY);
            store.advance(Duration.ofSeconds(16));
            store.metadata().resumeLoad(load.loadId(), 2);
            assertThatThrownBy(() -> record(store, load, 1, 1))
                    .hasMessageContaining("another loader has resumed load");
            record(store, load, 2, 2);
            store.restartLeader();
            record(store, load, 3, 2);
            assertThat(goOn(store, load, 2)).containsExactlyInAnyOrder(0, 2, 3);
            checkDone(store, disk);
        }
    }

    private static void resumeIsRefused(TestStore store, LoadDescriptor load, long loader) {
        assertThatThrownBy(() -> store.metadata().resumeLoad(load.loadId(), loader))
                .hasMessageContaining("another loader works on load")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.RETRY);
    }

    private static void signIsRefused(TestStore store, LoadDescriptor load, long loader) {
        assertThatThrownBy(() -> store.metadata().signOfLife(load.loadId(), loader))
                .hasMessageContaining("another loader has resumed load " + load.loadId())
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CONFLICT);
    }

    @Test
    void theFirstSignOfLifeAfterARestartOfTheLeaderCountsIfTheLoaderIsTheLatest() {
        MemoryDisk disk = StoreCheck.disk(home(), false);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            store.restartLeader();
            assertThat(store.metadata().signOfLife(load.loadId(), 1)).isEqualTo(LoadState.RUNNING);
            resumeIsRefused(store, load, 2);
            store.advance(Duration.ofSeconds(16));
            store.metadata().resumeLoad(load.loadId(), 2);
            signIsRefused(store, load, 1);
            for (int i = 0; i < 2; i++) {
                store.restartLeader();
                signIsRefused(store, load, 1);
                assertThatThrownBy(() -> record(store, load, 0, 1))
                        .hasMessageContaining("another loader has resumed");
                store.metadata().signOfLife(load.loadId(), 2);
                resumeIsRefused(store, load, 3);
            }
            store.restartLeader();
            assertThat(goOn(store, load, 3)).as("nobody has been heard of").isEmpty();
            assertThat(store.metadata().signOfLife(load.loadId(), 3))
                    .isEqualTo(LoadState.PUBLISHED);
            checkDone(store, disk);
        }
    }

    @Test
    void aLoaderThatWasSilentForLongCountsAgainUntilAnotherHasTakenItsPlace() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            store.advance(Duration.ofHours(2));
            ((LocalMetadata) store.metadata()).abortAbandoned();
            store.metadata().signOfLife(load.loadId(), 1);
            resumeIsRefused(store, load, 2);
            store.advance(Duration.ofHours(2));
            ((LocalMetadata) store.metadata()).abortAbandoned();
            store.metadata().resumeLoad(load.loadId(), 2);
            signIsRefused(store, load, 1);
            goOn(store, load, 2);
            checkDone(store, disk);
        }
    }

    @Test
    void aSignOfLifeThatComesAfterTheLoaderHasStoppedHoldsUpNobody() {
        MemoryDisk disk = StoreCheck.disk(home(), false);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            store.metadata().releaseLoad(load.loadId(), 1);
            store.metadata().signOfLife(load.loadId(), 1);
            store.metadata().resumeLoad(load.loadId(), 2);
            store.metadata().releaseLoad(load.loadId(), 1);
            resumeIsRefused(store, load, 3);
            goOn(store, load, 2);
            checkDone(store, disk);
        }
    }

    @Test
    void aForgottenLoadStaysUntilItsLabelIsLoadedAnew() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            record(store, load, 0, 1);
            store.advance(Duration.ofDays(3));
            store.node().heartbeat();
            assertThat(store.metadata().loadState(load.loadId())).isEqualTo(LoadState.RUNNING);
            assertThatThrownBy(() -> store.metadata().dropTable("items"))
                    .hasMessageContaining("is unfinished");
            assertThatThrownBy(() -> begin(store, "monday"))
                    .as("one that could go on with it")
                    .hasMessageContaining(load.loadId());
            LoadDescriptor anew = begin(store, "monday", "");
            assertThat(store.metadata().loadState(load.loadId())).isEqualTo(LoadState.ABORTED);
            store.metadata().abort(anew.loadId());
            assertThat(disk.files().keySet()).noneMatch(f -> f.toString().contains("resume/"));
            assertThat(store.scan()).isEmpty();
        }
    }

    @Test
    void keysOfAnInterruptedLoadThatIsPreparedStayItsOwn() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            for (int number = 0; number < CHUNKS; number++) {
                record(store, load, number, 1);
            }
            store.finish(load);
            store.metadata().releaseLoad(load.loadId(), 1);
            store.restartServer();
            assertThatThrownBy(() -> store.put(List.of(TestTable.item(0, 7))))
                    .hasMessageContaining(load.loadId() + " into table items");
            goOn(store, load, 2);
            checkDone(store, disk);
            store.put(List.of(TestTable.item(0, 7)));
            assertThat(store.scan()).contains(TestTable.item(0, 7));
        }
    }

    @Test
    void aRegionThatWasPreparedWithoutRowsTakesNoneAfterARestart() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            Unfinished.record(store, load, 0, List.of(TestTable.item(7, 1)), 1);
            store.finish(load);
            store.metadata().releaseLoad(load.loadId(), 1);
            store.restartServer();
            store.metadata().resumeLoad(load.loadId(), 2);
            assertThatThrownBy(() -> store.send(load, 1, List.of(TestTable.item(1_007, 1))))
                    .hasMessageContaining("takes no more fragments");
            store.publish(load);
            assertThat(store.scan()).containsExactly(TestTable.item(7, 1));
        }
    }

    @Test
    void aLoadWhoseFragmentsCouldNotBeWrittenGoesOnWithoutARestart() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            record(store, load, 0, 1);
            disk.watch((call, file) -> {
                if (call == MemoryDisk.Call.WRITE && file.toString().endsWith(".fragments")) {
                    throw MemoryDisk.injected(file);
                }
            });
            assertThatThrownBy(
                            () -> {
                                for (int number = 1; number < CHUNKS; number++) {
                                    record(store, load, number, 1);
                                }
                            })
                    .hasMessageContaining("injected fault");
            disk.watch((call, file) -> {});
            store.metadata().releaseLoad(load.loadId(), 1);
            goOn(store, load, 2);
            checkDone(store, disk);
        }
    }

    @Test
    void aLoadThatIsOpenedAfterItWasPublishedIsForgotten() {
        MemoryDisk disk = StoreCheck.disk(home(), true);
        try (TestStore store = StoreCheck.open(home(), disk, SMALL, 0)) {
            store.createItems();
            LoadDescriptor load = begin(store, "monday");
            goOnAfterRelease(store, load);
            store.service().openLoad(load);
            store.node().heartbeat();
            assertThat(store.service().status().loads()).isEmpty();
            checkDone(store, disk);
        }
    }

    private static void goOnAfterRelease(TestStore store, LoadDescriptor load) {
        store.metadata().releaseLoad(load.loadId(), 1);
        goOn(store, load, 1);
    }
}
