package dev.penstock.kv.node;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.meta.LocalMetadata;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.Storage;
import dev.penstock.predicate.Predicate;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.RegionReceipt;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A leader and one region server in this process, each with a folder and able to stop and start
 * without the other; and the words that tests need for them. The table {@code items} has three
 * regions, split at 1000 and 2000.
 */
final class TestStore implements AutoCloseable {
    /** Room for few readers, so that tests read segments whose readers are gone. */
    private static final int READER_BYTES = 20_000;

    private final Path folder;
    private final Storage storage;
    private final AtomicLong lastId = new AtomicLong();

    /** Null if the server's folder holds the metadata too. */
    private @Nullable LocalMetadata leader;

    private @Nullable RegionServerNode server;
    private boolean ordersLost;
    private StagingLimits staging = StagingLimits.forThisMachine();
    private long receiptBytes = 64L << 20;
    private int maxSegments = Integer.MAX_VALUE;
    private boolean questionsLost;
    private boolean shortPages;
    private final AtomicLong publishedTold = new AtomicLong();
    private Duration leaseRunOut = Duration.ZERO;
    private Instant now = Instant.ofEpochSecond(1_000_000);

    private TestStore(Path folder, Storage storage, boolean whole) {
        this.folder = folder;
        this.storage = storage;
        if (!whole) {
            storage.createDirectories(folder.resolve("leader"));
            leader = openLeader();
        }
    }

    static TestStore open(Path folder, Storage storage) {
        return open(folder, storage, StagingLimits.forThisMachine());
    }

    static TestStore open(Path folder, Storage storage, StagingLimits limits) {
        return open(folder, storage, limits, 0);
    }

    /**
     * The same.
     *
     * @param lastId ids of loads begin above it
     */
    static TestStore open(Path folder, Storage storage, StagingLimits limits, long lastId) {
        return new TestStore(folder, storage, false).opened(limits, lastId);
    }

    /** One folder with all of a store, as an embedded one has it. */
    static TestStore openWhole(Path folder, Storage storage, StagingLimits limits, long lastId) {
        return new TestStore(folder, storage, true).opened(limits, lastId);
    }

    private TestStore opened(StagingLimits limits, long firstFree) {
        lastId.set(firstFree);
        limitStaging(limits);
        try {
            startServer();
        } catch (RuntimeException e) {
            closeLeader();
            throw e;
        }
        return this;
    }

    private void closeLeader() {
        if (leader != null) {
            leader.close();
        }
    }

    private LocalMetadata openLeader() {
        return LocalMetadata.open(
                storage,
                folder.resolve("leader").resolve("metadata"),
                descriptor -> reachableService(),
                () -> now,
                this::newId,
                leaseRunOut);
    }

    private RegionService reachableService() {
        if (ordersLost) {
            throw new PenstockException(ErrorCategory.RETRY, "the server cannot be reached");
        }
        return service();
    }

    /** For servers that are started from now on. */
    void limitStaging(StagingLimits limits) {
        staging = limits;
    }

    /** For servers that are started from now on: heap for rejects and named keys. */
    void limitReceipts(long bytes) {
        receiptBytes = bytes;
    }

    /** For servers that are started from now on: segment files with which loads are begun. */
    void limitSegments(int files) {
        maxSegments = files;
    }

    /** Whether the leader's calls do not arrive. */
    void loseOrders(boolean lose) {
        ordersLost = lose;
    }

    /** Whether the server's calls to its leader do not arrive. */
    void loseQuestions(boolean lose) {
        questionsLost = lose;
    }

    /** Whether the leader tells the server of one published load at a time. */
    void shortenPages(boolean shorten) {
        shortPages = shorten;
    }

    /** How many published loads the leader has told of, to this server or to one before it. */
    long publishedTold() {
        return publishedTold.get();
    }

    private Object counted(Object answer) {
        if (answer instanceof PublishedPage page) {
            publishedTold.addAndGet(page.loads().size());
        }
        return answer;
    }

    private Object shortened(Object answer) {
        return shortPages && answer instanceof PublishedPage page && page.loads().size() > 1
                ? firstOf(page.loads().getFirst())
                : answer;
    }

    private static PublishedPage firstOf(PublishedLoad load) {
        return new PublishedPage(List.of(load), load.epoch());
    }

