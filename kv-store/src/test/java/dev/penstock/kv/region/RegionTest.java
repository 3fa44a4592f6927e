package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.compact.Compactor;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.FaultyStorage;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.step.StepTimes;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

class RegionTest {
    private static final RegionDescriptor DESCRIPTOR =
            new RegionDescriptor(7, 1, TestTable.SCHEMA, KeyRange.ALL);
    private static final int[] ALL_COLUMNS = {0, 1, 2};

    @TempDir Path folder;
    private Storage storage = new NioStorage();
    private final List<Region> opened = new ArrayList<>();
    private RegionFiles files = RegionFiles.in(Path.of("unset"), 7);
    private Runnable whenAskedForTheTime = () -> {};

    @BeforeEach
    void chooseFiles() {
        files = RegionFiles.in(folder, 7);
    }

    @AfterEach
    void closeAll() {
        opened.forEach(Region::close);
    }

    private RegionContext context(long flushBytes) {
        return new RegionContext(
                storage,
                RegionJournal.open(storage, files.directory().resolveSibling("journal")),
                new OpenSegments(8 << 10, 1 << 16),
                this::now,
                flushBytes,
                new RowMemory(1 << 30),
                new Semaphore(2));
    }

    private Instant now() {
        Runnable first = whenAskedForTheTime;
        whenAskedForTheTime = () -> {};
        first.run();
        return Instant.ofEpochSecond(1000);
    }

    private Region create() {
        return keep(Region.create(context(1 << 30), files, DESCRIPTOR));
    }

    private Region open() {
        return keep(Region.open(context(1 << 30), files));
    }

    private Region keep(Region region) {
        opened.add(region);
        return region;
    }

    private Region reopen(Region region) {
        region.close();
        return open();
    }

    private static List<Item> scan(Region region, KeyRange range, Predicate predicate) {
        List<Item> items = new ArrayList<>();
        ScanRequest request =
                new ScanRequest(7, 0, range, ALL_COLUMNS, predicate, ScanRequest.NO_LIMIT);
        ColumnBatch batch = TestTable.emptyBatch();
        try (ScanCursor cursor = region.scan(request)) {
            while (cursor.next(batch)) {
                items.addAll(TestTable.read(batch));
            }
        }
        return items;
    }

    private static List<Item> scan(Region region) {
        return scan(region, KeyRange.ALL, Predicate.ALWAYS);
    }

