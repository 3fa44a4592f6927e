package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The kernel refuses to force: ext4 on a loop device over a memory file system that is full. */
class FailedForceTest {
    private static final StagingLimits STAGING = new StagingLimits(1 << 20, 1 << 20);
    private static final int ROWS = 400;

    @TempDir Path folder;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void whatWasAcknowledgedBeforeAFailedForceIsThereAfterwards() throws IOException {
        assumeTrue(FailingDisk.possible(), "a disk that fails needs Linux, root, and ext4's tools");
        try (FailingDisk disk = disk()) {
            List<Item> acknowledged = new ArrayList<>();
            try (TestStore store = open(disk)) {
                store.createItems();
                store.load(DuplicatePolicy.REPLACE, TestTable.items(0, ROWS, 0));
                acknowledged.addAll(TestTable.items(0, ROWS, 0));
                disk.fail();
                PenstockException failure = putUntilItFails(store, acknowledged);
                assertThat(failure.category()).isEqualTo(ErrorCategory.IO);
                assertThat(failure).hasMessageContaining(disk.folder().toString());
                disk.repair();
                // The kernel would say yes now, and the rows would be gone.
                List<Item> more = TestTable.items(5_000_000, 5_000_001, 0);
                assertThatThrownBy(() -> store.put(more))
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining("nothing is written any more");
                assertThat(store.scan()).isEqualTo(acknowledged);
            }
            disk.restart();
            try (TestStore store = open(disk)) {
                List<Item> found = store.scan();
                assertThat(found).startsWith(acknowledged.toArray(Item[]::new));
                int rest = found.size() - acknowledged.size();
                assertThat(rest).as("rows of the put that failed").isIn(0, ROWS);
                store.put(TestTable.items(6_000_000, 6_000_010, 0));
                assertThat(store.scan()).hasSize(found.size() + 10);
            }
        }
    }

    private FailingDisk disk() throws IOException {
        try {
            return FailingDisk.create(folder);
        } catch (IOException e) {
            assumeTrue(false, "a disk that fails needs mounts, which are refused: " + e);
            throw e;
        }
    }

    private static TestStore open(FailingDisk disk) {
        return TestStore.openWhole(disk.folder(), new NioStorage(), STAGING, 0);
    }

    /** Rows in key order after those that are there, so that a put is in one region. */
    private static PenstockException putUntilItFails(TestStore store, List<Item> acknowledged) {
        PenstockException failure = null;
        for (int from = 10_000; failure == null && from < 4_000_000; from += ROWS) {
            failure = put(store, TestTable.items(from, from + ROWS, 1), acknowledged);
        }
        assertThat(failure).as("the disk did not fail").isNotNull();
        return java.util.Objects.requireNonNull(failure);
    }

    private static @Nullable PenstockException put(
            TestStore store, List<Item> items, List<Item> acknowledged) {
        try {
            store.put(items);
            acknowledged.addAll(items);
            return null;
        } catch (PenstockException e) {
            return e;
        }
    }
}
