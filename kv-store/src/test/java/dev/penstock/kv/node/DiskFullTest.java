package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A load that can be resumed, into a table with rows, while the disk becomes full at the n-th call
 * that needs room, for every n. The load fails with an error that names the file; what was there
 * before can be read meanwhile; when there is room again the load is resumed by a loader that knows
 * nothing but its label, and then leaves what the undisturbed load leaves; or it is aborted, leaves
 * nothing, and another load does. Each call with one of two policies, in a soak with both.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class DiskFullTest {
    private static final Set<Call> NEEDING_ROOM =
            EnumSet.of(Call.CREATE, Call.WRITE, Call.MAKE_FOLDER);
    private static final StagingLimits IN_FILES = new StagingLimits(0, 0);
    private static final StagingLimits IN_MEMORY = new StagingLimits(1 << 20, 1 << 20);
    private static final String LABEL = "night";
    private static final boolean BOTH_POLICIES = Boolean.getBoolean("penstock.diskFull.policies");
    private static final int CHUNKS = 4;
    private static final int ROWS = 30;
    private static final List<Item> OLD = TestTable.items(950, 1050, 1);

    /** What comes then: how a write fails, and what is done when there is room again. */
    enum Then {
        GOING_ON,
        GOING_ON_AFTER_HALF_A_WRITE,
        AFTER_A_RESTART,
        /** The load is resumed while there is still no room, and given up when there is. */
        ABORTED
    }

    @TempDir Path folder;

    /** What the load does with rows that are there. */
    private DuplicatePolicy policy = DuplicatePolicy.REPLACE;

    private int cases;
    private int restarts;

    private static List<Item> chunk(int number) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            items.add(TestTable.item((long) i * (3000 / ROWS) + number, 2));
        }
        return items;
    }

    private List<Item> wanted() {
        Map<Long, Item> rows = RandomHistory.byKey(OLD);
        for (int number = 0; number < CHUNKS; number++) {
            rows.putAll(RandomHistory.byKey(chunk(number)));
        }
        if (policy == DuplicatePolicy.KEEP_EXISTING) {
            rows.putAll(RandomHistory.byKey(OLD));
        }
        return new ArrayList<>(rows.values());
    }

    @ParameterizedTest
    @EnumSource
    void aLoadGoesOnWhenThereIsRoomAgain(Then then) {
        for (int turn = 0; turn < (BOTH_POLICIES ? 2 : 1); turn++) {
            // Not every combination needs room as often: the end is where none does.
            int roomy = 0;
            for (int n = 1; roomy < 12; n++) {
                // Six calls of one policy, then of the other: what else differs goes by two and
                // three.
                boolean replaces = ((n - 1) / 6 + then.ordinal() + turn) % 2 == 0;
                policy = replaces ? DuplicatePolicy.REPLACE : DuplicatePolicy.KEEP_EXISTING;
                roomy = isFullAt(n, then) ? 0 : roomy + 1;
            }
        }
        System.out.printf(
                "disk full: %s, %d cases, %d clean errors, %d resumed, %d of them needed a"
                        + " restart%n",
                then, cases, cases, cases, restarts);
        assertThat(cases).isGreaterThan(60);
        assertThat(restarts).as("restarts").isZero();
    }

    /** Whether room was needed so often: for the load, or for what comes after its end. */
    private boolean isFullAt(int n, Then then) {
        Path home = folder.resolve("store");
        MemoryDisk disk = StoreCheck.disk(home, n % 2 == 0);
        try (TestStore store = StoreCheck.open(home, disk, n % 3 == 0 ? IN_FILES : IN_MEMORY, 0)) {
            store.createItems();
            store.put(OLD);
            int[] calls = {0};
            disk.watch((call, file) -> {
                if (NEEDING_ROOM.contains(call) && ++calls[0] >= n) {
                    throw calls[0] == n && then == Then.GOING_ON_AFTER_HALF_A_WRITE
                            ? new MemoryDisk.HalfDone()
                            : noSpace(file);
                }
            });
            boolean full = fails(store, home);
            if (full) {
                cases++;
                assertThat(store.scan()).as("read while full").isIn(OLD, wanted());
            }
            if (full && then == Then.ABORTED) {
                fails(store, home);
            }
            disk.watch((call, file) -> {});
            if (full && then == Then.ABORTED) {
                abort(store, disk);
            }
            if (full) {
                resume(store, then);
            }
            assertThat(store.scan()).isEqualTo(wanted());
            assertThat(store.metadata().runningLoads("items")).isEmpty();
            assertThat(disk.files().keySet())
                    .noneMatch(file -> file.toString().contains("/resume/"))
                    .noneMatch(file -> file.toString().contains("/checkpoints/"));
            isForgotten(store);
            return calls[0] >= n;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(then + ", " + policy + ", full at call " + n, e);
        }
    }

    /** What the system's refusal becomes. */
    private static PenstockException noSpace(Path file) {
        IOException cause = new IOException("No space left on device");
        return PenstockException.io("cannot write " + file + ": " + cause.getMessage(), cause);
    }

    /** Runs the load; whether it failed, with an error that names a file. */
    private boolean fails(TestStore store, Path home) {
        try {
            load(store, 1);
            return false;
        } catch (PenstockException e) {
            assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.IO);
            assertThat(e.getMessage()).contains(home.toString());
            return true;
        }
    }

    /** Nothing of the load stays, without a restart. */
    private void abort(TestStore store, MemoryDisk disk) {
        for (RunningLoad running : store.metadata().runningLoads("items")) {
            store.metadata().abort(running.load().loadId());
        }
        assertThat(store.scan()).isIn(OLD, wanted());
        assertThat(disk.files().keySet()).noneMatch(file -> file.toString().contains("/resume/"));
    }

    /** What stayed prepared after all would be in the way of other loads, and of rows. */
    private void isForgotten(TestStore store) {
        store.load(DuplicatePolicy.REPLACE, chunk(0));
        store.restartServer();
        store.load(DuplicatePolicy.REPLACE, chunk(1));
        store.put(wanted());
        assertThat(store.scan()).isEqualTo(wanted());
    }

    private void resume(TestStore store, Then then) {
        if (then == Then.AFTER_A_RESTART) {
            store.restartServer();
            store.restartLeader();
        }
        // A load that could be neither begun nor aborted is given up after 15 s.
        store.advance(Duration.ofSeconds(16));
        try {
            load(store, 2);
        } catch (PenstockException e) {
            restarts++;
            store.restartServer();
            store.restartLeader();
            load(store, 3);
        }
    }

    /** As a loader does: goes on with the load of that label, or begins it, unless it is done. */
    private void load(TestStore store, long next) {
        if (store.metadata().labelled("items", LABEL).isPresent()) {
            return;
        }
        Optional<LoadDescriptor> running =
                store.metadata().runningLoads("items").stream()
                        .map(RunningLoad::load)
                        .filter(load -> load.request().label().equals(LABEL))
                        .findFirst();
        Unfinished load;
        long loader = next;
        if (running.isPresent()) {
            LoadDescriptor known = running.get();
            store.metadata().resumeLoad(known.loadId(), loader);
            load = new Unfinished(known, Map.of(), Unfinished.recorded(store, known), false);
        } else {
            load = Unfinished.begin(store, LABEL, policy);
            loader = MetadataService.FIRST_LOADER;
        }
        for (int number = 0; number < CHUNKS; number++) {
            load = load.with(number, chunk(number));
        }
        try {
            store.publish(load.recordAll(store, loader).load());
        } finally {
            store.metadata().releaseLoad(load.load().loadId(), loader);
        }
    }
}
