package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.node.RandomHistory.Expectation;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;
import dev.penstock.kv.storage.Storage;
import dev.penstock.kv.storage.StorageFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tests of the tests: ten faults of the kind that loses, doubles or half shows rows, put between
 * the program and its disk or its callers, each of which must be caught by what other tests look
 * at. Without a fault the same checks pass.
 */
@Timeout(120)
class SeededBugsTest {
    /** What finds a fault, and the test in which it does so for the program itself. */
    enum Finder {
        /** {@link PowerCutTest}: states that a power cut leaves have all that was acknowledged. */
        POWER_CUTS,
        /** {@link PowerCutTest}: after a cut a store goes on, and keeps what it stores then. */
        GOING_ON_AFTER_A_CUT,
        /** {@link DiskErrorTest}: what was acknowledged after an error outlives a power cut. */
        DISK_ERRORS,
        /** {@link LoadTest}: rows given are rows stored and rejects, fragments count once. */
        ACCOUNTS,
        /** {@link LoadTest}: a reader at an epoch has all of a load or nothing. */
        SNAPSHOTS,
        /** {@link DamageTest}: a damaged segment is reported. */
        DAMAGE
    }

    /** A fault, and what catches it. */
    enum Bug {
        FOLDER_IS_NOT_FORCED(Finder.POWER_CUTS),
        FAILED_FORCE_IS_RETRIED(Finder.DISK_ERRORS),
        ACKNOWLEDGED_BEFORE_THE_LOG_IS_FORCED(Finder.POWER_CUTS),
        LAST_ROW_OF_A_CHUNK_IS_DROPPED(Finder.ACCOUNTS),
        ERROR_OF_VERIFYING_IS_SWALLOWED(Finder.DAMAGE),
        FRAGMENT_IS_TAKEN_TWICE(Finder.ACCOUNTS),
        PUBLISHED_BEFORE_ALL_REGIONS_ARE_PREPARED(Finder.SNAPSHOTS),
        STALE_EPOCH_IS_IGNORED(Finder.SNAPSHOTS),
        TORN_TAIL_OF_A_LOG_IS_WRITTEN_OVER(Finder.GOING_ON_AFTER_A_CUT),
        REJECT_IS_LOST(Finder.ACCOUNTS);

        private final Finder finder;

        Bug(Finder finder) {
            this.finder = finder;
        }
    }

    private static final int SEEDS = 12;

    /** Enough to see that a fault is not caught for another reason; others look at more. */
    private static final int SEEDS_WITHOUT_A_FAULT = 3;

    private static final int STEPS = 30;
    private static final StagingLimits STAGING = new StagingLimits(1 << 20, 1 << 20);

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void aFaultIsCaught(Bug bug) {
        Throwable caught = catchThrowable(() -> look(bug.finder, SEEDS, Set.of(bug)));
        assertThat(caught)
                .as("%s is to be caught by %s", bug, bug.finder)
                .isInstanceOfAny(AssertionError.class, PenstockException.class);
        System.out.printf("seeded bug: %s caught by %s%n", bug, bug.finder);
    }

    @Test
    void withoutAFaultNothingIsCaught() {
        for (Finder finder : Finder.values()) {
            assertThatCode(() -> look(finder, SEEDS_WITHOUT_A_FAULT, Set.of()))
                    .as(finder.name())
                    .doesNotThrowAnyException();
        }
    }

    private void look(Finder finder, int seeds, Set<Bug> bugs) {
        switch (finder) {
            case POWER_CUTS -> forSeeds(seeds, seed -> powerCuts(seed, bugs));
            case GOING_ON_AFTER_A_CUT -> forSeeds(seeds, seed -> goingOn(seed, bugs));
            case DISK_ERRORS -> forSeeds(seeds, seed -> diskErrors(seed, bugs));
            case ACCOUNTS -> accounts(bugs);
            case SNAPSHOTS -> snapshots(bugs);
            case DAMAGE -> damage(bugs);
        }
    }

    private interface Seeded {
        void run(long seed);
    }

    private static void forSeeds(int seeds, Seeded check) {
        for (long seed = 1; seed <= seeds; seed++) {
            check.run(seed);
        }
    }

    // What finds

    private void powerCuts(long seed, Set<Bug> bugs) {
        Random random = new Random(seed);
        Path home = folder.resolve("history");
        MemoryDisk disk = StoreCheck.disk(home, false);
        try (OneByOne checks = new OneByOne();
                TestStore store = TestStore.open(home, faulty(disk, bugs), STAGING)) {
            RandomHistory history = new RandomHistory(random, store);
            disk.watch((call, file) -> {
                if (call.changes() && random.nextInt(8) == 0) {
                    MemoryDisk image = disk.afterPowerCut(random);
                    image.move(home, folder.resolve("check"));
                    Expectation expected = history.expectation();
                    checks.run(() -> StoreCheck.check(folder.resolve("check"), image, expected));
                }
            });
            history.createTable();
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            disk.watch((call, file) -> {});
        }
    }

