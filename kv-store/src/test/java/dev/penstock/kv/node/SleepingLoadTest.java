package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Loads that wait to be resumed on servers that go on. */
final class SleepingLoadTest {
    private static final int CHUNKS = 5;

    /** Fragments go to files at once. */
    private static final StagingLimits SMALL = new StagingLimits(0, 0);

    @TempDir private Path folder;
    private MemoryDisk disk;
    private TestStore store;
    private LoadDescriptor load;

    @BeforeEach
    void aLoadWithTwoChunksRecordedAndOneSent() {
        disk = StoreCheck.disk(folder.resolve("store"), false);
        store = StoreCheck.open(folder.resolve("store"), disk, SMALL, 0);
        store.createItems();
        load = Unfinished.begin(store, "monday", DuplicatePolicy.ERROR, "the plan");
        record(0, 1);
        record(1, 1);
        store.send(load, 2, chunk(2));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Item> chunk(int number) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            items.add(TestTable.item(i * 75L + number, 1));
        }
        return items;
    }

    private void record(int number, long loader) {
        Unfinished.record(store, load, number, chunk(number), loader);
    }

    private boolean isAsleep() {
        return store.service().status().loads().stream()
                .allMatch(progress -> progress.regionId() == LoadProgress.ALL_REGIONS);
    }

    private void fallAsleep() {
        store.advance(OpenLoad.IDLE);
        store.node().heartbeat();
        assertThat(isAsleep()).as("asleep").isTrue();
        assertThat(store.service().status().loads()).as("its log").hasSize(1);
    }

    /** As a loader does that knows which chunks are recorded. */
    private void publishAll(long loader, int from) {
        for (int number = from; number < CHUNKS; number++) {
            record(number, loader);
        }
        store.publish(load);
        checkDone(store, disk);
    }

    private static void checkDone(TestStore store, MemoryDisk disk) {
        List<Item> all = new ArrayList<>();
        for (int number = 0; number < CHUNKS; number++) {
            all.addAll(chunk(number));
        }
        all.sort((a, b) -> Long.compare(a.id(), b.id()));
        assertThat(store.scan()).isEqualTo(all);
        assertThat(store.service().status().loads()).isEmpty();
        assertThat(disk.files().keySet()).noneMatch(file -> file.toString().contains("resume/"));
    }

    @Test
    void aLoadWhoseLoaderHasStoppedIsNothingButItsLogUntilItIsResumed() {
        assertThat(disk.openFiles()).anyMatch(file -> file.toString().contains("resume/"));
        store.metadata().releaseLoad(load.loadId(), 1);
        store.node().heartbeat();
        assertThat(isAsleep()).as("so early").isFalse();
        fallAsleep();
        assertThat(disk.openFiles()).noneMatch(file -> file.toString().contains("resume/"));
        assertThat(disk.files().keySet()).noneMatch(file -> file.toString().contains("staging/"));
        store.metadata().resumeLoad(load.loadId(), 2);
        assertThat(isAsleep()).isFalse();
        assertThat(Unfinished.recorded(store, load)).containsExactlyInAnyOrder(0, 1);
        publishAll(2, 2);
    }

    @Test
    void aLoadWhoseLoaderLivesStaysOpenThoughItSendsNothing() {
        for (int minute = 0; minute < 5; minute++) {
            store.advance(OpenLoad.IDLE);
            store.metadata().signOfLife(load.loadId(), 1);
            store.node().heartbeat();
            assertThat(isAsleep()).isFalse();
        }
        publishAll(1, 2);
    }

    @Test
    void aLoaderThatWasOnlySilentWakesItsLoad() {
        fallAsleep();
        record(3, 1);
        assertThat(isAsleep()).isFalse();
        fallAsleep();
        store.service().forceLoad(load.loadId());
        assertThat(isAsleep()).isFalse();
        publishAll(1, 2);
    }

    @Test
    void aLoadThatSleepsCanBeFinished() {
        record(2, 1);
        record(3, 1);
        record(4, 1);
        fallAsleep();
        store.finish(load);
        fallAsleep();
        store.publish(load);
        checkDone(store, disk);
    }

    private List<MemoryDisk> powerCuts() {
        List<MemoryDisk> cuts = new ArrayList<>();
        for (long seed = 0; seed < 20; seed++) {
            cuts.add(disk.afterPowerCut(new Random(seed)));
        }
        store.close();
        return cuts;
    }

    @Test
    void whatWasAcknowledgedBeforeTheSleepAndForcedAfterItSurvivesAPowerCut() {
        fallAsleep();
        store.service().forceLoad(load.loadId());
        store.metadata().checkpoint(load.loadId(), 1, new byte[] {2});
        for (MemoryDisk after : powerCuts()) {
            try (TestStore again = StoreCheck.open(folder.resolve("store"), after, SMALL, 100)) {
                again.metadata().resumeLoad(load.loadId(), 2);
                assertThat(Unfinished.recorded(again, load)).containsExactlyInAnyOrder(0, 1, 2);
                Unfinished.record(again, load, 3, chunk(3), 2);
                Unfinished.record(again, load, 4, chunk(4), 2);
                again.publish(load);
                checkDone(again, after);
            }
        }
    }

    @Test
    void whatWasAcknowledgedBeforeTheSleepSurvivesAPowerCutDuringIt() {
        fallAsleep();
        for (MemoryDisk after : powerCuts()) {
            try (TestStore again = StoreCheck.open(folder.resolve("store"), after, SMALL, 100)) {
                again.metadata().resumeLoad(load.loadId(), 2);
                assertThat(again.service().status().loads())
                        .allMatch(progress -> progress.rowCount() > 0)
                        .extracting(LoadProgress::rowCount)
                        .satisfies(rows ->
                                assertThat(rows.stream().mapToLong(Long::longValue).sum())
                                        .isEqualTo(3 * 40));
            }
        }
    }

    @Test
    void noLoadFallsAsleepUnderAFragment() {
        store.metadata().releaseLoad(load.loadId(), 1);
        List<Boolean> asleep = new ArrayList<>();
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.WRITE
                    && file.toString().contains("resume/")
                    && asleep.isEmpty()) {
                store.advance(OpenLoad.IDLE);
                store.node().heartbeat();
                asleep.add(
                        disk.openFiles().stream()
                                .noneMatch(open -> open.toString().contains("resume/")));
            }
        });
        store.send(load, 3, chunk(3));
        assertThat(asleep).containsExactly(false);
        store.metadata().resumeLoad(load.loadId(), 2);
        publishAll(2, 2);
    }

    @Test
    void aLoadWhoseLogCannotBeForcedStaysOpen() {
        store.metadata().releaseLoad(load.loadId(), 1);
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.WRITE && file.toString().contains("resume/")) {
                throw MemoryDisk.injected(file);
            }
        });
        assertThatThrownBy(() -> store.send(load, 3, chunk(3))).hasMessageContaining("injected");
        boolean[] refused = {false};
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.FORCE && file.toString().contains("resume/")) {
                refused[0] = true;
                throw MemoryDisk.injected(file);
            }
        });
        store.advance(OpenLoad.IDLE);
        store.node().heartbeat();
        assertThat(refused).containsExactly(true);
        assertThat(isAsleep()).isFalse();
    }

    @Test
    void theTableOfALoadThatSleepsIsKnownToWhoAsksForPermissions() {
        fallAsleep();
        assertThat(store.node().tableOfLoad(load.loadId())).contains("items");
        store.metadata().abort(load.loadId());
        assertThat(store.node().tableOfLoad(load.loadId())).isEmpty();
        assertThat(disk.files().keySet()).noneMatch(file -> file.toString().contains("resume/"));
        assertThatThrownBy(() -> store.send(load, 3, chunk(3)))
                .hasMessageContaining("is not open on this server");
    }

    @Test
    void aServerThatHasStartedSinceTheSleepOpensTheLoadOnlyForALoaderThatResumesIt() {
        store.advance(Duration.ofMinutes(5));
        fallAsleep();
        store.restartServer();
        assertThatThrownBy(() -> store.service().forceLoad(load.loadId()))
                .hasMessageContaining("has started anew");
        store.metadata().resumeLoad(load.loadId(), 2);
        publishAll(2, 2);
    }
}
