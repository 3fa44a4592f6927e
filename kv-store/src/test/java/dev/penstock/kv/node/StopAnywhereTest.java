package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.FaultyStorage;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The same short history of a store again and again, stopped at a call that changes the disk: every
 * fifth, or with {@code -Dpenstock.stopStep=1} every one. Afterwards the store opens, has
 * everything that was acknowledged, and shows each load as a whole or not at all.
 */
class StopAnywhereTest {
    private static final StagingLimits IN_FILES = new StagingLimits(0, 0);
    private static final StagingLimits IN_MEMORY = new StagingLimits(1 << 20, 1 << 20);
    private static final List<Item> OLD = TestTable.items(0, 30, 0);
    private static final List<Item> FIRST_LOAD =
            Stream.of(
                            TestTable.items(20, 50, 1),
                            TestTable.items(1000, 1020, 1),
                            TestTable.items(2000, 2020, 1))
                    .flatMap(List::stream)
                    .toList();
    private static final List<Item> SECOND_LOAD = TestTable.items(10, 25, 2);

    /** Single rows over those of a load, in a region that had only that load before. */
    private static final List<Item> TOP = TestTable.items(1000, 1005, 3);

    @TempDir Path folder;

    /** What the run was told before it ended. */
    private boolean oldStored;

    private boolean firstPublished;
    private boolean secondPublished;
    private boolean topStored;

    /**
     * @param powerCut whether everything that was not forced is lost too
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyStopLeavesWhatWasAcknowledgedAndWholeLoads(boolean powerCut) throws IOException {
        boolean stopped = true;
        int step = Integer.getInteger("penstock.stopStep", 5);
        for (int n = powerCut ? 2 : 1; stopped; n += step) {
            Path run = folder.resolve("run-" + n);
            Files.createDirectories(run.resolve("trash"));
            stopped = runUntil(run, n, powerCut);
            check(run, n);
            assertThat(n).isLessThan(2000);
        }
        assertThat(secondPublished).isTrue();
    }

    /** Whether the history was cut short. */
    private boolean runUntil(Path run, int n, boolean powerCut) throws IOException {
        oldStored = false;
        firstPublished = false;
        secondPublished = false;
        topStored = false;
        FaultyStorage storage = new FaultyStorage(new NioStorage(), run.resolve("trash"));
        storage.stopAtCall(n);
        TestStore store;
        try {
            store = TestStore.open(run, storage, n % 2 == 0 ? IN_FILES : IN_MEMORY);
        } catch (PenstockException e) {
            return true;
        }
        try {
            history(store);
        } catch (PenstockException e) {
            assertThat(e).hasMessageContaining("injected");
        }
        closeAsAStopWould(store);
        if (powerCut) {
            storage.loseUnforced();
        }
        return storage.calls() >= n;
    }

    private void history(TestStore store) {
        store.createItems();
        store.put(OLD);
        oldStored = true;
        LoadDescriptor first = store.begin(DuplicatePolicy.REPLACE);
        LoadDescriptor aborted = store.begin(DuplicatePolicy.REPLACE);
        store.send(aborted, 0, TestTable.items(0, 3000, 9));
        store.finish(aborted);
        store.send(first, 0, FIRST_LOAD);
        store.publish(first);
        firstPublished = true;
        store.metadata().abort(aborted.loadId());
        store.load(DuplicatePolicy.REPLACE, SECOND_LOAD);
        secondPublished = true;
        store.put(TOP);
        topStored = true;
        Compactor compactor = new Compactor(Duration.ZERO);
        for (int version = 0; version < 3; version++) {
            store.put(SECOND_LOAD);
            store.node().regions().forEach(Region::flush);
        }
        store.node().regions().forEach(compactor::compact);
    }

    private static void closeAsAStopWould(TestStore store) {
        try {
            store.close();
        } catch (PenstockException e) {
            assertThat(e).hasMessageContaining("injected");
        }
    }

    private void check(Path run, int n) throws IOException {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        try (TestStore store = TestStore.open(run, storage)) {
            boolean hasTable = store.metadata().table("items").isPresent();
            assertThat(hasTable || !oldStored).as("call %d", n).isTrue();
            long epoch = store.metadata().epoch();
            assertThat(epoch)
                    .as("call %d", n)
                    .isBetween(secondPublished ? 2L : firstPublished ? 1L : 0L, 2L);
            if (hasTable && oldStored) {
                List<Item> rows = store.scan();
                boolean top = topStored || (epoch == 2 && rows.containsAll(TOP));
                assertThat(rows).as("call %d, epoch %d", n, epoch).isEqualTo(wanted(epoch, top));
                checkNothingLeftOver(store, n);
                store.put(TestTable.items(0, 3000, 5));
                assertThat(store.scan()).as("call %d", n).isEqualTo(TestTable.items(0, 3000, 5));
            }
        }
    }

    private static List<Item> wanted(long epoch, boolean top) {
        List<Item> wanted = new ArrayList<>(TestTable.items(0, 10, 0));
        if (epoch == 0) {
            return OLD;
        }
        wanted.addAll(epoch == 2 ? SECOND_LOAD : TestTable.items(10, 20, 0));
        wanted.addAll(TestTable.items(epoch == 2 ? 25 : 20, 50, 1));
        wanted.addAll(top ? TOP : TestTable.items(1000, 1005, 1));
        wanted.addAll(FIRST_LOAD.subList(35, FIRST_LOAD.size()));
        return wanted;
    }

    private static void checkNothingLeftOver(TestStore store, int n) throws IOException {
        try (Stream<Path> files = Files.walk(store.serverFolder())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("call %d", n)
                    .noneMatch(name -> name.endsWith(".new"))
                    .noneMatch(name -> name.endsWith(".fragments"));
        }
    }
}