    /** A cut in the middle of a history; what is stored afterwards is there at the next start. */
    private void goingOn(long seed, Set<Bug> bugs) {
        Random random = new Random(seed);
        Path home = folder.resolve("history");
        MemoryDisk disk = StoreCheck.disk(home, false);
        List<MemoryDisk> images = new ArrayList<>();
        try (TestStore store = TestStore.open(home, disk, STAGING)) {
            RandomHistory history = new RandomHistory(random, store);
            history.createTable();
            disk.watch((call, file) -> {
                if (call == Call.FORCE && images.size() < 20) {
                    images.add(disk.afterPowerCut(random));
                }
            });
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            disk.watch((call, file) -> {});
        }
        List<Item> items = TestTable.items(10, 20, 7001);
        for (MemoryDisk image : images) {
            Storage storage = faulty(image, bugs);
            long epoch;
            try (TestStore store = TestStore.open(home, storage, STAGING, 1 << 20)) {
                store.load(DuplicatePolicy.REPLACE, items);
                epoch = store.metadata().epoch();
            }
            try (TestStore store = TestStore.open(home, storage, STAGING, 1 << 21)) {
                assertThat(store.metadata().epoch()).isEqualTo(epoch);
                assertThat(store.scan()).containsAll(items);
            }
        }
    }

    /**
     * A force that fails, with what a kernel does then: it forgets, and the next force succeeds.
     */
    private void diskErrors(long seed, Set<Bug> bugs) {
        Path home = folder.resolve("history");
        MemoryDisk disk = StoreCheck.disk(home, false);
        ForgetfulForce kernel = new ForgetfulForce(20 + seed * 7);
        Expectation expected;
        try (TestStore store = TestStore.open(home, faulty(kernel.over(disk), bugs), STAGING)) {
            RandomHistory history = new RandomHistory(new Random(seed), store);
            history.createTable();
            try {
                for (int step = 0; step < STEPS && !kernel.hasFailed(); step++) {
                    history.step();
                }
            } catch (PenstockException e) {
                assertThat(e.category()).isIn(ErrorCategory.IO, ErrorCategory.RETRY);
            }
            expected = history.expectation();
            for (int cut = 0; cut < 5; cut++) {
                MemoryDisk image = disk.afterPowerCut(new Random(cut));
                image.move(home, folder.resolve("check"));
                StoreCheck.check(folder.resolve("check"), image, expected);
            }
        } catch (PenstockException e) {
            assertThat(e.category()).isIn(ErrorCategory.IO, ErrorCategory.RETRY);
        }
    }

    /** A load of raw text with a bad record, all of whose acknowledgements get lost once. */
    private void accounts(Set<Bug> bugs) {
        try (TestStore store = openItems()) {
            RegionService service = faulty(store.service(), bugs);
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            long accepted = 0;
            long rejects = 0;
            int given = 0;
            for (int chunk = 0; chunk < 3; chunk++) {
                for (RegionAssignment region : load.regions()) {
                    List<Item> items =
                            TestStore.inside(
                                    region, TestTable.items(chunk * 100L, chunk * 100L + 50, 1));
                    List<String> records = records(items, chunk == 1);
                    given += records.size();
                    boolean drop = bugs.contains(Bug.LAST_ROW_OF_A_CHUNK_IS_DROPPED);
                    if (drop && !records.isEmpty()) {
                        records.removeLast();
                    }
                    FragmentHeader header =
                            new FragmentHeader(
                                    chunk, region.regionId(), FragmentForm.RAW, records.size());
                    ByteBuilder raw = raw(chunk, records);
                    byte[] payload = Arrays.copyOf(raw.array(), raw.length() + 64);
                    FragmentAck ack =
                            service.fragment(load.loadId(), header, payload, raw.length());
                    service.fragment(load.loadId(), header, payload, raw.length());
                    accepted += ack.rowsAccepted();
                    rejects += ack.rejects().size();
                }
            }
            assertThat(accepted + rejects).as("rows and rejects").isEqualTo(given);
            long stored = 0;
            Map<Long, Long> rows = new HashMap<>();
            for (RegionReceipt receipt : service.finish(load.loadId(), regionIds(load))) {
                stored += receipt.rowCount() + receipt.duplicateRows();
                rows.put(receipt.regionId(), receipt.rowCount());
            }
            assertThat(stored).as("rows stored").isEqualTo(accepted);
            store.metadata().publish(load.loadId(), rows, "");
            assertThat(store.scan()).hasSize(Math.toIntExact(accepted));
        }
    }

