package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.Storage;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the proof of arrival notices: whatever is done to rows between parsing and storing, the load
 * ends with a message that names region and column, and nothing of it is visible.
 */
class ArrivalTest {
    /** The amount of one row of the middle region is a key of that region that no row has. */
    private static final List<Item> ROWS =
            without(
                    replaced(
                            TestTable.items(0, 3000, 0), 1999, new Item(1999, "name-1999-0", 1998)),
                    1998);

    @TempDir Path folder;

    private final List<TestStore> opened = new ArrayList<>();

    private TestStore open(String name) {
        TestStore store = TestStore.open(folder.resolve(name), new NioStorage());
        opened.add(store);
        store.createItems();
        return store;
    }

    @AfterEach
    void closeAll() {
        opened.forEach(TestStore::close);
    }

    /** What may happen to the rows of the middle region. */
    enum Fault {
        LOSE_ONE,
        LOSE_THE_LAST,
        DOUBLE_ONE_FOR_ANOTHER,
        ALTER_A_NUMBER,
        ALTER_A_TEXT,
        ALTER_A_KEY,
        NULL_A_NUMBER,
        NULL_A_TEXT,
        SWAP_COLUMNS
    }

    private static List<Item> apply(Fault fault, List<Item> rows) {
        return switch (fault) {
            case LOSE_ONE -> without(rows, 400);
            case LOSE_THE_LAST -> without(rows, rows.size() - 1);
            case DOUBLE_ONE_FOR_ANOTHER -> replaced(rows, 400, copyOf(rows.get(401), 1400));
            case ALTER_A_NUMBER -> replaced(rows, 7, new Item(1007, rows.get(7).name(), 1));
            case ALTER_A_TEXT -> replaced(rows, 7, new Item(1007, "name-1007-1", 3021));
            case ALTER_A_KEY -> replaced(without(rows, 8), 7, copyOf(rows.get(7), 1008));
            case NULL_A_NUMBER -> replaced(rows, 6, new Item(1006, rows.get(6).name(), null));
            case NULL_A_TEXT -> replaced(rows, 6, new Item(1006, null, 3018));
            case SWAP_COLUMNS -> swapped(rows);
        };
    }

    /** The columns that it changes. */
    private static List<String> columns(Fault fault) {
        return switch (fault) {
            case LOSE_ONE, LOSE_THE_LAST -> List.of("id", "name", "amount");
            case DOUBLE_ONE_FOR_ANOTHER -> List.of("name", "amount");
            case ALTER_A_NUMBER, NULL_A_NUMBER -> List.of("amount");
            case ALTER_A_TEXT, NULL_A_TEXT -> List.of("name");
            case ALTER_A_KEY -> List.of("id");
            case SWAP_COLUMNS -> List.of("id", "amount");
        };
    }

    private static Item copyOf(Item item, long id) {
        return new Item(id, item.name(), item.amount());
    }

    private static List<Item> without(List<Item> rows, int index) {
        List<Item> fewer = new ArrayList<>(rows);
        fewer.remove(index);
        return fewer;
    }

    private static List<Item> replaced(List<Item> rows, int index, Item item) {
        List<Item> changed = new ArrayList<>(rows);
        changed.set(index, item);
        return changed;
    }

