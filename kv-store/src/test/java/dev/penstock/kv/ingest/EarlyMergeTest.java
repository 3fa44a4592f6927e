package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.RegionContext;
import dev.penstock.kv.region.RowMemory;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.ReceiptBytes;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.kv.storage.Storage;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

class EarlyMergeTest {
    private static final int REGIONS = 4;
    private static final int CHUNKS = 48;
    private static final int CHUNK_KEYS = 50;
    private static final int REGION_KEYS = CHUNKS * CHUNK_KEYS / REGIONS;
    private static final long MEBIBYTE = 1 << 20;

    private static final StagingLimits AT_THE_END = new StagingLimits(64 * MEBIBYTE, 64 * MEBIBYTE);
    private static final StagingLimits EARLY = new StagingLimits(64 * MEBIBYTE, 64 * MEBIBYTE, 1);

    /** Every fragment goes to the file at once. */
    private static final StagingLimits EARLY_FROM_FILES = new StagingLimits(0, 64 * MEBIBYTE, 1);

    private static final Executor AT_ONCE = Runnable::run;
    private static final OtherLoads NO_OTHERS = new OtherLoads(List.of());

    @TempDir Path folder;
    private final Storage storage = new NioStorage();
    private final List<Server> servers = new ArrayList<>();
    private final ExecutorService background = Executors.newSingleThreadExecutor();

    /** What one chunk has for one region. */
    private record Fragment(int chunkId, int region, List<Item> items) {}

    /** Four regions of the table and a load into them. */
    private final class Server {
        private final Path root = folder.resolve("server-" + servers.size());
        private final StagingMemory memory;
        private final List<Region> regions = new ArrayList<>();
        private final LoadIntake load;

        Server(StagingLimits limits, DuplicatePolicy policy, Executor earlyMerges) {
            servers.add(this);
            memory = new StagingMemory(limits);
            storage.createDirectories(root.resolve("staging"));
            RegionContext context =
                    new RegionContext(
                            storage,
                            RegionJournal.open(storage, root.resolve("journal")),
                            new OpenSegments(1 << 20, 1 << 16),
                            () -> Instant.ofEpochSecond(1000),
                            1 << 30,
                            new RowMemory(1 << 30),
                            new Semaphore(2));
            for (int i = 0; i < REGIONS; i++) {
                RegionFiles files = RegionFiles.in(root, i);
                storage.createDirectories(files.directory());
                KeyRange range = new KeyRange(bound(i), bound(i + 1));
                RegionDescriptor descriptor = new RegionDescriptor(i, 1, TestTable.SCHEMA, range);
                regions.add(Region.create(context, files, descriptor));
            }
            LoadRequest request =
                    LoadRequest.intoExisting(
                            "items",
                            "",
                            policy,
                            Dialect.csv(),
                            List.of(0, 1, 2),
                            List.of("test.csv"),
                            false);
            LoadDescriptor descriptor =
                    new LoadDescriptor(
                            "00000000-0000-0007-0000-000000000001",
                            5,
                            new TableDescriptor(1, TestTable.SCHEMA),
                            request,
                            List.of());
            load =
                    new LoadIntake(
                            descriptor,
                            regions,
                            storage,
                            memory,
                            new ReceiptRoom(new ReceiptBytes(), 1 << 20, _ -> Optional.empty()),
                            new Rehearsal(Runnable::run, () -> false),
                            new KeptSteps(),
                            root.resolve("staging"),
                            root.resolve("logs"),
                            earlyMerges,
                            Runnable::run,
                            "host:1");
        }

        private static byte[] bound(int region) {
            return region == 0 || region == REGIONS
                    ? new byte[0]
                    : TestTable.key((long) region * REGION_KEYS);
        }

        void send(Fragment fragment) {
            Encode.Choice[] choices = new Encode.Choice[3];
            Arrays.fill(choices, Encode.Choice.DICTIONARY);
            int rows = fragment.items.size();
            ByteBuilder image = new ByteBuilder(1024);
            new Encode(TestTable.SCHEMA)
                    .run(
                            TestTable.batch(fragment.items),
                            0,
                            rows,
                            choices,
                            true,
                            new SegmentIdentity(1, 2, fragment.chunkId),
                            image);
            load.take(
                    new FragmentHeader(
                            fragment.chunkId, fragment.region, FragmentForm.ENCODED, rows),
                    image.array(),
                    image.length());
        }

