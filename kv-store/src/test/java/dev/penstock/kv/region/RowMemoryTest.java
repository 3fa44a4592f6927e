package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.LogKind;
import dev.penstock.kv.storage.LogWriter;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.kv.storage.MemoryDisk.Call;
import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.predicate.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Regions that share the memory for rows which are in no segment yet. */
@Timeout(120)
class RowMemoryTest {
    private static final Path FOLDER = Path.of("/store");

    /** More than ten rows of {@link TestTable} take. */
    private static final long WRITE_BYTES = 2000;

    private static final long LIMIT = 40_000;
    private static final long NO_LIMIT = 1 << 30;

    private MemoryDisk disk = diskWithFolders(16);

    private static MemoryDisk diskWithFolders(int regions) {
        MemoryDisk disk = new MemoryDisk(FOLDER);
        for (int id = 0; id < regions; id++) {
            disk.createDirectories(files(id).directory());
        }
        return disk;
    }

    private static RegionFiles files(long id) {
        return RegionFiles.in(FOLDER, id);
    }

    /** Regions with one context, by id. */
    private static final class Regions implements AutoCloseable {
        private final RegionContext context;
        private final List<Region> all = new ArrayList<>();

        Regions(MemoryDisk disk, long flushBytes, long limit) {
            context =
                    new RegionContext(
                            disk,
                            RegionJournal.open(disk, FOLDER.resolve("journal")),
                            new OpenSegments(8 << 10, 1 << 16),
                            () -> Instant.ofEpochSecond(1000),
                            flushBytes,
                            new RowMemory(limit),
                            new Semaphore(2));
        }

        Regions create(int count) {
            for (int id = 0; id < count; id++) {
                RegionDescriptor descriptor =
                        new RegionDescriptor(id, 1, TestTable.SCHEMA, KeyRange.ALL);
                all.add(Region.create(context, files(id), descriptor));
            }
            context.journal().force();
            return this;
        }

        Regions open(int count) {
            for (int id = 0; id < count; id++) {
                all.add(Region.open(context, files(id)));
            }
            return this;
        }

        Region get(int id) {
            return all.get(id);
        }

        /** Bytes of rows in memory. */
        long used() {
            long sum = all.stream().mapToLong(region -> region.status().memoryBytes()).sum();
            assertThat(context.rowMemory().bytes()).isEqualTo(sum);
            return sum;
        }

        @Override
        public void close() {
            all.forEach(Region::close);
            assertThat(context.rowMemory().bytes()).isZero();
            context.journal().close();
        }
    }

    private Regions create(int count, long limit) {
        return new Regions(disk, NO_LIMIT, limit).create(count);
    }

    private Regions open(int count, long limit) {
        return new Regions(disk, NO_LIMIT, limit).open(count);
    }

    private static void put(Region region, long from, long to, int version) {
        region.put(TestTable.batch(TestTable.items(from, to, version)));
    }

    private static List<Item> scan(Region region) {
        List<Item> items = new ArrayList<>();
        ScanRequest request =
                new ScanRequest(
                        region.descriptor().regionId(),
                        0,
                        KeyRange.ALL,
                        new int[] {0, 1, 2},
                        Predicate.ALWAYS,
                        ScanRequest.NO_LIMIT);
        ColumnBatch batch = TestTable.emptyBatch();
        try (ScanCursor cursor = region.scan(request)) {
            while (cursor.next(batch)) {
                items.addAll(TestTable.read(batch));
            }
        }
        return items;
    }

    private static PenstockException noSpace(Path file) {
        return PenstockException.io(
                "cannot write " + file + ": No space left on device",
                new IOException("No space left on device"));
    }

    private void refuseSegments() {
        disk.watch((call, file) -> {
            if (call == Call.CREATE && file.getFileName().toString().startsWith("layer-")) {
                throw noSpace(file);
            }
        });
    }

    private void refuseSegmentsOf(long id) {
        disk.watch((call, file) -> {
            if (isSegmentOf(id, call, file)) {
                throw noSpace(file);
            }
        });
    }

    private static boolean isSegmentOf(long id, Call call, Path file) {
        return call == Call.CREATE
                && file.startsWith(files(id).directory())
                && file.getFileName().toString().startsWith("layer-");
    }

    private void makeSpace() {
        disk.watch((call, file) -> {});
    }