    private static List<String> records(List<Item> items, boolean bad) {
        List<String> records = new ArrayList<>();
        if (bad) {
            records.add("no number,x,1\n");
        }
        items.forEach(item -> records.add(item.id() + ",name," + item.id() * 3 + "\n"));
        return records;
    }

    /** As {@link dev.penstock.step.RawFragment} says, of records of less than 128 bytes. */
    private static ByteBuilder raw(int chunk, List<String> records) {
        byte[] text = String.join("", records).getBytes(StandardCharsets.US_ASCII);
        ByteBuilder raw = new ByteBuilder(1024);
        raw.putInt(0x57415250).putInt(0).putInt(chunk).putInt(records.size()).putInt(text.length);
        records.forEach(line -> raw.putByte(0).putByte(0).putByte(line.length()));
        raw.write(text, 0, text.length);
        return raw;
    }

    /** A load of which the server is not told, read by whoever has heard of its epoch. */
    private void snapshots(Set<Bug> bugs) {
        try (TestStore store = openItems()) {
            RegionService service = faulty(store.service(), bugs);
            List<Item> items = TestTable.items(900, 2100, 1);
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            store.send(load, 0, items);
            Map<Long, Long> rows = new HashMap<>();
            for (RegionReceipt receipt : service.finish(load.loadId(), regionIds(load))) {
                rows.put(receipt.regionId(), receipt.rowCount());
            }
            assertThat(scan(store, service, 0)).isEmpty();
            store.loseOrders(true);
            long epoch = store.metadata().publish(load.loadId(), rows, "");
            store.loseOrders(false);
            assertThat(scan(store, service, epoch)).isEqualTo(items);
        }
    }

    private static List<Item> scan(TestStore store, RegionService service, long epoch) {
        List<Item> items = new ArrayList<>();
        for (RegionAssignment region : store.regions()) {
            ScanRequest request =
                    new ScanRequest(
                            region.regionId(),
                            epoch,
                            KeyRange.ALL,
                            new int[] {0, 1, 2},
                            Predicate.ALWAYS,
                            ScanRequest.NO_LIMIT);
            try (ScanCursor cursor = service.openScan(request)) {
                TestStore.readAll(cursor, items);
            }
        }
        return items;
    }

