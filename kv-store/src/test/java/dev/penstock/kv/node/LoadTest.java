package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.meta.LocalMetadata;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.RawRouter;
import dev.penstock.step.StepName;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class LoadTest {
    @TempDir static Path unused;
    private final List<TestStore> opened = new ArrayList<>();

    private TestStore open(Path folder) {
        TestStore store = TestStore.open(folder, new NioStorage());
        opened.add(store);
        store.createItems();
        return store;
    }

    @AfterEach
    void closeAll() {
        opened.forEach(TestStore::close);
    }

    private static List<String> regionFiles(TestStore store) throws IOException {
        try (Stream<Path> files = Files.walk(store.serverFolder().resolve("regions"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("manifest"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> stagedFiles(TestStore store) throws IOException {
        try (Stream<Path> files = Files.list(store.serverFolder().resolve("staging"))) {
            return files.toList();
        }
    }

    private static Map<Long, Long> rows(List<RegionReceipt> receipts) {
        Map<Long, Long> rows = new HashMap<>();
        receipts.forEach(receipt -> rows.put(receipt.regionId(), receipt.rowCount()));
        return rows;
    }

    @Test
    void aLoadBecomesVisibleInAllRegionsAtOnce(@TempDir Path folder) throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        List<Item> items = TestTable.items(0, 3000, 0);
        store.send(load, 1, items.subList(1500, 3000));
        store.send(load, 0, items.subList(0, 1500));
        List<RegionReceipt> receipts = store.finish(load);
        assertThat(receipts).hasSize(3).allMatch(receipt -> receipt.rowCount() == 1000);
        assertThat(receipts).allMatch(receipt -> receipt.bytesStored() > 0);
        assertThat(store.scan()).isEmpty();
        assertThat(store.publish(load)).isEqualTo(1);
        assertThat(store.scan()).isEqualTo(items);
        assertThat(store.scan(0)).isEmpty();
        assertThat(stagedFiles(store)).isEmpty();
        assertThat(regionFiles(store)).hasSize(3).allMatch(name -> name.endsWith("-0.seg"));
        store.restartServer();
        assertThat(store.scan()).isEqualTo(items);
    }

    @ParameterizedTest
    @EnumSource
    void aRowWithAKeyOfAPreparedLoadIsNotStoredAndHidden(
            DuplicatePolicy policy, @TempDir Path folder) {
        TestStore store = open(folder);
        store.put(TestTable.items(2, 3, 7));
        boolean fails = policy.comparesStored() && policy.stored() == DuplicatePolicy.Stored.ERROR;
        LoadDescriptor load = store.prepare(policy, TestTable.items(fails ? 3 : 0, 900, 0));
        List<Item> newer = TestTable.items(5, 6, 9);
        long region = store.regions().getFirst().regionId();
        if (policy.comparesStored()) {
            assertThatThrownBy(() -> store.put(newer))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(load.loadId() + " into table items");
            assertThatThrownBy(() ->
                            store.service()
                                    .insert(
                                            region,
                                            TestTable.batch(newer),
                                            store.metadata().epoch()))
                    .hasMessageContaining("about to be published");
        }
        store.put(TestTable.items(2, 3, 8));
        store.put(TestTable.items(950, 951, 8));
        store.publish(load);
        assertThat(store.scan()).contains(TestTable.item(5, 0), TestTable.item(950, 8));
        store.put(newer);
        assertThat(store.scan()).contains(TestTable.item(5, 9));
        if (policy.comparesStored()) {
            assertThat(store.scan()).contains(TestTable.item(2, 8));
        }
    }

    @Test
    void aServersQuestionIsNoSignOfLifeOfTheLoader(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor lost = store.prepare(DuplicatePolicy.ERROR, TestTable.items(0, 10, 0));
        LoadDescriptor next = store.begin(DuplicatePolicy.ERROR);
        store.send(next, 0, TestTable.items(0, 10, 1));
        store.advance(Duration.ofSeconds(40));
        assertThatThrownBy(() -> store.finish(next))
                .hasMessageContaining("is also in load " + lost.loadId());
        store.metadata().signOfLife(next.loadId(), MetadataService.FIRST_LOADER);
        store.advance(Duration.ofSeconds(40));
        ((LocalMetadata) store.metadata()).abortAbandoned();
        assertThat(store.metadata().runningLoads("items"))
                .extracting(RunningLoad::loadId)
                .containsExactly(next.loadId());
    }

    @Test
    void keysOfALoadThatIsAbortedOrFailsCanBeStored(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.prepare(DuplicatePolicy.ERROR, TestTable.items(0, 900, 0));
        store.metadata().abort(load.loadId());
        store.put(TestTable.items(5, 6, 1));
        LoadDescriptor next = store.begin(DuplicatePolicy.ERROR);
        store.send(next, 0, TestTable.items(0, 900, 0));
        assertThatThrownBy(() -> store.finish(next)).hasMessageContaining("exists already");
        store.put(TestTable.items(5, 7, 2));
        assertThat(store.scan()).isEqualTo(TestTable.items(5, 7, 2));
    }

    @Test
    void anAbortedLoadLeavesNoTrace(@TempDir Path folder) throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.prepare(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
        store.metadata().abort(load.loadId());
        assertThat(regionFiles(store)).isEmpty();
        assertThat(stagedFiles(store)).isEmpty();
        assertThat(store.scan()).isEmpty();
        assertThatThrownBy(() -> store.send(load, 1, TestTable.items(0, 1, 0)))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("not open on this server");
    }

    /** Whether it has rows nobody can say before the load has ended here. */
    @Test
    void aRegionOfALoadIsNeitherEmptyNorFull(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        long region = store.regions().getFirst().regionId();
        assertUndecided(store, region);
        store.send(load, 0, TestTable.items(0, 3000, 0));
        store.finish(load);
        assertUndecided(store, region);
        store.metadata().abort(load.loadId());
        assertThat(store.service().closeIfEmpty(region)).isTrue();
    }

    private static void assertUndecided(TestStore store, long region) {
        assertThatThrownBy(() -> store.service().closeIfEmpty(region))
                .hasMessageContaining("is part of a load that is not cleared away yet")
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT));
    }

    @Test
    void aRepeatedFragmentIsAnsweredAndNotStoredAgain(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        List<FragmentAck> first = store.send(load, 5, TestTable.items(0, 100, 0));
        assertThat(store.send(load, 5, TestTable.items(0, 100, 0))).isEqualTo(first);
        store.publish(load);
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 100, 0));
    }

    @Test
    void aReaderSeesOneEpochWhileALoadIsPublished(@TempDir Path folder) {
        TestStore store = open(folder);
        store.load(DuplicatePolicy.ERROR, TestTable.items(0, 900, 0));
        long region = store.regions().getFirst().regionId();
        List<Item> seen = new ArrayList<>();
        try (ScanCursor cursor = store.openScan(region, 1)) {
            store.load(DuplicatePolicy.REPLACE, TestTable.items(0, 900, 1));
            TestStore.readAll(cursor, seen);
        }
        assertThat(seen).isEqualTo(TestTable.items(0, 900, 0));
        assertThat(store.scan(1)).isEqualTo(TestTable.items(0, 900, 0));
        assertThat(store.scan(2)).isEqualTo(TestTable.items(0, 900, 1));
    }

    @Test
    void aFragmentOutsideItsRegionIsRefused(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        long first = load.regions().getFirst().regionId();
        assertThatThrownBy(() ->
                        store.send(
                                load,
                                0,
                                first,
                                FragmentForm.ENCODED,
                                TestTable.items(990, 1010, 0)))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("outside of region " + first);
        store.publish(load);
        assertThat(store.scan()).isEmpty();
    }

    // Every way to cut the steps

    @ParameterizedTest
    @EnumSource(
            value = FragmentForm.class,
            names = {"TYPED", "SORTED", "ENCODED", "MERGED"})
    void everyFormStoresTheSame(FragmentForm form, @TempDir Path folder) throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        for (RegionAssignment region : load.regions()) {
            List<Item> items =
                    new ArrayList<>(TestStore.inside(region, TestTable.items(0, 3000, 0)));
            if (form == FragmentForm.TYPED) {
                java.util.Collections.shuffle(items, new java.util.Random(3));
            }
            store.send(load, 0, region.regionId(), form, items);
        }
        assertThat(store.publish(load)).isEqualTo(1);
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 0));
        assertThat(contents(store)).isEqualTo(referenceContents());
    }

    private static List<String> contents(TestStore store) throws IOException {
        List<String> contents = new ArrayList<>();
        try (Stream<Path> files = Files.walk(store.serverFolder().resolve("regions"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".seg")).sorted().toList()) {
                contents.add(HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    private List<String> referenceContents() throws IOException {
        TestStore store = open(Files.createTempDirectory(unused, "reference"));
        store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
        return contents(store);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rawFragmentsAreParsedHereAtOnceOrAtTheEnd(boolean deferSteps, @TempDir Path folder)
            throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR, deferSteps);
        StringBuilder text = new StringBuilder();
        for (Item item : TestTable.items(0, 3000, 0).reversed()) {
            text.append(item.id()).append(',');
            text.append(item.name() == null ? "" : item.name()).append(',');
            text.append(item.amount() == null ? "" : item.amount()).append('\n');
        }
        text.append("2500,bad,number\n");
        List<FragmentAck> acks = sendRaw(store, load, text.toString());
        assertThat(sendRaw(store, load, text.toString()))
                .as("answers to what is sent again")
                .usingRecursiveComparison()
                .isEqualTo(acks);
        List<RegionReceipt> receipts = store.finish(load);
        assertThat(acks.stream().mapToLong(FragmentAck::rowsAccepted).sum())
                .isEqualTo(deferSteps ? 0 : 3000);
        long rejects =
                acks.stream().mapToLong(ack -> ack.rejects().size()).sum()
                        + receipts.stream().mapToLong(r -> r.rejects().size()).sum();
        assertThat(rejects).isEqualTo(1);
        assertThat(receipts).allMatch(receipt -> receipt.times().nanos(StepName.DESERIALIZE) > 0);
        store.publish(load);
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 0));
        assertThat(contents(store)).isEqualTo(referenceContents());
    }

    private static List<FragmentAck> sendRaw(TestStore store, LoadDescriptor load, String csv) {
        byte[] bytes = csv.getBytes(StandardCharsets.UTF_8);
        List<byte[]> starts =
                load.regions().stream().map(region -> region.range().start()).toList();
        List<FragmentAck> acks = new ArrayList<>();
        new RawRouter(
                        TestTable.SCHEMA,
                        load.request().dialect(),
                        load.request().fieldColumns(),
                        load.ordinal(),
                        starts)
                .run(
                        Arrays.copyOf(bytes, bytes.length + 64),
                        0,
                        bytes.length,
                        0,
                        0,
                        4,
                        (region, payload, length, records) ->
                                acks.add(
                                        store.service()
                                                .fragment(
                                                        load.loadId(),
                                                        new FragmentHeader(
                                                                4,
                                                                load.regions()
                                                                        .get(region)
                                                                        .regionId(),
                                                                FragmentForm.RAW,
                                                                records),
                                                        payload,
                                                        length)),
                        reject -> {
                            throw new AssertionError(reject.toString());
                        });
        return acks;
    }

    // Keys that exist already

    @Test
    void policyErrorNamesTheStoredKeyAndNothingBecomesVisible(@TempDir Path folder)
            throws IOException {
        TestStore store = open(folder);
        store.put(TestTable.items(500, 501, 9));
        List<String> before = regionFiles(store);
        assertThatThrownBy(() -> store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0)))
                .isInstanceOf(PenstockException.class)
                .hasMessage("key (id=500) exists already in table items")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.DATA);
        assertThat(store.scan()).isEqualTo(TestTable.items(500, 501, 9));
        assertThat(regionFiles(store)).isEqualTo(before);
        store.service()
                .delete(store.regions().getFirst().regionId(), List.of(TestTable.key(500)), 0);
        store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 0));
    }

    @Test
    void policyKeepFirstKeepsStoredRows(@TempDir Path folder) {
        TestStore store = open(folder);
        store.load(DuplicatePolicy.ERROR, TestTable.items(100, 1500, 1));
        store.put(TestTable.items(1490, 1600, 2));
        LoadDescriptor load = store.begin(DuplicatePolicy.KEEP_FIRST);
        store.send(load, 0, TestTable.items(0, 3000, 3));
        store.send(load, 1, TestTable.items(2900, 3000, 4));
        List<RegionReceipt> receipts = store.finish(load);
        assertThat(receipts.stream().mapToLong(RegionReceipt::rowCount).sum()).isEqualTo(1500);
        assertThat(receipts.stream().mapToLong(RegionReceipt::duplicateRows).sum()).isEqualTo(1600);
        store.publish(load);
        List<Item> wanted = new ArrayList<>();
        wanted.addAll(TestTable.items(0, 100, 3));
        wanted.addAll(TestTable.items(100, 1490, 1));
        wanted.addAll(TestTable.items(1490, 1600, 2));
        wanted.addAll(TestTable.items(1600, 3000, 3));
        assertThat(store.scan()).isEqualTo(wanted);
        store.restartServer();
        assertThat(store.scan()).isEqualTo(wanted);
    }

    @ParameterizedTest
    @EnumSource(
            value = DuplicatePolicy.class,
            names = {"KEEP_LAST", "REPLACE"})
    void otherPoliciesReplaceStoredRowsAndLaterPutsReplaceTheLoad(
            DuplicatePolicy policy, @TempDir Path folder) {
        TestStore store = open(folder);
        store.put(TestTable.items(0, 50, 1));
        LoadDescriptor load = store.begin(policy);
        store.send(load, 1, TestTable.items(20, 40, 3));
        store.send(load, 0, TestTable.items(10, 50, 2));
        store.publish(load);
        store.put(TestTable.items(45, 55, 4));
        List<Item> wanted = new ArrayList<>();
        wanted.addAll(TestTable.items(0, 10, 1));
        wanted.addAll(TestTable.items(10, 20, 2));
        wanted.addAll(TestTable.items(20, 40, 3));
        wanted.addAll(TestTable.items(40, 45, 2));
        wanted.addAll(TestTable.items(45, 55, 4));
        assertThat(store.scan()).isEqualTo(wanted);
        store.restartServer();
        assertThat(store.scan()).isEqualTo(wanted);
    }

    @Test
    void twoLoadsThatBothPrepareAKeyAreNotBothPublished(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor first = store.begin(DuplicatePolicy.ERROR);
        LoadDescriptor second = store.begin(DuplicatePolicy.ERROR);
        store.send(first, 0, TestTable.items(0, 100, 1));
        store.send(second, 0, TestTable.items(99, 200, 2));
        store.finish(first);
        assertThatThrownBy(() -> store.finish(second))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("key (id=99) is also in load " + first.loadId());
        store.publish(first);
        store.metadata().abort(second.loadId());
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 100, 1));
    }

    // Stops in between

    @Test
    void aPreparedLoadSurvivesARestartOfItsServer(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        store.send(load, 0, TestTable.items(0, 3000, 0));
        List<RegionReceipt> receipts = store.finish(load);
        store.restartServer();
        List<RegionReceipt> again = store.finish(load);
        assertThat(rows(again)).isEqualTo(rows(receipts));
        assertThat(again.getFirst().columns()).isEqualTo(receipts.getFirst().columns());
        assertThat(store.publish(load)).isEqualTo(1);
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 0));
    }

    @Test
    void aLoadPublishedWhileItsServerWasDownIsInstalledWhenItStarts(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        store.send(load, 0, TestTable.items(0, 3000, 0));
        Map<Long, Long> rows = rows(store.finish(load));
        store.stopServer();
        assertThat(store.metadata().publish(load.loadId(), rows, "")).isEqualTo(1);
        store.startServer();
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 0));
        store.restartServer();
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 0));
    }

    @Test
    void aLoadAbortedWhileItsServerWasDownIsRemovedWhenItStarts(@TempDir Path folder)
            throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.prepare(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
        store.stopServer();
        store.metadata().abort(load.loadId());
        assertThat(regionFiles(store)).hasSize(3);
        store.startServer();
        assertThat(regionFiles(store)).isEmpty();
        assertThat(store.scan()).isEmpty();
    }

    @Test
    void whatWasNotPreparedIsLostWithTheServerAndTheLoadIsTold(@TempDir Path folder)
            throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        store.send(load, 0, TestTable.items(0, 3000, 0));
        store.restartServer();
        assertThat(stagedFiles(store)).isEmpty();
        assertThatThrownBy(() -> store.finish(load))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("load again");
        assertThatThrownBy(() -> store.send(load, 1, TestTable.items(0, 10, 0)))
                .isInstanceOf(PenstockException.class)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CONFLICT);
    }

    @Test
    void aLoadThatRanWhenTheLeaderStoppedIsRemovedByTheNextHeartbeat(@TempDir Path folder)
            throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.prepare(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
        store.restartLeader();
        store.stopServer();
        store.startServer();
        assertThat(store.metadata().loadState(load.loadId())).isEqualTo(LoadState.ABORTED);
        assertThat(regionFiles(store)).isEmpty();
    }

    @Test
    void aPreparedLoadThatWasAbortedUnheardDoesNotHinderTheNext(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor aborted = store.prepare(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 0));
        store.loseOrders(true);
        store.metadata().abort(aborted.loadId());
        store.loseOrders(false);
        store.load(DuplicatePolicy.ERROR, TestTable.items(0, 3000, 1));
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 1));
    }

    @Test
    void aMissedOrderIsMadeUpForByTheHeartbeat(@TempDir Path folder) throws IOException {
        TestStore store = open(folder);
        store.limitStaging(new StagingLimits(0, 0));
        store.restartServer();
        LoadDescriptor aborted = store.begin(DuplicatePolicy.ERROR);
        store.send(aborted, 0, TestTable.items(0, 3000, 0));
        LoadDescriptor published = store.begin(DuplicatePolicy.ERROR);
        store.send(published, 0, TestTable.items(0, 3000, 1));
        Map<Long, Long> rows = rows(store.finish(published));
        store.loseOrders(true);
        store.metadata().publish(published.loadId(), rows, "");
        store.metadata().abort(aborted.loadId());
        store.loseOrders(false);
        assertThat(stagedFiles(store)).hasSize(2);
        store.node().heartbeat();
        assertThat(stagedFiles(store)).isEmpty();
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 3000, 1));
    }

    @Test
    void aReadAtANewEpochInstallsWhatTheServerWasNotTold(@TempDir Path folder) {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        store.send(load, 0, TestTable.items(0, 3000, 1));
        Map<Long, Long> rows = rows(store.finish(load));
        store.loseOrders(true);
        store.metadata().publish(load.loadId(), rows, "");
        store.loseOrders(false);
        assertThat(store.scan(0)).isEmpty();
        assertThat(store.scan(1)).isEqualTo(TestTable.items(0, 3000, 1));
    }

    @Test
    void aPublishedPartThatIsMissingIsNamedAndItsRegionNotServed(@TempDir Path folder)
            throws IOException {
        TestStore store = open(folder);
        LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
        store.send(load, 0, TestTable.items(0, 3000, 1));
        Map<Long, Long> rows = rows(store.finish(load));
        store.stopServer();
        store.metadata().publish(load.loadId(), rows, "");
        long region = load.regions().getFirst().regionId();
        try (RegionJournal journal =
                RegionJournal.open(new NioStorage(), store.serverFolder().resolve("journal"))) {
            journal.end(region, load.loadId());
        }
        store.startServer();
        assertThatThrownBy(() -> store.openScan(region, 1))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(load.loadId())
                .hasMessageContaining("missing");
        long last = load.regions().getLast().regionId();
        try (ScanCursor cursor = store.openScan(last, 1)) {
            assertThat(cursor.next(TestTable.emptyBatch())).isTrue();
        }
    }
}