    @Test
    void rowsOfAllRegionsTogetherStayWithinTheBound() {
        int count = 16;
        try (Regions regions = create(count, LIMIT)) {
            for (int round = 0; round < 40; round++) {
                for (int id = 0; id < count; id++) {
                    put(regions.get(id), round * 10L, round * 10L + 10, id);
                    assertThat(regions.used()).isLessThan(LIMIT + WRITE_BYTES);
                }
            }
            assertThat(regions.used()).isGreaterThan(LIMIT / 2);
            for (int id = 0; id < count; id++) {
                assertThat(scan(regions.get(id))).isEqualTo(TestTable.items(0, 400, id));
            }
        }
        try (Regions regions = open(count, LIMIT)) {
            for (int id = 0; id < count; id++) {
                assertThat(scan(regions.get(id))).isEqualTo(TestTable.items(0, 400, id));
            }
        }
    }

    @Test
    void theRegionWithTheMostRowsIsFlushedWhoeverWrites() {
        try (Regions regions = create(3, LIMIT)) {
            put(regions.get(0), 0, 10, 0);
            put(regions.get(2), 0, 10, 0);
            put(regions.get(1), 0, 500, 0);
            assertThat(regions.used()).isGreaterThan(LIMIT);
            put(regions.get(2), 10, 20, 0);
            assertThat(regions.get(0).status().layers()).isZero();
            assertThat(regions.get(1).status().layers()).isEqualTo(1);
            assertThat(regions.get(1).status().memoryBytes()).isZero();
            assertThat(regions.get(2).status().layers()).isZero();
            assertThat(regions.used()).isLessThan(4 * WRITE_BYTES);
        }
    }

    @Test
    void logsOfManyRegionsBeyondTheBoundAreOpenedWithinIt() {
        int count = 16;
        try (Regions regions = create(count, NO_LIMIT)) {
            for (int id = 0; id < count; id++) {
                for (int round = 0; round < 10; round++) {
                    put(regions.get(id), round * 10L, round * 10L + 10, id);
                }
            }
            assertThat(regions.used()).isGreaterThan(5 * LIMIT);
        }
        try (Regions regions = new Regions(disk, NO_LIMIT, LIMIT)) {
            for (int id = 0; id < count; id++) {
                regions.all.add(Region.open(regions.context, files(id)));
                assertThat(regions.used()).isLessThanOrEqualTo(LIMIT);
            }
            for (int id = 0; id < count; id++) {
                assertThat(scan(regions.get(id))).isEqualTo(TestTable.items(0, 100, id));
            }
        }
    }

    @Test
    void theLogOfOneRegionBeyondTheBoundIsOpenedInPieces() {
        TreeMap<Long, Item> wanted = new TreeMap<>();
        try (Regions regions = create(1, NO_LIMIT)) {
            writeHistory(regions.get(0), wanted);
            assertThat(regions.used()).isGreaterThan(5 * LIMIT);
        }
        try (Regions regions = open(1, LIMIT)) {
            assertThat(regions.used()).isLessThanOrEqualTo(LIMIT);
            assertThat(regions.get(0).status().layers()).isGreaterThan(4);
            assertThat(scan(regions.get(0))).isEqualTo(List.copyOf(wanted.values()));
            put(regions.get(0), 5, 15, 99);
            TestTable.items(5, 15, 99).forEach(item -> wanted.put(item.id(), item));
            regions.get(0).flush();
            assertThat(disk.list(files(0).directory()))
                    .noneMatch(file -> RegionFiles.logNumber(file) >= 0);
            assertThat(scan(regions.get(0))).isEqualTo(List.copyOf(wanted.values()));
        }
        try (Regions regions = open(1, LIMIT)) {
            assertThat(regions.used()).isZero();
            assertThat(scan(regions.get(0))).isEqualTo(List.copyOf(wanted.values()));
        }
    }

    /** Three logs of rows that are written, replaced and removed. */
    private void writeHistory(Region first, Map<Long, Item> wanted) {
        Random random = new Random(7);
        Region region = first;
        for (int step = 0; step < 240; step++) {
            long from = random.nextInt(300);
            if (step % 4 == 3) {
                List<byte[]> keys = new ArrayList<>();
                for (long id = from; id < from + 5; id++) {
                    keys.add(TestTable.key(id));
                    wanted.remove(id);
                }
                region.delete(keys);
            } else {
                put(region, from, from + 10, step);
                TestTable.items(from, from + 10, step).forEach(item -> wanted.put(item.id(), item));
            }
        }
    }

