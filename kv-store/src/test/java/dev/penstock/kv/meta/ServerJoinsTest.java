package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Servers that report while the leader waits for one that does not answer. */
@Timeout(60)
final class ServerJoinsTest {
    private static final ServerDescriptor ONE = new ServerDescriptor("one", "host:1");
    private static final ServerDescriptor TWO = new ServerDescriptor("two", "host:2");

    @TempDir Path folder;
    private final Map<String, RecordingRegionService> servers =
            Map.of("one", new RecordingRegionService(), "two", new RecordingRegionService());
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private Instant now = Instant.ofEpochSecond(1_000_000);
    private long lastId;
    private LocalMetadata metadata;

    @BeforeEach
    void open() {
        metadata =
                LocalMetadata.open(
                        new NioStorage(),
                        folder.resolve("metadata"),
                        server -> service(server.serverId()),
                        () -> now,
                        () -> new UUID(0, ++lastId));
        metadata.join(ONE);
        metadata.join(TWO);
    }

    @AfterEach
    void close() {
        thread.close();
        metadata.close();
    }

    private RecordingRegionService service(String serverId) {
        return servers.getOrDefault(serverId, new RecordingRegionService());
    }

    private LoadDescriptor beginIntoTwoRegions() {
        metadata.createTable(TestTable.SCHEMA);
        metadata.preSplit("items", List.of(TestTable.key(1000)));
        assertThat(metadata.regions("items"))
                .extracting(RegionAssignment::server)
                .containsExactlyInAnyOrder(ONE, TWO);
        return metadata.beginLoad(
                new LoadRequest(
                        "items",
                        "",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(0, 1, 2),
                        List.of("a.csv"),
                        false,
                        true,
                        Verification.CHECKSUM,
                        TokenTables.NONE,
                        ""));
    }

    /** Has a server wait with its answer to an order that begins so, while something runs. */
    private void whileItWaits(
            RecordingRegionService server, String order, Runnable change, Runnable meanwhile) {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Consumer<String> waits =
                text -> {
                    if (text.startsWith(order)) {
                        asked.countDown();
                        await(answer);
                    }
                };
        server.onOrder = waits;
        CompletableFuture<Void> changing = CompletableFuture.runAsync(change, thread);
        try {
            await(asked);
            meanwhile.run();
        } finally {
            answer.countDown();
        }
        changing.join();
        server.onOrder = text -> {};
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void triesAgainLater(ServerDescriptor server) {
        assertThatThrownBy(() -> metadata.join(server))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("try again")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.RETRY);
    }

    @Test
    void aServerThatAChangeDoesNotConcernIsAnsweredWhileTheChangeWaitsForAnother() {
        // The first region of the first table goes to the first server.
        whileItWaits(
                service("one"),
                "create",
                () -> metadata.createTable(TestTable.SCHEMA),
                () -> {
                    assertThat(metadata.join(TWO).regionIds()).isEmpty();
                    triesAgainLater(ONE);
                    triesAgainLater(new ServerDescriptor("two", "elsewhere:2"));
                    triesAgainLater(new ServerDescriptor("three", "host:3"));
                });
        assertThat(metadata.join(ONE).regionIds()).hasSize(1);
        assertThat(metadata.join(new ServerDescriptor("two", "elsewhere:2")).regionIds()).isEmpty();
        assertThat(metadata.servers()).contains(new ServerDescriptor("two", "elsewhere:2"));
    }

    @Test
    void aServerThatStartsAnewWhileATableGoesHearsOfItsRegionsOnlyWhenThatIsDecided() {
        LoadDescriptor load = beginIntoTwoRegions();
        RegionAssignment last = metadata.regions("items").getLast();
        whileItWaits(
                service(last.server().serverId()),
                "close",
                () -> metadata.abort(load.loadId()),
                () -> {
                    triesAgainLater(ONE);
                    triesAgainLater(TWO);
                });
        assertThat(metadata.table("items")).isEmpty();
        assertThat(metadata.join(ONE).regionIds()).isEmpty();
        assertThat(metadata.join(TWO).regionIds()).isEmpty();
    }

    @Test
    void aTableWhoseServersAreGoneIsLeftAloneUntilTheyReport() {
        LoadDescriptor load = beginIntoTwoRegions();
        service("two").reachable = false;
        metadata.abort(load.loadId());
        assertThat(metadata.table("items")).isPresent();
        service("one").orders.clear();
        for (int turn = 0; turn < 40; turn++) {
            now = now.plusSeconds(11);
            metadata.join(ONE);
            metadata.abortAbandoned();
        }
        assertThat(service("one").orders).isEmpty();
        service("two").reachable = true;
        metadata.join(TWO);
        metadata.abortAbandoned();
        assertThat(metadata.table("items")).isEmpty();
    }

    @Test
    void aServerThatReportsAndCannotBeReachedIsAskedEverMoreSeldom() {
        LoadDescriptor load = beginIntoTwoRegions();
        service("two").reachable = false;
        metadata.abort(load.loadId());
        service("one").orders.clear();
        for (int turn = 0; turn < 100; turn++) {
            now = now.plus(Duration.ofSeconds(3));
            metadata.join(ONE);
            metadata.join(TWO);
            metadata.abortAbandoned();
        }
        assertThat(service("one").orders)
                .filteredOn(order -> order.startsWith("close"))
                .hasSizeBetween(3, 12);
        long[] regions = metadata.join(ONE).regionIds();
        assertThat(regions).hasSize(1);
        assertThat(service("one").regions).containsKey(regions[0]);
        service("two").reachable = true;
        now = now.plusSeconds(61);
        metadata.join(ONE);
        metadata.join(TWO);
        metadata.abortAbandoned();
        assertThat(metadata.table("items")).isEmpty();
    }

    @Test
    void aServerThatCouldNotBeToldThatATableIsGoneIsToldLater() {
        metadata.abort(beginIntoTwoRegions().loadId());
        assertThat(metadata.table("items")).isEmpty();
        metadata.createTable(TestTable.SCHEMA);
        metadata.preSplit("items", List.of(TestTable.key(1000), TestTable.key(2000)));
        RecordingRegionService two = service("two");
        assertThat(two.regions).isNotEmpty();
        two.reachable = false;
        metadata.dropTable("items");
        assertThat(service("one").regions).isEmpty();
        two.orders.clear();
        for (int turn = 0; turn < 5; turn++) {
            now = now.plusSeconds(3);
            metadata.join(TWO);
            metadata.abortAbandoned();
        }
        two.reachable = true;
        now = now.plusSeconds(61);
        metadata.abortAbandoned();
        assertThat(two.regions).as("it does not report").isNotEmpty();
        metadata.join(TWO);
        metadata.abortAbandoned();
        assertThat(two.regions).isEmpty();
        two.orders.clear();
        now = now.plusSeconds(61);
        metadata.join(TWO);
        metadata.abortAbandoned();
        assertThat(two.orders).as("told twice").isEmpty();
    }
}
