package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.node.RandomHistory.Expectation;
import dev.penstock.kv.node.RandomHistory.Kind;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.Storage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.InvokeInstruction;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Every place of the program that changes the disk is a crash point: before the n-th call of each,
 * the process is killed, or the power goes and with it some of what was not forced. What is opened
 * then holds all that was acknowledged, and loads as a whole or not at all; a load that can be
 * resumed is, and is then there as a whole. The places are found in the compiled classes, so that
 * none is left out without a word.
 *
 * <p>{@code -Dpenstock.crashPoints.times=N} for more calls of each place, {@code
 * -Dpenstock.crashPoints.seeds=N} for more histories, {@code -Dpenstock.crashPoints.seed=N} for
 * others.
 */
class CrashPointTest {
    private static final int TIMES = Integer.getInteger("penstock.crashPoints.times", 4);
    private static final int SEEDS = Integer.getInteger("penstock.crashPoints.seeds", 4);
    private static final long SEED = Long.getLong("penstock.crashPoints.seed", 1);
    private static final int STEPS = 60;
    private static final int TIMES_WHEN_OPENED = 12;

    private static final String PROGRAM = "dev/penstock/kv/";
    private static final Set<String> INTERFACES =
            Set.of(
                    PROGRAM + "storage/Storage",
                    PROGRAM + "storage/StorageFile",
                    PROGRAM + "storage/BlockFile");
    private static final Set<String> CHANGES =
            Set.of(
                    "create",
                    "createBulk",
                    "createBlocks",
                    "write",
                    "force",
                    "reserve",
                    "cutBack",
                    "truncate",
                    "rewrite",
                    "rename",
                    "delete",
                    "deleteTree",
                    "createDirectories",
                    "makeDirectory",
                    "forceDirectory");

    /**
     * Taken only after a call that failed, which {@link DiskErrorTest} makes happen, or for a
     * region that is too damaged to be opened, as in {@link DamageTest}.
     */
    private static final Set<String> AFTER_AN_ERROR =
            Set.of(
                    "LogWriter.writeFrame:cutBack",
                    "LogWriter.remove:delete",
                    "SegmentOutput.deleteAll:delete",
                    "RegionStructure.remove:delete",
                    "RegionTable.drop:deleteTree");

    /** Taken only where there is no data folder yet, and so nothing to lose. */
    private static final Set<String> BEFORE_ANYTHING =
            Set.of("RegionServerNode.open:createDirectories");

    private static final StackWalker STACK = StackWalker.getInstance();

    @TempDir Path folder;

    /** Calls of each place, and how many of them were made the last. */
    private final Map<String, int[]> calls = new TreeMap<>();