    /** Its key where the last row's amount was, and the other way round. */
    private static List<Item> swapped(List<Item> rows) {
        Item last = rows.getLast();
        return replaced(rows, rows.size() - 1, new Item(1998, last.name(), (int) last.id()));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFaultIsNoticedAndItsRegionAndColumnsAreNamed(Fault fault) {
        TestStore store = open("store");
        LoadDescriptor load = begin(store, DuplicatePolicy.ERROR, Verification.CHECKSUM);
        for (RegionAssignment region : load.regions()) {
            List<Item> parsed = TestStore.inside(region, ROWS);
            boolean middle = parsed.contains(ROWS.get(1500));
            send(store, load, 0, region, parsed, middle ? apply(fault, parsed) : parsed);
        }
        PenstockException failure = failure(store, load);
        assertThat(failure.category()).isEqualTo(ErrorCategory.CORRUPT);
        assertThat(failure)
                .hasMessageContaining("region " + load.regions().get(1).regionId() + " of table")
                .hasMessageContaining(load.loadId());
        columns(fault).forEach(column -> assertThat(failure).hasMessageContaining(column));
        store.metadata().abort(load.loadId());
        assertThat(store.scan()).isEmpty();
    }

    @Test
    void aLostRowIsNoticedByItsFragmentsHeaderAlready() {
        TestStore store = open("store");
        LoadDescriptor load = begin(store, DuplicatePolicy.ERROR, Verification.CHECKSUM);
        RegionAssignment region = load.regions().getFirst();
        List<Item> parsed = TestStore.inside(region, ROWS);
        ColumnSums sums = sums(parsed);
        assertThatThrownBy(() -> send(store, load, region, without(parsed, 3), 0, sums))
                .hasMessageContaining("1000 rows where 3 columns and 999 rows are due");
        assertThatThrownBy(() -> send(store, load, region, parsed, 0, ColumnSums.NONE))
                .hasMessageContaining("comes with checksums of 0 columns");
    }

    @Test
    void valuesThatChangedRegionsAreNoticedInBoth() {
        TestStore store = open("store");
        LoadDescriptor load = begin(store, DuplicatePolicy.ERROR, Verification.CHECKSUM);
        for (RegionAssignment region : load.regions()) {
            List<Item> parsed = TestStore.inside(region, ROWS);
            List<Item> sent = new ArrayList<>(parsed);
            sent.replaceAll(item ->
                    switch ((int) item.id()) {
                        case 501 -> new Item(501, "name-1501-0", item.amount());
                        case 1501 -> new Item(1501, "name-501-0", item.amount());
                        default -> item;
                    });
            send(store, load, 0, region, parsed, sent);
        }
        for (int i = 0; i < 2; i++) {
            long id = load.regions().get(i).regionId();
            assertThatThrownBy(() -> store.service().finish(load.loadId(), List.of(id)))
                    .hasMessageContaining("region " + id + " of table items")
                    .hasMessageContaining("column name of its");
        }
        long last = load.regions().getLast().regionId();
        assertThat(store.service().finish(load.loadId(), List.of(last))).hasSize(1);
    }

    @Test
    void withoutVerificationNobodyLooks() {
        TestStore store = open("store");
        LoadDescriptor load = begin(store, DuplicatePolicy.ERROR, Verification.OFF);
        RegionAssignment region = load.regions().getFirst();
        List<Item> rows = TestStore.inside(region, ROWS);
        send(store, load, region, rows, 0, ColumnSums.NONE);
        assertThat(store.finish(load)).allMatch(receipt -> receipt.stored().isNone());
    }

    @ParameterizedTest
    @EnumSource(
            value = DuplicatePolicy.class,
            names = {"KEEP_FIRST", "KEEP_LAST", "REPLACE"})
    void whatDuplicatesLoseIsSubtracted(DuplicatePolicy policy) {
        TestStore store = open("store");
        store.load(DuplicatePolicy.ERROR, TestTable.items(100, 1500, 1));
        store.put(TestTable.items(1490, 1600, 2));
        for (Verification verification : List.of(Verification.CHECKSUM, Verification.FULL)) {
            LoadDescriptor load = begin(store, policy, verification);
            ColumnSums parsed = new ColumnSums(3);
            for (RegionAssignment region : load.regions()) {
                for (int chunk = 0; chunk < 3; chunk++) {
                    List<Item> rows =
                            TestStore.inside(
                                    region, TestTable.items(chunk * 700L, 2800, 3 + chunk));
                    send(store, load, chunk, region, rows, rows);
                    parsed.add(sums(rows));
                }
            }
            ColumnSums accounted = new ColumnSums(3);
            for (RegionReceipt receipt : store.finish(load)) {
                assertThat(receipt.stored().rowCount()).isEqualTo(receipt.rowCount());
                assertThat(receipt.dropped().rowCount()).isEqualTo(receipt.duplicateRows());
                accounted.add(receipt.stored());
                accounted.add(receipt.dropped());
            }
            assertThat(accounted).isEqualTo(parsed);
            store.metadata().abort(load.loadId());
        }
    }

    @Test
    void verifyComparesWhatIsStoredWithWhatTheLoadBrought() throws IOException {
        TestStore store = open("store");
        load(store, ROWS);
        assertThat(checksums(store).stream().mapToLong(RegionChecksum::provenRows).sum())
                .isEqualTo(ROWS.size());
        TestStore other = open("other");
        load(other, replaced(ROWS, 7, new Item(7, null, 23)));
        Map<Path, Path> files = segments(store);
        Map<Path, Path> others = segments(other);
        assertThat(files.keySet()).isEqualTo(others.keySet());
        store.stopServer();
        for (Path name : files.keySet()) {
            Files.copy(others.get(name), files.get(name), StandardCopyOption.REPLACE_EXISTING);
        }
        store.startServer();
        assertThatThrownBy(() -> checksums(store))
                .hasMessageContaining("region " + store.regions().getFirst().regionId() + " of")
                .hasMessageContaining(".seg: column amount is not what the load brought");
    }

    @Test
    void aStoredBitThatFlipsBeforeItIsReadBackIsNoticed() {
        TestStore store = TestStore.open(folder.resolve("store"), flipping(new NioStorage()));
        opened.add(store);
        store.createItems();
        LoadDescriptor load = begin(store, DuplicatePolicy.ERROR, Verification.FULL);
        for (RegionAssignment region : load.regions()) {
            List<Item> rows = TestStore.inside(region, ROWS);
            send(store, load, 0, region, rows, rows);
        }
        assertThat(failure(store, load))
                .hasMessageContaining(".seg")
                .hasMessageContaining("column");
        store.metadata().abort(load.loadId());
        assertThat(store.scan()).isEmpty();
    }

    /** Flips a bit of every segment file before it is read. */
    private static Storage flipping(Storage inner) {
        return (Storage)
                Proxy.newProxyInstance(
                        Storage.class.getClassLoader(),
                        new Class<?>[] {Storage.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("map")
                                    && arguments[0] instanceof Path file
                                    && file.toString().endsWith(".seg")) {
                                byte[] bytes = Files.readAllBytes(file);
                                bytes[100] ^= 4;
                                Files.write(file, bytes);
                            }
                            try {
                                return method.invoke(inner, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private static PenstockException failure(TestStore store, LoadDescriptor load) {
        return catchThrowableOfType(PenstockException.class, () -> store.finish(load));
    }

    private static void load(TestStore store, List<Item> rows) {
        LoadDescriptor load = begin(store, DuplicatePolicy.ERROR, Verification.CHECKSUM);
        for (RegionAssignment region : load.regions()) {
            List<Item> inside = TestStore.inside(region, rows);
            send(store, load, 0, region, inside, inside);
        }
        store.publish(load);
    }

    private static List<RegionChecksum> checksums(TestStore store) {
        return store.regions().stream()
                .map(region ->
                        store.service().checksum(region.regionId(), store.metadata().epoch()))
                .toList();
    }

    /** Segment files by their place in the store. */
    private static Map<Path, Path> segments(TestStore store) throws IOException {
        Map<Path, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(store.serverFolder())) {
            files.filter(file -> file.toString().endsWith(".seg"))
                    .forEach(file -> found.put(store.serverFolder().relativize(file), file));
        }
        return found;
    }

    private static LoadDescriptor begin(
            TestStore store, DuplicatePolicy duplicates, Verification verification) {
        return store.metadata()
                .beginLoad(TestTable.request("items", "", duplicates, verification, ""));
    }

    private static ColumnSums sums(List<Item> rows) {
        ColumnSums sums = new ColumnSums(3);
        sums.add(TestTable.batch(rows), new ColumnHashes());
        return sums;
    }

    /** Sends rows as if those that were parsed were others, as many. */
    private static void send(
            TestStore store,
            LoadDescriptor load,
            int chunkId,
            RegionAssignment region,
            List<Item> parsed,
            List<Item> sent) {
        if (!sent.isEmpty()) {
            ColumnSums claimed = ColumnSums.of(sent.size(), sums(parsed).columns());
            send(store, load, region, sent, chunkId, claimed);
        }
    }

    private static void send(
            TestStore store,
            LoadDescriptor load,
            RegionAssignment region,
            List<Item> rows,
            int chunkId,
            ColumnSums sums) {
        Encode.Choice[] choices = new Encode.Choice[3];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        ByteBuilder image = new ByteBuilder(1024);
        new Encode(TestTable.SCHEMA)
                .run(
                        TestTable.batch(rows),
                        0,
                        rows.size(),
                        choices,
                        true,
                        new SegmentIdentity(1, 2, chunkId),
                        image);
        store.service()
                .fragment(
                        load.loadId(),
                        new FragmentHeader(
                                chunkId,
                                region.regionId(),
                                FragmentForm.ENCODED,
                                rows.size(),
                                sums),
                        image.array(),
                        image.length());
    }
}