    /** At every call that changes the disk: the process is killed, or the power goes. */
    @Test
    void aStartThatEndsWhileItFlushesLosesNothing() {
        TreeMap<Long, Item> wanted = new TreeMap<>();
        try (Regions regions = create(1, NO_LIMIT)) {
            writeHistory(regions.get(0), wanted);
        }
        Random cuts = new Random(3);
        List<MemoryDisk> states = new ArrayList<>();
        disk.watch((call, file) -> {
            if (call.changes()) {
                states.add(disk.copy());
                states.add(disk.afterPowerCut(cuts));
            }
        });
        open(1, LIMIT).close();
        assertThat(states).hasSizeGreaterThan(50);
        for (MemoryDisk state : states) {
            disk = state;
            try (Regions regions = open(1, LIMIT)) {
                assertThat(scan(regions.get(0))).isEqualTo(List.copyOf(wanted.values()));
            }
        }
    }

    /**
     * A log that was never forced may lose its end as long as nobody has read it. What of it went
     * to a layer may not outlive what was before it: change n stores row n and row 0.
     */
    @Test
    void whatIsFlushedOfALogDoesNotOutliveTheLog() {
        try (Regions regions = create(1, NO_LIMIT)) {
            put(regions.get(0), 0, 1, 0);
        }
        int changes = 300;
        try (LogWriter log = LogWriter.create(disk, files(0).log(2), LogKind.WRITE_AHEAD, 0)) {
            RowCodec codec = new RowCodec(TestTable.SCHEMA);
            for (int n = 1; n <= changes; n++) {
                List<WriteOperation.Change> both = new ArrayList<>();
                for (long id : new long[] {0, n}) {
                    ColumnBatch row = TestTable.batch(List.of(new Item(id, "n", n)));
                    both.add(new WriteOperation.Change(TestTable.key(id), codec.encode(row, 0)));
                }
                ByteBuilder payload = new ByteBuilder(100);
                new WriteOperation(both).put(payload);
                log.append(payload.array(), payload.length());
            }
        }
        Random cuts = new Random(5);
        List<MemoryDisk> states = new ArrayList<>();
        disk.watch((call, file) -> {
            if (call.changes()) {
                for (int i = 0; i < 4; i++) {
                    states.add(disk.afterPowerCut(cuts));
                }
            }
        });
        open(1, LIMIT).close();
        boolean anyCut = false;
        for (MemoryDisk state : states) {
            disk = state;
            try (Regions regions = open(1, LIMIT)) {
                List<Item> rows = scan(regions.get(0));
                int last = rows.size() - 1;
                anyCut |= last < changes;
                Integer latest = rows.getFirst().amount();
                assertThat(latest == null ? 0 : latest).isEqualTo(last);
            }
        }
        assertThat(anyCut).isTrue();
    }