    private List<String> fileNames() throws IOException {
        try (Stream<Path> names = Files.list(files.directory())) {
            return names.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aRegionThatIsNoMoreSaysSoInsteadOfSeemingEmpty() {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 10, 0)));
        region.close();
        assertThatThrownBy(() -> region.get(TestTable.key(1), 0))
                .isInstanceOf(PenstockException.class)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.REROUTE);
        assertThatThrownBy(() -> region.count(0, KeyRange.ALL, Predicate.ALWAYS))
                .hasMessageContaining("region 7 is not on this server any more");
        assertThatThrownBy(() -> region.put(TestTable.batch(TestTable.items(0, 10, 0))))
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.REROUTE);
    }

    @Test
    void anEpochBeforeAllIsRefused() {
        Region region = create();
        assertThatThrownBy(() -> region.count(-1, KeyRange.ALL, Predicate.ALWAYS))
                .hasMessageContaining("there is no epoch -1");
    }

    @Test
    void aStoredRowIsReadReplacedAndRemoved() {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(1, 10, 0)));
        region.put(TestTable.batch(List.of(TestTable.item(4, 1))));
        region.delete(List.of(TestTable.key(5), TestTable.key(99)));
        assertThat(region.get(TestTable.key(4), 0).map(TestTable::read))
                .contains(List.of(TestTable.item(4, 1)));
        assertThat(region.get(TestTable.key(5), 0)).isEmpty();
        assertThat(region.get(TestTable.key(99), 0)).isEmpty();
        assertThat(scan(region)).hasSize(8).contains(TestTable.item(4, 1));
        assertThat(region.count(0, KeyRange.ALL, Predicate.ALWAYS)).isEqualTo(8);
    }

    @Test
    void acknowledgedRowsSurviveAStopWithoutClosing() {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 50, 0)));
        region.delete(List.of(TestTable.key(3)));
        Region after = open();
        assertThat(scan(after)).hasSize(49).isEqualTo(scan(region));
        after.put(TestTable.batch(List.of(TestTable.item(3, 9))));
        assertThat(scan(reopen(after))).hasSize(50).contains(TestTable.item(3, 9));
    }

    @Test
    void aTornLogLosesOnlyWhatWasNeverAcknowledged() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 5, 0)));
        region.put(TestTable.batch(TestTable.items(5, 10, 0)));
        region.close();
        long header = 32;
        long recordHeader = 24;
        int payload = ByteAccess.getInt(Files.readAllBytes(files.log(1)), (int) header);
        long acknowledged = header + recordHeader + payload + recordHeader;
        try (var log =
                java.nio.channels.FileChannel.open(
                        files.log(1), java.nio.file.StandardOpenOption.WRITE)) {
            log.truncate(acknowledged + 40);
        }
        assertThat(scan(open())).isEqualTo(TestTable.items(0, 5, 0));
    }

    @Test
    void anInsertStoresNothingIfOneOfItsKeysHasARow() {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 10, 0)));
        region.flush();
        region.put(TestTable.batch(TestTable.items(10, 20, 0)));
        assertThat(region.insert(TestTable.batch(TestTable.items(18, 25, 1)))).isZero();
        assertThat(region.insert(TestTable.batch(List.of(item(30), item(9), item(31)))))
                .isEqualTo(1);
        assertThat(region.insert(TestTable.batch(List.of(item(30), item(31), item(30), item(1)))))
                .isEqualTo(2);
        assertThat(scan(region)).isEqualTo(TestTable.items(0, 20, 0));
        assertThat(region.insert(TestTable.batch(TestTable.items(20, 25, 0)))).isEqualTo(-1);
        assertThat(region.insert(TestTable.batch(List.of()))).isEqualTo(-1);
        assertThat(scan(reopen(region))).isEqualTo(TestTable.items(0, 25, 0));
    }

    private static Item item(long id) {
        return TestTable.item(id, 1);
    }

    @Test
    void anInsertTakesKeysWhoseRowsWereDeleted() {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 4, 0)));
        region.flush();
        region.delete(List.of(TestTable.key(1), TestTable.key(2)));
        assertThat(region.insert(TestTable.batch(List.of(item(1))))).isEqualTo(-1);
        assertThat(region.insert(TestTable.batch(List.of(item(1))))).isZero();
        region.flush();
        assertThat(region.insert(TestTable.batch(List.of(item(2))))).isEqualTo(-1);
        assertThat(region.insert(TestTable.batch(List.of(item(2))))).isZero();
        assertThat(scan(region)).hasSize(4).contains(item(1), item(2));
    }

    @Test
    void ofTwoInsertsOfOneKeyOneFails() throws Exception {
        Region region = create();
        int keys = 400;
        int writers = 4;
        AtomicIntegerArray stored = new AtomicIntegerArray(keys);
        try (ExecutorService threads = Executors.newFixedThreadPool(writers + 1)) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int version = writer;
                running.add(
                        threads.submit(() -> {
                            for (int id = 0; id < keys; id++) {
                                Item item = TestTable.item(id, version);
                                if (region.insert(TestTable.batch(List.of(item))) < 0) {
                                    stored.incrementAndGet(id);
                                }
                            }
                        }));
            }
            running.add(
                    threads.submit(() -> {
                        for (int i = 0; i < 40; i++) {
                            region.flush();
                        }
                    }));
            for (Future<?> each : running) {
                each.get();
            }
        }
        for (int id = 0; id < keys; id++) {
            assertThat(stored.get(id)).as("inserts of key %d", id).isEqualTo(1);
        }
        assertThat(scan(region)).hasSize(keys);
    }

    @Test
    void aDamagedLogIsRefusedByName() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 5, 0)));
        region.close();
        flip(files.log(1), 100);
        assertRefused(files.log(1));
    }

    @Test
    void aMissingLogIsRefusedByName() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 5, 0)));
        Region second = reopen(region);
        second.put(TestTable.batch(TestTable.items(5, 9, 0)));
        second.close();
        Files.delete(files.log(1));
        assertRefused(files.log(1));
    }

    @Test
    void aDamagedManifestIsRefusedByName() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 5, 0)));
        region.flush();
        region.close();
        flip(files.manifest(), 70);
        assertRefused(files.manifest());
    }

    @Test
    void aMissingOrCutSegmentIsRefusedByName() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 500, 0)));
        region.flush();
        region.close();
        Path segment = files.segment("layer-1-0.seg");
        byte[] bytes = Files.readAllBytes(segment);
        Files.write(segment, java.util.Arrays.copyOf(bytes, bytes.length - 1));
        assertRefused(segment);
        Files.delete(segment);
        assertRefused(segment);
    }

    @Test
    void noFlippedBitInASegmentChangesAnAnswer() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 300, 0)));
        region.flush();
        region.close();
        Path segment = files.segment("layer-1-0.seg");
        byte[] bytes = Files.readAllBytes(segment);
        List<Item> wanted = TestTable.items(0, 300, 0);
        storage = new FaultyStorage(new NioStorage());
        for (int at = 0; at < bytes.length; at += 3) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x20;
            Files.write(segment, damaged);
            try (Region opened = Region.open(context(1 << 30), files)) {
                assertThat(scan(opened)).as("byte %d", at).isEqualTo(wanted);
                opened.checksum(0);
            } catch (PenstockException e) {
                assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT);
                assertThat(e).hasMessageContaining("layer-1-0.seg");
            }
        }
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 4;
        Files.write(file, bytes);
    }

    private void assertRefused(Path file) {
        assertThatThrownBy(this::open)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(file.toString())
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CORRUPT);
    }

    @Test
    void aFlushReplacesTheLogByASegment() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 20_000, 0)));
        region.flush();
        assertThat(fileNames()).containsExactly("layer-1-0.seg", "manifest");
        assertThat(scan(region)).isEqualTo(TestTable.items(0, 20_000, 0));
        assertThat(scan(reopen(region))).isEqualTo(TestTable.items(0, 20_000, 0));
    }

    @Test
    void rowsBeyondTheBoundAreFlushedByTheirWriter() {
        Region region = keep(Region.create(context(10_000), files, DESCRIPTOR));
        for (int i = 0; i < 100; i++) {
            region.put(TestTable.batch(TestTable.items(i * 10L, i * 10L + 10, 0)));
        }
        assertThat(region.status().layers()).isGreaterThan(5);
        assertThat(region.status().memoryBytes()).isLessThan(15_000);
        assertThat(scan(region)).isEqualTo(TestTable.items(0, 1000, 0));
    }

    @Test
    void deletedKeysStayDeletedOverFlushesAndCompaction() {
        Region region = create();
        for (int round = 0; round < 6; round++) {
            region.put(TestTable.batch(TestTable.items(0, 100, round)));
            region.delete(List.of(TestTable.key(round), TestTable.key(50 + round)));
            region.flush();
        }
        List<Item> before = scan(region);
        assertThat(before).hasSize(98);
        assertThat(region.status().layers()).isEqualTo(6);
        assertThat(new Compactor(Duration.ZERO).compact(region)).isTrue();
        assertThat(region.status().layers()).isEqualTo(1);
        assertThat(region.status().rowCount()).isEqualTo(98);
        assertThat(scan(region)).isEqualTo(before);
        assertThat(scan(reopen(region))).isEqualTo(before);
    }

    @Test
    void aReaderKeepsItsFilesWhileCompactionReplacesThem() throws IOException {
        Region region = create();
        for (int round = 0; round < 5; round++) {
            region.put(TestTable.batch(TestTable.items(0, 10_000, round)));
            region.flush();
        }
        ScanRequest request =
                new ScanRequest(
                        7, 0, KeyRange.ALL, ALL_COLUMNS, Predicate.ALWAYS, ScanRequest.NO_LIMIT);
        List<Item> items = new ArrayList<>();
        ColumnBatch batch = TestTable.emptyBatch();
        try (ScanCursor cursor = region.scan(request)) {
            cursor.next(batch);
            items.addAll(TestTable.read(batch));
            assertThat(new Compactor(Duration.ZERO).compact(region)).isTrue();
            assertThat(fileNames()).hasSize(7);
            while (cursor.next(batch)) {
                items.addAll(TestTable.read(batch));
            }
        }
        assertThat(items).isEqualTo(TestTable.items(0, 10_000, 4));
        assertThat(fileNames()).containsExactly("layer-6-0.seg", "manifest");
    }

    @Test
    void filesThatNobodyNamesAreRemovedWhenTheRegionOpens() throws IOException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 5, 0)));
        region.flush();
        region.close();
        for (String name :
                List.of("layer-9-0.seg", "load-x-0.seg", "manifest.new", "log-0", "log-3.new")) {
            Files.writeString(files.directory().resolve(name), "left over");
        }
        open();
        assertThat(fileNames()).containsExactly("layer-1-0.seg", "manifest");
    }

    @Test
    void aRowThatTheTableCannotHoldIsRefusedWhole() {
        Region region = create();
        ColumnBatch batch = TestTable.batch(TestTable.items(1, 4, 0));
        batch.longs(2).values()[2] = 1L << 40;
        assertThatThrownBy(() -> region.put(batch))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("column amount");
        Item tooLong = new Item(1, "\u00e9".repeat(101), null);
        assertThatThrownBy(() -> region.put(TestTable.batch(List.of(tooLong))))
                .hasMessageContaining("VARCHAR(100)");
        assertThat(scan(region)).isEmpty();
        region.put(TestTable.batch(List.of(new Item(1, "\u00e9".repeat(100), null))));
        assertThat(scan(region)).hasSize(1);
    }

    @Test
    void aKeyOutsideTheRegionIsSentElsewhere() {
        Region region =
                keep(
                        Region.create(
                                context(1 << 30),
                                files,
                                new RegionDescriptor(
                                        7,
                                        1,
                                        TestTable.SCHEMA,
                                        new KeyRange(TestTable.key(10), TestTable.key(20)))));
        assertThatThrownBy(() -> region.put(TestTable.batch(TestTable.items(15, 25, 0))))
                .isInstanceOf(PenstockException.class)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.REROUTE);
        assertThat(scan(region)).isEmpty();
    }

    @Test
    void anEmptyRegionClosesAndOpensAgain() {
        Region region = create();
        assertThat(region.closeIfEmpty()).isTrue();
        assertThatThrownBy(() -> region.put(TestTable.batch(TestTable.items(0, 1, 0))))
                .isInstanceOf(PenstockException.class);
        assertThatThrownBy(() -> region.get(TestTable.key(0), 0))
                .hasMessageContaining("has no rows: it is being split or dropped")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.REROUTE);
        assertThatThrownBy(() -> scan(region)).hasMessageContaining("being split or dropped");
        region.reopen();
        assertThat(scan(region)).isEmpty();
        region.put(TestTable.batch(TestTable.items(0, 1, 0)));
        assertThat(region.closeIfEmpty()).isFalse();
        region.drop();
        assertThat(files.directory()).doesNotExist();
    }

    @Test
    void scansObeyLimitAndProjection() {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 100, 0)));
        ScanRequest request =
                new ScanRequest(
                        7,
                        0,
                        new KeyRange(TestTable.key(10), TestTable.key(90)),
                        new int[] {2, 0},
                        Predicate.ALWAYS,
                        25);
        ColumnBatch batch =
                ColumnBatch.forColumns(
                        List.of(TestTable.SCHEMA.column(2), TestTable.SCHEMA.column(0)), 16);
        int rows = 0;
        try (ScanCursor cursor = region.scan(request)) {
            while (cursor.next(batch)) {
                assertThat(batch.longs(1).values()[0]).isEqualTo(10L + rows);
                rows += batch.rowCount();
            }
            assertThat(cursor.next(batch)).isFalse();
        }
        assertThat(rows).isEqualTo(25);
    }

    /** At every call that changes the disk, once: the region fails or works, and loses nothing. */
    @Test
    void anyFailingDiskCallLosesNoAcknowledgedRow() throws IOException {
        boolean more = true;
        for (int n = 1; more; n++) {
            files = RegionFiles.in(folder.resolve("run-" + n), 7);
            Files.createDirectories(folder.resolve("run-" + n));
            FaultyStorage faulty = new FaultyStorage(new NioStorage());
            storage = faulty;
            faulty.failCall(n);
            List<Item> acknowledged = new ArrayList<>();
            try (Region region = Region.create(context(1 << 30), files, DESCRIPTOR)) {
                for (int i = 0; i < 6; i++) {
                    region.put(TestTable.batch(List.of(TestTable.item(i, 0))));
                    acknowledged.add(TestTable.item(i, 0));
                    region.flush();
                }
                new Compactor(Duration.ZERO).compact(region);
                more = faulty.calls() >= n;
            } catch (PenstockException e) {
                assertThat(e).hasMessageContaining("injected");
            }
            storage = new FaultyStorage(new NioStorage());
            if (!acknowledged.isEmpty()) {
                try (Region region = Region.open(context(1 << 30), files)) {
                    assertThat(scan(region)).as("call %d", n).containsAll(acknowledged);
                }
            }
            assertThat(n).isLessThan(1000);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomChangesMatchASortedMap(long seed) {
        Random random = new Random(seed);
        TreeMap<Long, Item> wanted = new TreeMap<>();
        Region region = create();
        Compactor compactor = new Compactor(Duration.ZERO);
        for (int step = 0; step < 80; step++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> {
                    List<Item> items = new ArrayList<>();
                    for (int i = random.nextInt(200); i >= 0; i--) {
                        items.add(TestTable.item(random.nextInt(3000), step));
                    }
                    region.put(TestTable.batch(items));
                    items.forEach(item -> wanted.put(item.id(), item));
                }
                case 4 -> {
                    long from = random.nextInt(3000);
                    List<byte[]> keys = new ArrayList<>();
                    for (long id = from; id < from + 50; id++) {
                        keys.add(TestTable.key(id));
                        wanted.remove(id);
                    }
                    region.delete(keys);
                }
                case 5 -> region.flush();
                case 6 -> compactor.compact(region);
                default -> region = random.nextInt(4) == 0 ? reopen(region) : region;
            }
            check(region, wanted, random);
        }
    }

    private static void check(Region region, NavigableMap<Long, Item> wanted, Random random) {
        long from = random.nextInt(3000);
        long to = from + random.nextInt(3000);
        List<Item> inRange = List.copyOf(wanted.subMap(from, to).values());
        KeyRange range = new KeyRange(TestTable.key(from), TestTable.key(to));
        assertThat(scan(region, range, Predicate.ALWAYS)).isEqualTo(inRange);
        Predicate small =
                new Predicate.Compare(2, Predicate.Operator.LESS, new Literal.LongLiteral(3000));
        List<Item> matching =
                inRange.stream()
                        .filter(item -> {
                            Integer amount = item.amount();
                            return amount != null && amount < 3000;
                        })
                        .toList();
        assertThat(scan(region, range, small)).isEqualTo(matching);
        assertThat(region.count(0, range, small)).isEqualTo(matching.size());
        long id = random.nextInt(3000);
        Item item = wanted.get(id);
        assertThat(region.get(TestTable.key(id), 0).map(TestTable::read))
                .isEqualTo(java.util.Optional.ofNullable(item).map(List::of));
    }

    @Test
    void rowsThatAreInsertedWhileALoadIsInstalledAreComparedWithIt() throws InterruptedException {
        Region region = create();
        region.put(TestTable.batch(TestTable.items(0, 10, 1)));
        region.flush();
        PreparedLoad load = loadOfWhatIsStored(region);
        region.delete(List.of(TestTable.key(3)));
        region.flush();
        AtomicLong inserted = new AtomicLong(Long.MIN_VALUE);
        Thread writer =
                new Thread(() ->
                        inserted.set(region.insert(TestTable.batch(TestTable.items(3, 4, 2)))));
        whenAskedForTheTime =
                () -> {
                    writer.start();
                    while (writer.isAlive() && writer.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                };
        region.prepared().add(load);
        region.install(load, 1);
        writer.join();
        assertThat(inserted).hasValue(0);
        assertThat(region.get(TestTable.key(3), 1))
                .hasValueSatisfying(
                        row -> assertThat(TestTable.read(row)).isEqualTo(TestTable.items(3, 4, 1)));
    }

    /** A load whose segments are those of the only layer. */
    private static PreparedLoad loadOfWhatIsStored(Region region) {
        try (Region.LayerLease lease = region.leaseLayers()) {
            LayerDescriptor layer = lease.layers().getFirst().descriptor();
            RegionReceipt receipt =
                    new RegionReceipt(
                            7,
                            "server",
                            layer.rowCount(),
                            0,
                            0,
                            layer.bytes(),
                            List.of(),
                            ColumnSums.NONE,
                            ColumnSums.NONE,
                            List.of(),
                            new StepTimes());
            return new PreparedLoad(
                    "00000000-0000-0000-0000-000000000001",
                    layer.identity(),
                    false,
                    layer.segments(),
                    receipt);
        }
    }
}
