package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.compact.CompactionLoop;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** The background's compaction on a disk that fails for a while. */
@Timeout(60)
class CompactionAfterFaultsTest {
    private static final StagingLimits SMALL = new StagingLimits(0, 0);

    /** Fails while segments are written in the background; then no more. */
    private static void failInBackground(MemoryDisk disk, Runnable failure) {
        disk.watch((call, file) -> {
            if (call == MemoryDisk.Call.WRITE
                    && file.toString().endsWith(".seg")
                    && Thread.currentThread().getName().equals("compaction")) {
                failure.run();
            }
        });
    }

    @Test
    void aRegionIsCompactedOnceTheDiskIsWellAgain(@TempDir Path folder)
            throws InterruptedException {
        Path home = folder.resolve("store");
        MemoryDisk disk = StoreCheck.disk(home, true);
        BlockingQueue<String> log = new LinkedBlockingQueue<>();
        try (TestStore store = StoreCheck.open(home, disk, SMALL, 0)) {
            store.createItems();
            for (int version = 0; version < 6; version++) {
                store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 3000, version));
            }
            store.advance(Duration.ofHours(1));
            CountDownLatch failures = new CountDownLatch(6);
            failInBackground(
                    disk,
                    () -> {
                        if (failures.getCount() > 0) {
                            boolean error = failures.getCount() % 2 == 0;
                            failures.countDown();
                            if (error) {
                                throw new InternalError("a mapped file cannot be read");
                            }
                            throw MemoryDisk.injected(home);
                        }
                    });
            CountDownLatch compacted = new CountDownLatch(1);
            Supplier<List<Region>> regions =
                    () -> {
                        List<Region> all = store.node().regions();
                        if (all.stream().allMatch(region -> region.status().layers() == 1)) {
                            compacted.countDown();
                        }
                        return all;
                    };
            try (CompactionLoop loop =
                    new CompactionLoop(
                            new Compactor(Duration.ZERO),
                            regions,
                            Duration.ofMillis(1),
                            log::add)) {
                assertThat(loop).isNotNull();
                failures.await();
                compacted.await();
            }
            assertThat(log).hasSizeBetween(2, 3).allMatch(line -> line.contains("later"));
            assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 5));
        }
        assertThat(disk.openFiles()).isEmpty();
    }
}