    @Test
    void writersToManyRegionsFinishWhileOthersAreDropped() throws Exception {
        int count = 16;
        int writers = 6;
        try (Regions regions = create(count, LIMIT);
                ExecutorService threads = Executors.newFixedThreadPool(writers + 1)) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                long first = writer * 10_000L;
                running.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 400; i++) {
                                long from = first + i / 12 * 10L;
                                put(regions.get(i % 12), from, from + 10, 0);
                                assertThat(regions.context.rowMemory().bytes())
                                        .isLessThan(LIMIT + (writers + 10) * WRITE_BYTES);
                            }
                        }));
            }
            running.add(
                    threads.submit(() -> {
                        for (int id = 12; id < count; id++) {
                            put(regions.get(id), 0, 100, 0);
                            regions.get(id).drop();
                        }
                    }));
            for (Future<?> each : running) {
                each.get();
            }
            regions.used();
            for (int id = 0; id < 12; id++) {
                List<Item> wanted = new ArrayList<>();
                for (int writer = 0; writer < writers; writer++) {
                    long first = writer * 10_000L;
                    int rounds = (400 - id + 11) / 12;
                    wanted.addAll(TestTable.items(first, first + rounds * 10L, 0));
                }
                assertThat(scan(regions.get(id))).isEqualTo(wanted);
            }
        }
    }

    @Test
    void aRegionThatCannotBeFlushedIsPassedOver() {
        try (Regions regions = create(3, LIMIT)) {
            put(regions.get(0), 0, 150, 0);
            refuseSegmentsOf(0);
            for (int round = 0; round < 100; round++) {
                put(regions.get(1 + round % 2), round * 10L, round * 10L + 10, 0);
                assertThat(regions.used()).isLessThan(LIMIT + WRITE_BYTES);
            }
            assertThat(regions.get(0).status().layers()).isZero();
            assertThat(scan(regions.get(0))).isEqualTo(TestTable.items(0, 150, 0));
            makeSpace();
        }
    }

    @Test
    void aRegionWhoseFlushFailsUnexpectedlyIsPassedOverToo() {
        try (Regions regions = create(3, LIMIT)) {
            put(regions.get(0), 0, 150, 0);
            disk.watch((call, file) -> {
                if (isSegmentOf(0, call, file)) {
                    throw new IllegalStateException("a fault");
                }
            });
            for (int round = 0; round < 100; round++) {
                put(regions.get(1 + round % 2), round * 10L, round * 10L + 10, 0);
            }
            assertThat(regions.get(2).status().layers()).isPositive();
            assertThat(scan(regions.get(0))).isEqualTo(TestTable.items(0, 150, 0));
            makeSpace();
        }
    }

    @Test
    void aWriteThatFindsNoRoomForWantOfHeapSaysSo() {
        try (Regions regions = create(1, LIMIT)) {
            put(regions.get(0), 0, 500, 0);
            disk.watch((call, file) -> {
                if (isSegmentOf(0, call, file)) {
                    throw new OutOfMemoryError("Java heap space");
                }
            });
            assertThatThrownBy(() -> put(regions.get(0), 500, 510, 0))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("Memory is used up (Java heap space)")
                    .hasMessageContaining("nothing was stored");
            makeSpace();
            assertThat(scan(regions.get(0))).isEqualTo(TestTable.items(0, 500, 0));
        }
    }

    @Test
    void aWriteThatFindsNoRoomSaysWhyAndStoresNothing() {
        try (Regions regions = create(3, LIMIT)) {
            refuseSegments();
            int round = 0;
            while (regions.used() <= LIMIT) {
                put(regions.get(round % 3), round * 10L, round * 10L + 10, 0);
                round++;
            }
            long from = round * 10L;
            ColumnBatch more = TestTable.batch(TestTable.items(from, from + 10, 0));
            for (Region region : regions.all) {
                List<Item> before = scan(region);
                assertThatThrownBy(() -> region.insert(more))
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining("the memory for rows")
                        .hasMessageContaining("No space left on device")
                        .hasMessageContaining("nothing was stored")
                        .extracting(e -> ((PenstockException) e).category())
                        .isEqualTo(ErrorCategory.IO);
                assertThat(scan(region)).isEqualTo(before);
                assertThat(regions.used()).isLessThan(LIMIT + WRITE_BYTES);
            }
            makeSpace();
            for (Region region : regions.all) {
                assertThat(region.insert(more)).isEqualTo(NewKeys.ALL_NEW);
            }
            assertThat(regions.used()).isLessThan(LIMIT);
        }
    }

    @Test
    void anInsertIsNotStoredIfItsRegionCannotBeFlushed() {
        try (Regions regions = new Regions(disk, 10_000, NO_LIMIT).create(1)) {
            Region region = regions.get(0);
            put(region, 0, 100, 0);
            refuseSegments();
            ColumnBatch more = TestTable.batch(TestTable.items(100, 110, 0));
            assertThatThrownBy(() -> region.insert(more)).hasMessageContaining("No space left");
            makeSpace();
            assertThat(region.insert(more)).isEqualTo(NewKeys.ALL_NEW);
            assertThat(scan(region)).isEqualTo(TestTable.items(0, 110, 0));
        }
    }

    @Test
    void aStartWithMoreLogsThanFitFailsClearlyWhileTheDiskIsFull() {
        try (Regions regions = create(2, NO_LIMIT)) {
            put(regions.get(0), 0, 500, 0);
            put(regions.get(1), 0, 10, 0);
        }
        refuseSegments();
        Regions full = new Regions(disk, NO_LIMIT, LIMIT);
        assertThatThrownBy(() -> full.open(2))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("No space left on device")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.IO);
        full.close();
        makeSpace();
        try (Regions regions = open(2, LIMIT)) {
            assertThat(scan(regions.get(0))).isEqualTo(TestTable.items(0, 500, 0));
            assertThat(scan(regions.get(1))).isEqualTo(TestTable.items(0, 10, 0));
        }
    }
}
