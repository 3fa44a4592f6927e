package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.node.RandomHistory.Expectation;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A random history in which the n-th call of a kind fails, once or from then on, or is done by half
 * and fails: what returns is right, what fails says so as an error of the disk, nothing stays open,
 * and after the process starts again, or after a power cut, all that was acknowledged is there.
 *
 * <p>{@code -Dpenstock.diskErrors.step=1} for every n instead of some, {@code
 * -Dpenstock.diskErrors.seed=N} and {@code -Dpenstock.diskErrors.seeds=N} for other histories and
 * more of them.
 */
class DiskErrorTest {
    private static final int STEP = Integer.getInteger("penstock.diskErrors.step", 23);
    private static final long SEED = Long.getLong("penstock.diskErrors.seed", 1);
    private static final int SEEDS = Integer.getInteger("penstock.diskErrors.seeds", 1);
    private static final int STEPS = 25;

    /** Which calls fail, and how. */
    enum Fault {
        WRITE_ONCE(false, false, Call.WRITE),
        WRITE_FOR_EVER(true, false, Call.WRITE),
        WRITE_BY_HALF(false, true, Call.WRITE),
        NAME_ONCE(false, false, Call.CREATE, Call.RENAME, Call.DELETE, Call.MAKE_FOLDER),
        NAME_FOR_EVER(true, false, Call.CREATE, Call.RENAME, Call.DELETE, Call.MAKE_FOLDER),
        ANY_CHANGE_FOR_EVER(true, false, Call.WRITE, Call.CUT, Call.CREATE, Call.DELETE),
        FORCE_ONCE(false, false, Call.FORCE, Call.FORCE_FOLDER),
        FORCE_FOR_EVER(true, false, Call.FORCE, Call.FORCE_FOLDER),
        READ_ONCE(false, false, Call.READ, Call.OPEN),
        READ_FOR_EVER(true, false, Call.READ, Call.OPEN),
        READ_BY_HALF(false, true, Call.READ);

        private final boolean forEver;
        private final boolean half;

        @SuppressWarnings("ImmutableEnumChecker")
        private final Set<Call> calls;

        Fault(boolean forEver, boolean half, Call first, Call... others) {
            this.forEver = forEver;
            this.half = half;
            this.calls = EnumSet.of(first, others);
        }
    }

    @TempDir Path folder;

    /** Loads that gave way to one that was left prepared. */
    private int refusals;

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void theNthCallFails(Fault fault) {
        int runs = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            int n = 1 + (int) (seed % STEP);
            while (run(fault, n, seed)) {
                runs++;
                n += STEP;
            }
        }
        System.out.printf(
                "disk errors: %s, %d faults, %d loads refused for keys of an unfinished one,"
                        + " seeds %d to %d, 0 violations%n",
                fault, runs, refusals, SEED, SEED + SEEDS - 1);
        assertThat(runs).isPositive();
    }

    /** Whether a call has failed. */
    private boolean run(Fault fault, int n, long seed) {
        String name = fault + ", call " + n + ", seed " + seed;
        Path home = folder.resolve("run");
        MemoryDisk disk = StoreCheck.disk(home, (n / STEP + seed) % 2 == 0);
        AtomicInteger seen = new AtomicInteger();
        disk.watch((call, file) -> {
            if (fault.calls.contains(call)) {
                int number = seen.incrementAndGet();
                if (number == n || (fault.forEver && number > n)) {
                    throw fault.half ? new MemoryDisk.HalfDone() : MemoryDisk.injected(file);
                }
            }
        });
        try {
            Expectation expected = live(fault, home, disk, new Random(seed));
            boolean failed = seen.get() >= n;
            disk.watch((call, file) -> {});
            assertThat(disk.openFiles()).as("open files").isEmpty();
            MemoryDisk cut = disk.copy().afterPowerCut(new Random(seed + n));
            Expectation found = StoreCheck.check(home, disk.copy(), expected);
            StoreCheck.check(home, cut, expected);
            if (n % 4 == 0) {
                MemoryDisk used = disk.copy();
                Expectation then = StoreCheck.use(home, used, found, new Random(n));
                StoreCheck.check(home, used, then);
                StoreCheck.goOn(home, used, then);
            }
            return failed;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(name, e);
        }
    }

    private Expectation live(Fault fault, Path home, MemoryDisk disk, Random random) {
        StagingLimits staging =
                random.nextBoolean()
                        ? new StagingLimits(0, 0)
                        : new StagingLimits(1 << 20, 1 << 20);
        Expectation expected = Expectation.nothingYet();
        try (TestStore store = StoreCheck.open(home, disk, staging, 0)) {
            RandomHistory history = new RandomHistory(random, store);
            try {
                history.createTable();
                for (int step = 0; step < STEPS; step++) {
                    step(fault, history, store);
                }
            } catch (PenstockException e) {
                checkClear(e);
            }
            expected = history.expectation();
        } catch (PenstockException e) {
            checkClear(e);
        }
        return expected;
    }

    /**
     * A change; if it fails the store shows all or nothing of it, and goes on if it can. What has a
     * key of a load that was left prepared is refused as it should be, and changes nothing.
     */
    private void step(Fault fault, RandomHistory history, TestStore store) {
        try {
            history.step();
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.CONFLICT && history.meetsHeldKeys()) {
                checkNamesLoad(e, history.expectation().unfinished().orElseThrow());
                history.refused();
                StoreCheck.checkTable(store, history.expectation());
                refusals++;
                return;
            }
            checkClear(e);
            if (fault.forEver || fault.calls.contains(Call.FORCE)) {
                throw e;
            }
            store.startIfDown();
            history.abortFailed();
            history.goOnFrom(StoreCheck.checkTable(store, history.expectation()));
        }
    }

    private static void checkNamesLoad(PenstockException e, Unfinished load) {
        assertThat(e.getMessage())
                .contains("'" + load.load().request().label() + "' (" + load.load().loadId() + ")")
                .endsWith("penstock loads items --abort " + load.load().loadId());
    }

    private static void checkClear(PenstockException e) {
        assertThat(e.category())
                .as("category of: %s", e.getMessage())
                .isIn(ErrorCategory.IO, ErrorCategory.RETRY, ErrorCategory.CORRUPT);
        assertThat(e.getMessage()).isNotBlank();
    }
}