    private void damage(Set<Bug> bugs) {
        Path home = folder.resolve("history");
        MemoryDisk disk = StoreCheck.disk(home, false);
        try (TestStore store = TestStore.open(home, disk, STAGING)) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 500, 1));
        }
        disk.files()
                .forEach((file, bytes) -> {
                    if (file.toString().endsWith(".seg")) {
                        bytes[bytes.length / 2] ^= 4;
                        disk.tamper(file, bytes);
                    }
                });
        try (TestStore store = TestStore.open(home, disk, STAGING, 1 << 20)) {
            RegionService service = faulty(store.service(), bugs);
            long region = store.regions().getFirst().regionId();
            Throwable reported =
                    catchThrowable(() -> service.checksum(region, store.metadata().epoch()));
            assertThat(reported).isInstanceOf(PenstockException.class);
        }
    }

    private TestStore openItems() {
        Path home = folder.resolve("history");
        TestStore store = TestStore.open(home, StoreCheck.disk(home, false), STAGING);
        store.createItems();
        return store;
    }

    private static List<Long> regionIds(LoadDescriptor load) {
        return load.regions().stream().map(RegionAssignment::regionId).toList();
    }

    // Faults of the program's use of its disk

    /** Without a fault, nothing is forced any more after a failed force. */
    private static Storage faulty(Storage disk, Set<Bug> bugs) {
        AtomicBoolean stopped = new AtomicBoolean();
        return over(
                Storage.class,
                disk,
                (name, arguments, call) -> {
                    boolean skipped =
                            (name.equals("forceDirectory")
                                            && bugs.contains(Bug.FOLDER_IS_NOT_FORCED))
                                    || (name.equals("truncate")
                                            && bugs.contains(
                                                    Bug.TORN_TAIL_OF_A_LOG_IS_WRITTEN_OVER));
                    if (skipped) {
                        return null;
                    }
                    Object result = call.now();
                    return result instanceof StorageFile file
                            ? faulty(file, (Path) arguments[0], bugs, stopped)
                            : result;
                });
    }

    private static StorageFile faulty(
            StorageFile file, Path path, Set<Bug> bugs, AtomicBoolean stopped) {
        boolean log = !path.toString().endsWith(".seg");
        return over(
                StorageFile.class,
                file,
                (name, arguments, call) -> {
                    if (!name.equals("force")) {
                        return call.now();
                    }
                    if (log && bugs.contains(Bug.ACKNOWLEDGED_BEFORE_THE_LOG_IS_FORCED)) {
                        return null;
                    }
                    if (stopped.get()) {
                        throw MemoryDisk.injected(path);
                    }
                    try {
                        return call.now();
                    } catch (PenstockException e) {
                        if (!bugs.contains(Bug.FAILED_FORCE_IS_RETRIED)) {
                            stopped.set(true);
                            throw e;
                        }
                        return call.now();
                    }
                });
    }

    /** Fails one force of a file, whose bytes stay unforced; the next one says that all is well. */
    private static final class ForgetfulForce {
        private final long failing;
        private long forces;

        ForgetfulForce(long failing) {
            this.failing = failing;
        }

        boolean hasFailed() {
            return forces >= failing;
        }

        Storage over(Storage disk) {
            return SeededBugsTest.over(
                    Storage.class,
                    disk,
                    (name, arguments, call) -> {
                        Object result = call.now();
                        return result instanceof StorageFile file ? over(file) : result;
                    });
        }

        private StorageFile over(StorageFile file) {
            return SeededBugsTest.over(
                    StorageFile.class,
                    file,
                    (name, arguments, call) -> {
                        if (!name.equals("force")) {
                            return call.now();
                        }
                        forces++;
                        if (forces == failing) {
                            throw MemoryDisk.injected(Path.of("this file"));
                        }
                        return forces > failing ? null : call.now();
                    });
        }
    }

    // Faults of a server

    private static RegionService faulty(RegionService service, Set<Bug> bugs) {
        Set<String> taken = new HashSet<>();
        return over(
                RegionService.class,
                service,
                (name, arguments, call) -> {
                    switch (name) {
                        case "fragment" -> fragment(arguments, taken, bugs);
                        case "openScan" -> {
                            if (bugs.contains(Bug.STALE_EPOCH_IS_IGNORED)) {
                                ScanRequest asked = (ScanRequest) arguments[0];
                                arguments[0] = at(asked, 0);
                            }
                        }
                        case "finish" -> {
                            if (bugs.contains(Bug.PUBLISHED_BEFORE_ALL_REGIONS_ARE_PREPARED)) {
                                return finishAllButOne(service, arguments);
                            }
                        }
                        default -> {}
                    }
                    if (name.equals("checksum")
                            && bugs.contains(Bug.ERROR_OF_VERIFYING_IS_SWALLOWED)) {
                        return swallowed((long) arguments[0], call);
                    }
                    Object result = call.now();
                    return result instanceof FragmentAck ack && bugs.contains(Bug.REJECT_IS_LOST)
                            ? withoutRejects(ack)
                            : result;
                });
    }

    private static void fragment(Object[] arguments, Set<String> taken, Set<Bug> bugs) {
        FragmentHeader header = (FragmentHeader) arguments[1];
        boolean again = !taken.add(header.chunkId() + " " + header.regionId());
        if (again && bugs.contains(Bug.FRAGMENT_IS_TAKEN_TWICE)) {
            arguments[1] =
                    new FragmentHeader(
                            header.chunkId() + 1000,
                            header.regionId(),
                            header.form(),
                            header.rowCount());
        }
    }

    private static ScanRequest at(ScanRequest asked, long epoch) {
        return new ScanRequest(
                asked.regionId(),
                epoch,
                asked.range(),
                asked.projection(),
                asked.predicate(),
                asked.limit());
    }

    @SuppressWarnings("unchecked")
    private static List<RegionReceipt> finishAllButOne(RegionService service, Object[] arguments) {
        List<Long> regions = (List<Long>) arguments[1];
        List<RegionReceipt> receipts =
                new ArrayList<>(
                        service.finish(
                                (String) arguments[0], regions.subList(0, regions.size() - 1)));
        RegionReceipt last = receipts.getLast();
        receipts.add(
                RegionReceipt.withoutSums(
                        regions.getLast(),
                        last.server(),
                        last.rowCount(),
                        0,
                        0,
                        List.of(),
                        List.of(),
                        last.times()));
        return receipts;
    }

    private static Object swallowed(long region, Next call) throws Exception {
        try {
            return call.now();
        } catch (PenstockException e) {
            return new RegionChecksum(region, 500, 0, new long[3]);
        }
    }

    private static FragmentAck withoutRejects(FragmentAck ack) {
        return new FragmentAck(
                ack.chunkId(), ack.regionId(), ack.rowsAccepted(), List.of(), new BitSet());
    }

    // Between

    private interface Next {
        Object now() throws Exception;
    }

    private interface Between {
        @Nullable Object call(String name, Object[] arguments, Next next) throws Exception;
    }

    private static <T> T over(Class<T> type, T inner, Between between) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                between.call(
                                        method.getName(),
                                        arguments == null ? new Object[0] : arguments,
                                        () -> {
                                            try {
                                                return method.invoke(inner, arguments);
                                            } catch (InvocationTargetException e) {
                                                throw e.getCause() instanceof Exception failure
                                                        ? failure
                                                        : e;
                                            }
                                        })));
    }
}