        /** Rows stored and dropped, of each region. */
        List<String> finish() {
            List<String> rows = new ArrayList<>();
            for (int i = 0; i < REGIONS; i++) {
                RegionReceipt receipt = load.finish(i, NO_OTHERS);
                rows.add(receipt.rowCount() + " and " + receipt.duplicateRows());
            }
            return rows;
        }

        /** Paths below the folder. */
        List<String> segments() throws IOException {
            List<String> segments = new ArrayList<>();
            for (Region region : regions) {
                try (Stream<Path> files = Files.list(region.files().directory())) {
                    files.map(file -> root.relativize(file).toString())
                            .filter(name -> name.endsWith(".seg"))
                            .forEach(segments::add);
                }
            }
            return segments;
        }

        /** Files of fragments. */
        List<String> staged() throws IOException {
            try (Stream<Path> files = Files.walk(root.resolve("staging"))) {
                return files.filter(Files::isRegularFile)
                        .map(file -> file.getFileName().toString())
                        .toList();
            }
        }

        void close() {
            load.abandon();
            regions.forEach(Region::close);
            memory.close();
        }
    }

    @AfterEach
    void closeAll() {
        servers.forEach(Server::close);
        background.shutdown();
    }

    /**
     * Chunks in key order, some of them swapped with their neighbours, some with rows that belong
     * far behind, some fragments that come last of all.
     */
    private static List<Fragment> fragments(Random random, boolean duplicates, int strays) {
        List<Fragment> fragments = new ArrayList<>();
        Set<Long> used = new HashSet<>();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            TreeMap<Long, Item> items = new TreeMap<>();
            // Strays have the keys that their region's chunks leave out, or not.
            for (int i = 0; i < CHUNK_KEYS; i++) {
                long id = (long) chunk * CHUNK_KEYS + i;
                if (id % 10 != 9) {
                    items.put(id, TestTable.item(id, chunk));
                }
            }
            if (random.nextInt(CHUNKS) < strays) {
                long id = random.nextInt(CHUNKS * CHUNK_KEYS / 10) * 10L + (duplicates ? 8 : 9);
                if (duplicates || used.add(id)) {
                    items.put(id, TestTable.item(id, chunk));
                }
            }
            for (int region = 0; region < REGIONS; region++) {
                long from = (long) region * REGION_KEYS;
                List<Item> inside = List.copyOf(items.subMap(from, from + REGION_KEYS).values());
                if (!inside.isEmpty()) {
                    fragments.add(new Fragment(chunk, region, inside));
                }
            }
        }
        return fragments;
    }

    /** Neighbours in turn are swapped, and some fragments moved to any place. */
    private static List<Fragment> arrivals(List<Fragment> fragments, Random random, int moved) {
        List<Fragment> order = new ArrayList<>(fragments);
        for (int i = 1; i < order.size(); i += 2 + random.nextInt(3)) {
            order.add(i - 1, order.remove(i));
        }
        for (int i = 0; i < moved; i++) {
            Fragment fragment = order.remove(random.nextInt(order.size()));
            order.add(random.nextInt(order.size() + 1), fragment);
        }
        return order;
    }

    /** Sends and counts regions that were merged and then had to be again. */
    private static int send(Server server, List<Fragment> fragments) throws IOException {
        int dropped = 0;
        for (Fragment fragment : fragments) {
            int before = server.segments().size();
            server.send(fragment);
            dropped += server.segments().size() < before ? 1 : 0;
        }
        return dropped;
    }

    private static void assertSame(Server actual, Server expected) throws IOException {
        List<String> names = expected.segments();
        assertThat(actual.segments()).isEqualTo(names);
        for (String name : names) {
            byte[] wanted = Files.readAllBytes(expected.root.resolve(name));
            assertThat(Files.readAllBytes(actual.root.resolve(name))).as(name).isEqualTo(wanted);
        }
    }

    @Test
    void storedBytesDoNotDependOnWhenRegionsAreMerged() throws IOException {
        Random random = new Random(11);
        int merged = 0;
        int dropped = 0;
        DuplicatePolicy[] policies = DuplicatePolicy.values();
        for (int round = 0; round < policies.length; round++) {
            DuplicatePolicy policy = policies[round % policies.length];
            boolean duplicates = policy.within() != DuplicatePolicy.Within.ERROR;
            List<Fragment> fragments =
                    arrivals(
                            fragments(random, duplicates, round % 3),
                            random,
                            round % 2 == 0 ? 0 : 1 + random.nextInt(3));
            Server expected = new Server(AT_THE_END, policy, AT_ONCE);
            fragments.forEach(expected::send);
            List<String> rows = expected.finish();
            StagingLimits limits = round % 5 == 0 ? EARLY_FROM_FILES : EARLY;
            Server early = new Server(limits, policy, AT_ONCE);
            dropped += send(early, fragments);
            merged += early.segments().size();
            Server atOnce = new Server(EARLY, policy, background);
            fragments.forEach(atOnce::send);
            for (Server server : List.of(early, atOnce)) {
                assertThat(server.finish()).isEqualTo(rows);
                assertSame(server, expected);
            }
        }
        assertThat(merged).isGreaterThan(12);
        assertThat(dropped).isGreaterThan(3);
    }

    @Test
    void orderedInputLeavesOnlyTheLastRegionForTheEnd() throws IOException {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        assertThat(send(server, fragments(new Random(1), false, 0))).isZero();
        assertThat(server.segments()).hasSize(REGIONS - 1);
    }

    @Test
    void inputInAnyOrderIsMergedOnlyAtTheEnd() throws IOException {
        Random random = new Random(3);
        List<Fragment> fragments = new ArrayList<>();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            for (int region = 0; region < REGIONS; region++) {
                long id = (long) region * REGION_KEYS + chunk;
                fragments.add(new Fragment(chunk, region, TestTable.items(id, id + 1, 0)));
            }
        }
        // As from eight threads that begin chunks in order and end them in any.
        int[] place = new int[CHUNKS];
        Arrays.setAll(place, chunk -> chunk + random.nextInt(8));
        fragments.sort(Comparator.comparingInt(fragment -> place[fragment.chunkId]));
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        for (Fragment fragment : fragments) {
            server.send(fragment);
            assertThat(server.segments()).isEmpty();
        }
    }

    @Test
    void aRepeatedFragmentLeavesWhatIsMerged() throws IOException {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        List<Fragment> fragments = fragments(new Random(1), false, 0);
        send(server, fragments);
        server.send(fragments.getFirst());
        assertThat(server.segments()).hasSize(REGIONS - 1);
    }

    @Test
    void equalKeysAreReportedAtTheEnd() throws IOException {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        List<Fragment> fragments = new ArrayList<>(fragments(new Random(1), false, 0));
        fragments.add(2, new Fragment(2, 0, TestTable.items(7, 8, 9)));
        fragments.removeIf(f -> f.chunkId == 2 && f.items.size() > 1);
        send(server, fragments);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> server.load.finish(0, NO_OTHERS))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("id=7");
        }
        assertThat(server.segments()).noneMatch(name -> name.startsWith("region-0"));
    }

    @Test
    void keysThatCameIntoTheRegionAfterTheMergeAreFound() throws IOException {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        send(server, fragments(new Random(1), false, 0));
        server.regions.getFirst().put(TestTable.batch(TestTable.items(5, 6, 1)));
        assertThatThrownBy(() -> server.load.finish(0, NO_OTHERS))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("exists already");
        assertThat(server.segments()).hasSize(REGIONS - 2);
    }

    @Test
    @Timeout(60)
    void aLateFragmentDoesNotWaitForAMergeThatWaitsForItsTurn() throws Exception {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, background);
        Semaphore turns = server.regions.getFirst().context().mergePermits();
        turns.acquire(2);
        List<Fragment> fragments = fragments(new Random(1), false, 0);
        fragments.forEach(server::send);
        while (!turns.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        server.send(new Fragment(0, 1, TestTable.items(REGION_KEYS + 9, REGION_KEYS + 10, 1)));
        server.send(new Fragment(CHUNKS, 0, TestTable.items(9, 10, 1)));
        assertThat(turns.availablePermits()).isZero();
        turns.release(2);
        // One that was given up in the middle was a wrong guess, too: the others are not merged.
        background.submit(() -> {}).get();
        assertThat(server.segments()).isEmpty();
        server.finish();
    }

    /** Regions that are merged are all that is left of their fragments. */
    private Server dropped(List<Fragment> fragments) throws IOException {
        Server server = new Server(EARLY_FROM_FILES, DuplicatePolicy.ERROR, AT_ONCE);
        send(server, fragments);
        assertThat(server.segments()).hasSize(REGIONS - 1);
        while (server.memory.usedBytes() > 0) {
            server.memory.relieve();
            Thread.onSpinWait();
        }
        assertThat(server.staged()).containsExactly(REGIONS - 1 + ".fragments");
        return server;
    }

    @Test
    @Timeout(60)
    void whatIsMergedStandsForFragmentsThatAreDropped() throws IOException {
        List<Fragment> fragments = fragments(new Random(1), false, 0);
        Server expected = new Server(AT_THE_END, DuplicatePolicy.ERROR, AT_ONCE);
        fragments.forEach(expected::send);
        List<String> rows = expected.finish();
        Server server = dropped(fragments);
        assertThat(server.finish()).isEqualTo(rows);
        assertSame(server, expected);
        assertThat(server.staged()).isEmpty();
    }

    @Test
    @Timeout(60)
    void fragmentsThatComeAfterOthersWereDroppedAreMergedWithWhatStandsForThem()
            throws IOException {
        List<Fragment> fragments = fragments(new Random(1), false, 0);
        List<Fragment> late =
                List.of(
                        new Fragment(CHUNKS, 0, TestTable.items(9, 10, 1)),
                        new Fragment(
                                CHUNKS, 1, TestTable.items(REGION_KEYS + 9, REGION_KEYS + 10, 1)),
                        new Fragment(CHUNKS + 1, 0, TestTable.items(19, 20, 1)));
        Server expected = new Server(AT_THE_END, DuplicatePolicy.ERROR, AT_ONCE);
        fragments.forEach(expected::send);
        late.forEach(expected::send);
        Server server = dropped(fragments);
        late.forEach(server::send);
        for (int region = 0; region < REGIONS; region++) {
            RegionReceipt wanted = expected.load.finish(region, NO_OTHERS);
            RegionReceipt receipt = server.load.finish(region, NO_OTHERS);
            assertThat(receipt.rowCount()).isEqualTo(wanted.rowCount());
            assertThat(receipt.stored()).isEqualTo(wanted.stored());
            assertThat(receipt.bytesStored()).isEqualTo(wanted.bytesStored());
        }
        assertThat(server.segments()).hasSize(REGIONS);
        assertThat(server.staged()).isEmpty();
    }

    @Test
    @Timeout(60)
    void equalKeysOfDroppedFragmentsAreFound() throws IOException {
        Server server = dropped(fragments(new Random(1), false, 0));
        server.send(new Fragment(CHUNKS, 0, TestTable.items(7, 8, 1)));
        assertThatThrownBy(() -> server.load.finish(0, NO_OTHERS))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("id=7");
        // What the fragments have become is all that there is of them.
        assertThatThrownBy(() -> server.load.finish(0, NO_OTHERS))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("id=7");
        server.load.discard();
        assertThat(server.segments()).isEmpty();
    }

    @Test
    void whatWasMergedGoesWithTheLoad() throws IOException {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        send(server, fragments(new Random(1), false, 0));
        assertThat(server.segments()).isNotEmpty();
        server.load.discard();
        assertThat(server.segments()).isEmpty();
    }

    @Test
    void aSegmentThatCannotBeOpenedIsFoundBeforeItIsPrepared() throws IOException {
        Server server = new Server(EARLY, DuplicatePolicy.REPLACE, AT_ONCE);
        send(server, fragments(new Random(1), false, 0));
        Path segment = server.root.resolve(server.segments().getFirst());
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length - 20] ^= 1;
        Files.write(segment, bytes);
        assertThatThrownBy(() -> server.load.finish(0, NO_OTHERS))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(segment.toString());
        assertThat(server.regions.getFirst().prepared().isEmpty()).isTrue();
        assertThat(server.segments()).noneMatch(name -> name.startsWith("region-0"));
        // The fragments are still there, and are merged once more.
        assertThat(server.finish()).hasSize(REGIONS);
    }

    /** Or files of a load that is prepared in that moment could be removed, and come back never. */
    @Test
    @Timeout(60)
    void nothingIsRemovedUnderAMergeAtTheEnd() throws Exception {
        Server server = new Server(EARLY, DuplicatePolicy.ERROR, AT_ONCE);
        send(server, fragments(new Random(1), false, 0));
        server.load.finish(1, NO_OTHERS);
        List<String> merged = server.segments();
        List<String> failures = new CopyOnWriteArrayList<>();
        Thread finishing;
        Thread abandoning;
        synchronized (server.regions.getFirst().prepared()) {
            finishing = Thread.ofPlatform().start(() -> finish(server, failures));
            await(finishing, Thread.State.BLOCKED);
            abandoning = Thread.ofPlatform().start(server.load::abandon);
            await(abandoning, Thread.State.WAITING);
            assertThat(server.segments()).isEqualTo(merged);
        }
        finishing.join();
        abandoning.join();
        assertThat(failures).singleElement().asString().contains("was aborted");
        assertThat(server.segments()).allMatch(name -> name.startsWith("region-1"));
    }

    private static void finish(Server server, List<String> failures) {
        try {
            server.load.finish(0, NO_OTHERS);
        } catch (PenstockException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    private static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }
}