    private MetadataService reachableLeader() {
        return (MetadataService)
                Proxy.newProxyInstance(
                        MetadataService.class.getClassLoader(),
                        new Class<?>[] {MetadataService.class},
                        (proxy, method, arguments) -> {
                            if (questionsLost) {
                                throw new PenstockException(
                                        ErrorCategory.RETRY, "the leader cannot be reached");
                            }
                            try {
                                return counted(shortened(method.invoke(leader, arguments)));
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private UUID newId() {
        return new UUID(7, lastId.incrementAndGet());
    }

    void startServer() {
        RegionServerNode node = openServer();
        try {
            node.start("host:1");
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
        server = node;
    }

    /** A server that is not started, for the caller to close. */
    RegionServerNode openServer() {
        NodeOptions options =
                new NodeOptions(
                        64 << 20,
                        64 << 20,
                        2,
                        staging,
                        receiptBytes,
                        READER_BYTES,
                        maxSegments,
                        Duration.ofSeconds(60),
                        Duration.ZERO,
                        Duration.ZERO,
                        () -> now,
                        this::newId);
        return RegionServerNode.open(
                folder.resolve("server"),
                storage,
                options,
                null,
                leader == null ? null : reachableLeader());
    }

    /** From the leader's next start on, publishing waits so long for a server it cannot tell. */
    void waitForLeases(Duration runOut) {
        leaseRunOut = runOut;
    }

    void stopServer() {
        RegionServerNode node = server;
        server = null;
        if (node != null) {
            node.close();
        }
    }

    /** After a start that failed. */
    void startIfDown() {
        if (server == null) {
            startServer();
        }
    }

    void restartServer() {
        stopServer();
        startServer();
    }

    /** Whether the leader stops and starts without the server. */
    boolean hasOwnLeader() {
        return leader != null;
    }

    /** The server stays up and does not notice but for what it is told afterwards. */
    void restartLeader() {
        if (leader == null) {
            restartServer();
            return;
        }
        leader.close();
        leader = openLeader();
    }

    RegionServerNode node() {
        RegionServerNode node = server;
        if (node == null) {
            throw new PenstockException(ErrorCategory.RETRY, "the server is down");
        }
        return node;
    }

    Path serverFolder() {
        return folder.resolve("server");
    }

    void createItems() {
        metadata().createTable(TestTable.SCHEMA);
        metadata().preSplit("items", List.of(TestTable.key(1000), TestTable.key(2000)));
    }

    MetadataService metadata() {
        return leader == null ? node().metadata() : leader;
    }

    RegionService service() {
        return node().regionService();
    }

    List<RegionAssignment> regions() {
        return metadata().regions("items");
    }

    void advance(Duration time) {
        now = now.plus(time);
    }

    // Rows

    void put(List<Item> items) {
        for (RegionAssignment region : regions()) {
            List<Item> inside = inside(region, items);
            if (!inside.isEmpty()) {
                service().put(region.regionId(), TestTable.batch(inside), metadata().epoch());
            }
        }
    }

    List<Item> scan() {
        return scan(metadata().epoch());
    }

    List<Item> scan(long epoch) {
        List<Item> items = new ArrayList<>();
        for (RegionAssignment region : regions()) {
            try (ScanCursor cursor = openScan(region.regionId(), epoch)) {
                readAll(cursor, items);
            }
        }
        return items;
    }

    ScanCursor openScan(long regionId, long epoch) {
        return service()
                .openScan(
                        new ScanRequest(
                                regionId,
                                epoch,
                                KeyRange.ALL,
                                new int[] {0, 1, 2},
                                Predicate.ALWAYS,
                                ScanRequest.NO_LIMIT));
    }

    static void readAll(ScanCursor cursor, List<Item> items) {
        ColumnBatch batch = TestTable.emptyBatch();
        while (cursor.next(batch)) {
            items.addAll(TestTable.read(batch));
        }
    }

    static List<Item> inside(RegionAssignment region, List<Item> items) {
        return items.stream()
                .filter(item -> region.range().contains(TestTable.key(item.id())))
                .toList();
    }

    // Loads

    LoadDescriptor begin(DuplicatePolicy duplicates) {
        return begin(duplicates, false);
    }

    LoadDescriptor begin(DuplicatePolicy duplicates, boolean deferSteps) {
        return metadata()
                .beginLoad(
                        LoadRequest.intoExisting(
                                "items",
                                "",
                                duplicates,
                                Dialect.csv(),
                                List.of(0, 1, 2),
                                List.of("test.csv"),
                                deferSteps));
    }

    /** Sends rows, which are in key order, as one encoded fragment per region. */
    List<FragmentAck> send(LoadDescriptor load, int chunkId, List<Item> items) {
        List<FragmentAck> acks = new ArrayList<>();
        for (RegionAssignment region : load.regions()) {
            List<Item> inside = inside(region, items);
            if (!inside.isEmpty()) {
                acks.add(send(load, chunkId, region.regionId(), FragmentForm.ENCODED, inside));
            }
        }
        return acks;
    }

    FragmentAck send(
            LoadDescriptor load, int chunkId, long regionId, FragmentForm form, List<Item> items) {
        Encode.Choice[] choices = new Encode.Choice[3];
        Arrays.fill(
                choices,
                form == FragmentForm.ENCODED ? Encode.Choice.DICTIONARY : Encode.Choice.PLAIN);
        ByteBuilder image = new ByteBuilder(1024);
        new Encode(TestTable.SCHEMA)
                .run(
                        TestTable.batch(items),
                        0,
                        items.size(),
                        choices,
                        form != FragmentForm.TYPED,
                        new SegmentIdentity(1, 2, chunkId),
                        image);
        return service()
                .fragment(
                        load.loadId(),
                        new FragmentHeader(chunkId, regionId, form, items.size()),
                        image.array(),
                        image.length());
    }

    List<RegionReceipt> finish(LoadDescriptor load) {
        List<Long> ids = load.regions().stream().map(RegionAssignment::regionId).toList();
        return service().finish(load.loadId(), ids);
    }

    /** A load of rows in key order that could be published. */
    LoadDescriptor prepare(DuplicatePolicy duplicates, List<Item> items) {
        LoadDescriptor load = begin(duplicates);
        send(load, 0, items);
        finish(load);
        return load;
    }

    long publish(LoadDescriptor load) {
        Map<Long, Long> rows = new HashMap<>();
        for (RegionReceipt receipt : finish(load)) {
            rows.put(receipt.regionId(), receipt.rowCount());
        }
        return metadata().publish(load.loadId(), rows, "");
    }

    /** A whole load of rows in key order. */
    long load(DuplicatePolicy duplicates, List<Item> items) {
        LoadDescriptor load = begin(duplicates);
        try {
            send(load, 0, items);
            return publish(load);
        } catch (RuntimeException e) {
            metadata().abort(load.loadId());
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            stopServer();
        } finally {
            closeLeader();
        }
    }
}
