package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Every kind of file of a store that was closed, damaged in every way we can think of: opening,
 * scanning and checking gives the right rows or an error that names a file, never other rows,
 * another kind of error, or much memory. So does going on with a load of which chunks were
 * recorded.
 *
 * <p>{@code -Dpenstock.damage.mutations=N} for more, {@code -Dpenstock.damage.seed=N} for others.
 */
class DamageTest {
    private static final int MUTATIONS = Integer.getInteger("penstock.damage.mutations", 600);
    private static final long SEED = Long.getLong("penstock.damage.seed", 1);
    private static final StagingLimits STAGING = new StagingLimits(1 << 20, 1 << 20);
    private static final int CHUNKS = 5;

    /** Far more than a whole scan of the undamaged store takes. */
    private static final long MAX_ALLOCATED_BYTES = 256L << 20;

    @TempDir Path folder;

    /** What a store has, and a load that it has recorded parts of. */
    private record Content(List<Item> rows, Unfinished load) {
        List<Item> rowsAfter() {
            return new ArrayList<>(load.replacing(RandomHistory.byKey(rows)).values());
        }
    }

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What every file has ever held, oldest first. */
    private final Map<Path, List<byte[]>> versions = new TreeMap<>();

    private final Map<String, int[]> outcomes = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void damageIsHarmlessOrNamed() {
        Path home = folder.resolve("store");
        MemoryDisk disk = new MemoryDisk(home.resolve("server"));
        Content content = build(home, disk);
        Map<Path, byte[]> files = disk.files();
        Random random = new Random(SEED);
        for (int i = 0; i < MUTATIONS; i++) {
            Damage damage = Damage.random(files, versions, random);
            MemoryDisk damaged = disk.copy();
            damage.files().forEach((file, bytes) -> apply(damaged, file, bytes));
            check(home, damaged, damage, content);
        }
        outcomes.forEach((kind, counts) ->
                System.out.printf(
                        "damage: %s: %d right, %d refused, %d wrong%n",
                        kind, counts[0], counts[1], counts[2]));
        System.out.printf(
                "damage: %d mutations of %d files, seed %d, %d violations%n",
                MUTATIONS, files.size(), SEED, wrong.size());
        assertThat(wrong).isEmpty();
    }

    private static void apply(MemoryDisk disk, Path file, byte[] bytes) {
        if (Damage.isGone(bytes)) {
            disk.remove(file);
        } else {
            disk.tamper(file, bytes);
        }
    }

    /**
     * A store with files of every kind, two blocks in a column, and a region without single rows.
     */
    private Content build(Path home, MemoryDisk disk) {
        try (TestStore store = TestStore.openWhole(home, disk, STAGING, 0)) {
            store.createItems();
            keep(disk);
            store.load(DuplicatePolicy.REPLACE, TestTable.items(500, 600, 1));
            keep(disk);
            store.load(DuplicatePolicy.REPLACE, TestTable.items(1900, 12_000, 2));
            keep(disk);
            for (int version = 3; version < 9; version++) {
                store.put(TestTable.items(1100 + version, 1120 + version, version));
                keep(disk);
                store.node()
                        .regions()
                        .forEach(region -> {
                            if (region.descriptor().regionId()
                                    == store.regions().get(1).regionId()) {
                                region.flush();
                            }
                        });
                keep(disk);
            }
            store.node().regions().forEach(new Compactor(Duration.ZERO)::compact);
            store.put(TestTable.items(1200, 1230, 9));
            keep(disk);
            store.restartServer();
            store.put(TestTable.items(1210, 1240, 10));
            store.put(TestTable.items(2100, 2110, 10));
            keep(disk);
            store.service()
                    .delete(store.regions().get(1).regionId(), List.of(TestTable.key(1211)), 2);
            keep(disk);
            store.load(DuplicatePolicy.KEEP_FIRST, TestTable.items(590, 610, 11));
            store.restartServer();
            store.put(TestTable.items(1220, 1222, 12));
            keep(disk);
            store.put(TestTable.items(1230, 1232, 13));
            keep(disk);
            Unfinished load = unfinished(store, disk);
            store.finish(store.begin(DuplicatePolicy.REPLACE));
            return new Content(store.scan(), load);
        }
    }

    /** A load with chunks that are recorded, and one that was sent only. */
    private Unfinished unfinished(TestStore store, MemoryDisk disk) {
        Unfinished load = Unfinished.begin(store, "night", DuplicatePolicy.REPLACE);
        for (int number = 0; number < CHUNKS; number++) {
            List<Item> chunk = new ArrayList<>();
            for (int id = number; id < 3000; id += 60) {
                chunk.add(TestTable.item(id, 20 + number));
            }
            load = load.with(number, chunk);
            if (number == CHUNKS - 1) {
                load.send(store, number);
            } else {
                load = load.record(store, number, 1);
            }
            keep(disk);
        }
        return load;
    }

    private void keep(MemoryDisk disk) {
        disk.files()
                .forEach((file, bytes) -> {
                    List<byte[]> known = versions.computeIfAbsent(file, f -> new ArrayList<>());
                    if (known.stream().noneMatch(old -> Arrays.equals(old, bytes))) {
                        known.add(bytes);
                    }
                });
    }

    private void check(Path home, MemoryDisk disk, Damage damage, Content content) {
        int[] counts = outcomes.computeIfAbsent(damage.kind(), kind -> new int[3]);
        long before = threads.getCurrentThreadAllocatedBytes();
        int outcome = 0;
        String fault = "";
        try {
            fault = read(home, disk, content);
        } catch (PenstockException e) {
            outcome = 1;
            if (!damage.isNamedIn(String.valueOf(e.getMessage()), home)) {
                fault = "names no file: " + e.getMessage();
            }
        } catch (RuntimeException | Error e) {
            fault = "fails with " + e + " at " + Arrays.toString(e.getStackTrace());
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        if (fault.isEmpty() && allocated > MAX_ALLOCATED_BYTES) {
            fault = "allocates " + allocated + " bytes";
        }
        if (fault.isEmpty() && !disk.openFiles().isEmpty()) {
            fault = "leaves open " + disk.openFiles();
        }
        counts[fault.isEmpty() ? outcome : 2]++;
        if (!fault.isEmpty()) {
            wrong.add(damage.description() + ": " + fault);
        }
    }

    /** Reads all, goes on with the load and reads again; returns what is wrong, or nothing. */
    private static String read(Path home, MemoryDisk disk, Content content) {
        try (TestStore store = TestStore.openWhole(home, disk, STAGING, 1 << 20)) {
            if (store.metadata().table("items").isEmpty()) {
                return "no table";
            }
            String fault = compare("other rows", store.scan(), content.rows());
            for (RegionAssignment region : store.regions()) {
                store.service().checksum(region.regionId(), store.metadata().epoch());
            }
            if (!fault.isEmpty()) {
                return fault;
            }
            content.load().finish(store, 2);
            return compare("other rows after going on", store.scan(), content.rowsAfter());
        }
    }

    private static String compare(String what, List<Item> found, List<Item> wanted) {
        return found.equals(wanted)
                ? ""
                : what + ": " + found.size() + " instead of " + wanted.size();
    }
}