    private final Set<String> reached = new TreeSet<>();
    private int states;
    private int resumed;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everyPlaceThatChangesTheDiskMayBeTheLast() throws Exception {
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            history(seed);
        }
        Set<String> missing = places();
        missing.removeAll(AFTER_AN_ERROR);
        missing.removeAll(BEFORE_ANYTHING);
        int all = missing.size();
        missing.removeAll(reached);
        System.out.printf(
                "crash points: %d of %d places reached, not reached %s; %d states of %d calls,"
                        + " %d loads resumed, seeds %d to %d, 0 violations%n",
                all - missing.size(),
                all,
                missing,
                states,
                calls.values().stream().mapToInt(count -> count[0]).sum(),
                resumed,
                SEED,
                SEED + SEEDS - 1);
        assertThat(missing).isEmpty();
    }

    private void history(long seed) {
        Random random = new Random(seed);
        Random cuts = new Random(-seed);
        Path home = folder.resolve("history");
        MemoryDisk disk = StoreCheck.disk(home, seed % 2 == 0);
        StagingLimits staging =
                seed % 4 < 2 ? new StagingLimits(0, 0) : new StagingLimits(1 << 20, 1 << 20);
        Phase phase = new Phase();
        OneByOne checks = new OneByOne();
        disk.watch((call, file) -> {
            if (call.changes() && isDue(STACK.walk(CrashPointTest::place), "")) {
                MemoryDisk killed = disk.copy();
                MemoryDisk cut = disk.afterPowerCut(cuts);
                killed.move(home, folder.resolve("check"));
                cut.move(home, folder.resolve("check"));
                Expectation expected = phase.expectation();
                boolean dropping = phase.dropping;
                checks.run(() -> check(killed, expected, dropping, cuts, 2));
                checks.run(() -> check(cut, expected, dropping, cuts, 2));
            }
        });
        try (checks;
                TestStore store = StoreCheck.open(home, disk, staging, 0)) {
            RandomHistory history = new RandomHistory(random, store);
            phase.history = history;
            history.createTable();
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            history.end();
            phase.dropping = true;
            store.metadata().dropTable("items");
            disk.watch((call, file) -> {});
        }
    }

    /** Where a history is. */
    private static final class Phase {
        private @Nullable RandomHistory history;
        private boolean dropping;

        Expectation expectation() {
            RandomHistory begun = history;
            return begun == null ? Expectation.nothingYet() : begun.expectation();
        }
    }

    /** Of one state, and of those that are left if the process ends while that one is opened. */
    private void check(
            MemoryDisk disk, Expectation expected, boolean dropping, Random cuts, int depth) {
        states++;
        Path home = folder.resolve("check");
        List<MemoryDisk> during = during(disk, " when opened", cuts, depth);
        Expectation found = expected;
        if (dropping) {
            checkDropped(home, disk, expected);
        } else {
            found = StoreCheck.check(home, disk, expected);
        }
        disk.watch((call, file) -> {});
        during.forEach(image -> check(image, expected, dropping, cuts, depth - 1));
        if (!dropping && found.unfinished().isPresent()) {
            goOn(disk, found, found.unfinished().get(), cuts, depth);
        }
    }

    /** With the load that can be resumed; the process may end meanwhile too. */
    private void goOn(MemoryDisk disk, Expectation found, Unfinished load, Random cuts, int depth) {
        resumed++;
        List<MemoryDisk> during = during(disk, " when resumed", cuts, depth);
        StoreCheck.goOn(folder.resolve("check"), disk, found);
        disk.watch((call, file) -> {});
        Expectation expected =
                new Expectation(
                        Kind.LOAD,
                        found.epoch(),
                        found.before(),
                        load.replacing(found.before()),
                        Optional.of(load.ending()));
        during.forEach(image -> check(image, expected, false, cuts, depth - 1));
    }

    /** What is left if the process or the power goes at calls to come. */
    private List<MemoryDisk> during(MemoryDisk disk, String when, Random cuts, int depth) {
        List<MemoryDisk> images = new ArrayList<>();
        disk.watch((call, file) -> {
            if (depth > 0 && call.changes() && isDue(STACK.walk(CrashPointTest::place), when)) {
                images.add(disk.copy());
                images.add(disk.afterPowerCut(cuts));
            }
        });
        return images;
    }

    /** The table is there with all its rows, or gone. */
    private static void checkDropped(Path home, MemoryDisk disk, Expectation expected) {
        try (TestStore store =
                StoreCheck.open(home, disk, new StagingLimits(1 << 20, 1 << 20), 1 << 20)) {
            if (store.metadata().table("items").isPresent()) {
                StoreCheck.checkTable(store, expected);
            }
        }
    }

    /** Opening has few kinds of calls, and each state that is found has to be opened. */
    private boolean isDue(String place, String when) {
        reached.add(place);
        int[] count = calls.computeIfAbsent(place + when, name -> new int[1]);
        count[0]++;
        return count[0] <= (when.isEmpty() ? TIMES : Math.min(TIMES, TIMES_WHEN_OPENED));
    }

    /** The method of the program that asks for a change, and what it asks for. */
    private static String place(Stream<StackWalker.StackFrame> frames) {
        List<StackWalker.StackFrame> stack = frames.limit(40).toList();
        for (int i = 1; i < stack.size(); i++) {
            String name = stack.get(i).getClassName();
            if (name.startsWith("dev.penstock.kv.") && !isDisk(name)) {
                return shortName(name)
                        + "."
                        + stack.get(i).getMethodName()
                        + ":"
                        + stack.get(i - 1).getMethodName();
            }
        }
        throw new AssertionError("a change by nobody: " + stack);
    }

    private static boolean isDisk(String name) {
        return name.contains(".MemoryDisk") || name.contains(".CrashPointTest");
    }

    private static String shortName(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    // Places in the compiled classes

    private static Set<String> places() throws IOException, URISyntaxException {
        Path program =
                Path.of(Storage.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(program)) {
            return places(program);
        }
        try (FileSystem jar = FileSystems.newFileSystem(program)) {
            return places(jar.getPath("/"));
        }
    }

    private static Set<String> places(Path root) throws IOException {
        Set<String> places = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root.resolve(PROGRAM))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                collect(file, places);
            }
        }
        return places;
    }

    private static void collect(Path file, Set<String> places) throws IOException {
        String name = file.getFileName().toString().replace(".class", "");
        if (name.startsWith("NioStorage")) {
            return;
        }
        for (var method : ClassFile.of().parse(Files.readAllBytes(file)).methods()) {
            method.code()
                    .ifPresent(code ->
                            code.forEach(element -> {
                                if (element instanceof InvokeInstruction call
                                        && INTERFACES.contains(call.owner().asInternalName())
                                        && CHANGES.contains(call.name().stringValue())) {
                                    places.add(
                                            name
                                                    + "."
                                                    + method.methodName().stringValue()
                                                    + ":"
                                                    + call.name().stringValue());
                                }
                            }));
        }
    }
}
