package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.node.RandomHistory.Expectation;
import dev.penstock.kv.storage.MemoryDisk;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Random histories on a disk that tells what a power cut would leave: before every call that
 * changes the disk, some of the states that may be found then are opened and must hold all that was
 * acknowledged, and loads as a whole or not at all. Also kills followed by a power cut, and power
 * cuts while a store is being opened.
 *
 * <p>{@code -Dpenstock.powerCut.states=N} for more states, {@code -Dpenstock.powerCut.seed=N} for
 * others.
 */
class PowerCutTest {
    private static final int STATES = Integer.getInteger("penstock.powerCut.states", 800);
    private static final long SEED = Long.getLong("penstock.powerCut.seed", 1);
    private static final int STEPS = 40;

    @TempDir Path folder;

    private final Set<Integer> different = new HashSet<>();
    private final AtomicInteger states = new AtomicInteger();

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void whatWasAcknowledgedSurvivesAndLoadsAreWhole() {
        long seed = SEED;
        for (; states.get() < STATES; seed++) {
            history(seed);
        }
        System.out.printf(
                "power cuts: %d states, %d of them different, seeds %d to %d, 0 violations%n",
                states.get(), different.size(), SEED, seed - 1);
        assertThat(different.size()).isGreaterThan(STATES / 3);
    }

    private void history(long seed) {
        Random random = new Random(seed);
        Path home = folder.resolve("history");
        boolean whole = random.nextBoolean();
        MemoryDisk disk = StoreCheck.disk(home, whole);
        StagingLimits staging =
                random.nextBoolean()
                        ? new StagingLimits(0, 0)
                        : new StagingLimits(1 << 20, 1 << 20);
        try (TestStore store = StoreCheck.open(home, disk, staging, 0);
                Checks checks = new Checks(seed)) {
            RandomHistory history = new RandomHistory(random, store);
            disk.watch((call, file) -> {
                if (call.changes() && states.get() < STATES && random.nextInt(10) == 0) {
                    checks.submit(image(disk, home, random), history.expectation());
                }
            });
            history.createTable();
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            disk.watch((call, file) -> {});
        }
        assertThat(disk.openFiles()).as("open files, seed %d", seed).isEmpty();
    }

    private MemoryDisk image(MemoryDisk disk, Path home, Random random) {
        boolean killed = random.nextInt(3) == 0;
        MemoryDisk image = killed ? disk.copy() : disk.afterPowerCut(random);
        image.move(home, folder.resolve("check"));
        return image;
    }

    /** A thread of its own, since the history is in the middle of something. */
    private final class Checks implements AutoCloseable {
        private final OneByOne thread = new OneByOne();
        private final long seed;
        private int number;

        Checks(long seed) {
            this.seed = seed;
        }

        void submit(MemoryDisk image, Expectation expected) {
            int checked = ++number;
            thread.run(() -> {
                try {
                    check(image, expected, new Random(seed * 100_003 + checked), 2);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(
                            "seed " + seed + ", state " + checked + ", " + expected.kind(), e);
                }
            });
        }

        @Override
        public void close() {
            thread.close();
        }
    }

    /** Of one state, and of states of power cuts while it is being opened and afterwards. */
    private void check(MemoryDisk disk, Expectation expected, Random random, int depth) {
        states.incrementAndGet();
        different.add(hash(disk, expected));
        Path home = folder.resolve("check");
        int cutAt = 1 + random.nextInt(12);
        MemoryDisk[] cut = new MemoryDisk[1];
        int[] calls = new int[1];
        disk.watch((call, file) -> {
            if (call.changes() && ++calls[0] == cutAt) {
                cut[0] = disk.afterPowerCut(random);
            }
        });
        Expectation found = StoreCheck.check(home, disk, expected);
        disk.watch((call, file) -> {});
        MemoryDisk during = cut[0];
        if (depth > 0 && during != null) {
            check(during, expected, random, depth - 1);
        }
        if (depth > 0) {
            check(disk.afterPowerCut(random), found, random, 0);
        }
        if (depth > 0 && random.nextInt(3) == 0) {
            Expectation then = StoreCheck.use(home, disk, found, random);
            check(disk.afterPowerCut(random), then, random, 0);
            Expectation end = StoreCheck.goOn(home, disk, then);
            check(disk.afterPowerCut(random), end, random, 0);
        }
    }

    private static int hash(MemoryDisk disk, Expectation expected) {
        int[] hash = {expected.hashCode()};
        disk.files()
                .forEach((file, bytes) -> {
                    int one = 31 * file.hashCode() + Arrays.hashCode(bytes);
                    hash[0] = 31 * hash[0] + one;
                });
        return hash[0];
    }
}
