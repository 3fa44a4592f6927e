package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.storage.FaultyStorage;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

class LocalMetadataTest {
    private static final TableSchema SCHEMA =
            TableSchema.declare(
                    "Orders",
                    List.of(new Column("id", new ColumnType.BigIntType(), false)),
                    List.of(new KeyColumn(0, false)));

    @TempDir Path folder;
    private final FaultyStorage storage = new FaultyStorage(new NioStorage());
    private final Map<String, RecordingRegionService> servers = new HashMap<>();
    private final List<LocalMetadata> opened = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1_000_000);
    private Duration leaseRunOut = Duration.ZERO;
    private long lastId;

    @BeforeEach
    void twoServers() {
        servers.put("one", new RecordingRegionService());
        servers.put("two", new RecordingRegionService());
    }

    private LocalMetadata open() {
        InstantSource clock = () -> now;
        LocalMetadata metadata =
                LocalMetadata.open(
                        storage,
                        folder.resolve("metadata"),
                        server -> service(server.serverId()),
                        clock,
                        () -> new UUID(0, ++lastId),
                        leaseRunOut,
                        logLimit());
        opened.add(metadata);
        return metadata;
    }

    /** Bytes beyond which the log is written anew. */
    long logLimit() {
        return FileMetadataLog.FIRST_LIMIT_BYTES;
    }

    private LocalMetadata openWithServers() {
        LocalMetadata metadata = open();
        metadata.join(new ServerDescriptor("one", "host:1"));
        metadata.join(new ServerDescriptor("two", "host:2"));
        return metadata;
    }

    @AfterEach
    void closeAll() {
        opened.forEach(LocalMetadata::close);
    }

    private RecordingRegionService service(String serverId) {
        RecordingRegionService service = servers.get(serverId);
        assertThat(service).isNotNull();
        return service == null ? new RecordingRegionService() : service;
    }

    private static LoadRequest request() {
        return request("", false);
    }

    private static LoadRequest request(String label, boolean createsTable) {
        return request("orders", label, createsTable);
    }

    private static LoadRequest request(String table, String label, boolean createsTable) {
        return new LoadRequest(
                table,
                label,
                DuplicatePolicy.ERROR,
                Dialect.csv(),
                List.of(0),
                List.of("a.csv"),
                false,
                createsTable,
                Verification.CHECKSUM,
                TokenTables.NONE,
                "");
    }

    private static Map<Long, Long> rows(LoadDescriptor load, long each) {
        Map<Long, Long> rows = new HashMap<>();
        load.regions().forEach(region -> rows.put(region.regionId(), each));
        return rows;
    }

    private static byte[] point(int value) {
        return new byte[] {(byte) value};
    }

    /** Whoever may only ask about one table need not know of the others. */
    @Test
    void thatThereIsNoSuchTableSaysNothingOfOthers() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(
                        () -> metadata.regions("nope"),
                        () -> metadata.preSplit("nope", List.of()),
                        () -> metadata.beginLoad(request("nope", "", false)))) {
            assertThatThrownBy(call).hasMessage("there is no table nope");
        }
    }

    @Test
    void aTableSurvivesARestartAndItsNameIgnoresCase() {
        LocalMetadata before = openWithServers();
        before.createTable(SCHEMA);
        LocalMetadata after = open();
        assertThat(after.table("ORDERS")).isEqualTo(before.table("orders")).isPresent();
        assertThat(after.regions("orders")).isEqualTo(before.regions("orders")).hasSize(1);
        assertThat(after.regions("orders").getFirst().range()).isEqualTo(KeyRange.ALL);
        assertThatThrownBy(() -> after.createTable(SCHEMA))
                .isInstanceOf(PenstockException.class)
                .hasMessage("table Orders exists already");
    }

    @Test
    void aDroppedTableIsGoneAndItsRegionsAreDropped() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        assertThat(metadata.dropTable("orders")).isTrue();
        assertThat(metadata.dropTable("orders")).isFalse();
        assertThat(metadata.tables()).isEmpty();
        assertThat(service("one").regions).isEmpty();
        assertThat(open().tables()).isEmpty();
    }

    @Test
    void withoutAServerNoTableCanBeCreated() {
        assertThatThrownBy(() -> open().createTable(SCHEMA))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("no region server has joined");
    }

    @Test
    void aPreSplitSpreadsPartsEvenlyAndCoversAllKeys() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        List<RegionAssignment> regions =
                metadata.preSplit(
                        "orders", List.of(point(10), point(20), point(30), point(40), point(50)));
        assertThat(regions).hasSize(6);
        assertThat(regions.getFirst().range().start()).isEmpty();
        assertThat(regions.getLast().range().end()).isEmpty();
        for (int i = 1; i < regions.size(); i++) {
            assertThat(regions.get(i).range().start()).isEqualTo(regions.get(i - 1).range().end());
        }
        assertThat(service("one").regions).hasSize(3);
        assertThat(service("two").regions).hasSize(3);
        assertThat(open().regions("orders")).isEqualTo(regions);
    }

    @Test
    void aRegionWithRowsStaysWhole() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        List<RegionAssignment> halves = metadata.preSplit("orders", List.of(point(100)));
        servers.values().forEach(s -> s.filled.add(halves.getFirst().regionId()));
        List<RegionAssignment> regions =
                metadata.preSplit("orders", List.of(point(50), point(100), point(150)));
        assertThat(regions).hasSize(3).contains(halves.getFirst());
    }

    @Test
    void anUnwrittenSplitLeavesTheOldRegionOpen() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        List<RegionAssignment> before = metadata.regions("orders");
        storage.failCall(1);
        assertThatThrownBy(() -> metadata.preSplit("orders", List.of(point(1))))
                .hasMessageContaining("injected");
        assertThat(metadata.regions("orders")).isEqualTo(before);
        assertThat(service("one").orders).endsWith("create " + before.getFirst().regionId());
    }

    @Test
    void aLoadIsPublishedAtTheNextEpochAndOnlyOnce() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        metadata.preSplit("orders", List.of(point(100)));
        LoadDescriptor load = metadata.beginLoad(request("monday", false));
        assertThat(metadata.loadState(load.loadId())).isEqualTo(LoadState.RUNNING);
        assertThat(service("one").orders).contains("open " + load.loadId());
        assertThat(metadata.publish(load.loadId(), rows(load, 5), "")).isEqualTo(1);
        assertThat(metadata.publish(load.loadId(), rows(load, 5), "")).isEqualTo(1);
        assertThat(service("two").orders).endsWith("install " + load.loadId() + " 1");
        LocalMetadata after = open();
        assertThat(after.epoch()).isEqualTo(1);
        assertThat(after.loadState(load.loadId())).isEqualTo(LoadState.PUBLISHED);
        PublishedLoad published = after.publishedSince(0).loads().getFirst();
        assertThat(published.rowCount()).isEqualTo(10);
        assertThat(published.label()).isEqualTo("monday");
        assertThat(after.publishedSince(1).loads()).isEmpty();
        assertThatThrownBy(() -> after.abort(load.loadId())).hasMessageContaining("published");
    }

    @Test
    void aTableTakesOneLoadOfALabelAndRemembersItsReport() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadRequest monday = request("monday", false);
        LoadDescriptor load = metadata.beginLoad(monday);
        assertThatThrownBy(() -> metadata.beginLoad(monday))
                .hasMessageContaining("a load labelled 'monday' into table Orders is running")
                .hasMessageContaining(load.loadId());
        metadata.beginLoad(request("tuesday", false));
        assertThat(metadata.labelled("orders", "monday")).isEmpty();
        metadata.publish(load.loadId(), rows(load, 5), "the report");
        LabelledLoad published = new LabelledLoad(load.loadId(), 1, "the report");
        assertThat(metadata.labelled("ORDERS", "monday")).contains(published);
        assertThatThrownBy(() -> metadata.beginLoad(monday))
                .hasMessage(
                        "a load labelled 'monday' into table Orders has been published already");
        LocalMetadata after = open();
        assertThat(after.labelled("orders", "monday")).contains(published);
        assertThat(after.labelled("orders", "tuesday")).isEmpty();
        after.join(new ServerDescriptor("one", "host:1"));
        after.dropTable("orders");
        assertThat(after.labelled("orders", "monday")).isEmpty();
        after.createTable(SCHEMA);
        assertThat(after.labelled("orders", "monday")).isEmpty();
        assertThat(after.beginLoad(monday).ordinal()).isEqualTo(load.ordinal() + 2);
    }

    @Test
    void aLoadWhoseLoaderIsSilentGivesWayToTheNextOfItsLabel() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadRequest monday = request("monday", false);
        LoadDescriptor lost = metadata.beginLoad(monday);
        LoadDescriptor other = metadata.beginLoad(request("", false));
        now = now.plusSeconds(15);
        assertThatThrownBy(() -> metadata.beginLoad(monday)).hasMessageContaining("is running");
        now = now.plusSeconds(1);
        LoadDescriptor next = metadata.beginLoad(monday);
        assertThat(metadata.loadState(lost.loadId())).isEqualTo(LoadState.ABORTED);
        assertThat(metadata.loadState(other.loadId())).isEqualTo(LoadState.RUNNING);
        assertThat(metadata.loadState(next.loadId())).isEqualTo(LoadState.RUNNING);
    }

    @Test
    void aTableThatALoadCreatedGoesWithTheLoad() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        List<RegionAssignment> regions = metadata.preSplit("orders", List.of(point(100)));
        LoadDescriptor load = metadata.beginLoad(request("", true));
        LoadDescriptor second = metadata.beginLoad(request("", false));
        metadata.abort(load.loadId());
        assertThat(metadata.table("orders")).isPresent();
        metadata.abort(second.loadId());
        assertThat(metadata.table("orders")).isPresent();
        metadata.dropUnloadedTables();
        assertThat(metadata.table("orders")).isEmpty();
        for (RegionAssignment region : regions) {
            assertThat(service(region.server().serverId()).orders)
                    .contains("close " + region.regionId(), "drop " + region.regionId());
        }
        assertThat(open().table("orders")).isEmpty();
    }

    @Test
    void aTableThatALoadCreatedStaysIfSomebodyStoredRowsInIt() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        List<RegionAssignment> regions = metadata.preSplit("orders", List.of(point(100)));
        RegionAssignment second = regions.get(1);
        service(second.server().serverId()).filled.add(second.regionId());
        LoadDescriptor load = metadata.beginLoad(request("", true));
        metadata.abort(load.loadId());
        assertThat(metadata.table("orders")).isPresent();
        RegionAssignment first = regions.getFirst();
        assertThat(service(first.server().serverId()).orders)
                .endsWith("close " + first.regionId(), "create " + first.regionId());
    }

    @Test
    void aRegionThatCouldNotBeOpenedAgainIsOpenedTheNextTime() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        List<RegionAssignment> regions = metadata.preSplit("orders", List.of(point(100)));
        RegionAssignment first = regions.getFirst();
        RegionAssignment second = regions.get(1);
        assertThat(first.server()).isNotEqualTo(second.server());
        RecordingRegionService lost = service(first.server().serverId());
        RecordingRegionService full = service(second.server().serverId());
        full.filled.add(second.regionId());
        full.onOrder = order -> lost.reachable = !order.startsWith("close");
        LoadDescriptor load = metadata.beginLoad(request("", true));
        metadata.abort(load.loadId());
        assertThat(lost.orders).endsWith("close " + first.regionId());
        full.onOrder = order -> {};
        lost.reachable = true;
        metadata.dropUnloadedTables();
        assertThat(lost.orders).endsWith("create " + first.regionId());
        assertThat(metadata.table("orders")).isPresent();
    }

    @Test
    void aTableOfALoadThatAStopEndedGoesAsSoonAsItsServersCanBeAsked() {
        LocalMetadata before = openWithServers();
        before.createTable(SCHEMA);
        before.beginLoad(request("", true));
        LocalMetadata after = open();
        servers.values().forEach(server -> server.reachable = false);
        after.dropUnloadedTables();
        assertThat(after.table("orders")).isPresent();
        servers.values().forEach(server -> server.reachable = true);
        after.join(new ServerDescriptor("one", "host:1"));
        after.join(new ServerDescriptor("two", "host:2"));
        after.abortAbandoned();
        assertThat(after.table("orders")).isEmpty();
    }

    @Test
    void aTableThatALoadCreatedAndAnotherLoadedStays() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request("", true));
        LoadDescriptor other = metadata.beginLoad(request("", false));
        metadata.publish(other.loadId(), rows(other, 1), "");
        metadata.abort(load.loadId());
        assertThat(metadata.table("orders")).isPresent();
        assertThat(open().table("orders")).isPresent();
    }

    @Test
    void aServerHasNoLeaseFromBeforeTheCommitUntilTheLoadIsInstalled() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        metadata.preSplit("orders", List.of(point(100)));
        LoadDescriptor load = metadata.beginLoad(request());
        List<String> seen = new ArrayList<>();
        servers.forEach((id, server) ->
                server.onOrder =
                        order -> {
                            boolean lease =
                                    metadata.join(new ServerDescriptor(id, "host:9"))
                                            .report()
                                            .lease();
                            seen.add(order.split(" ")[0] + " " + metadata.epoch() + " " + lease);
                        });
        metadata.publish(load.loadId(), rows(load, 5), "");
        assertThat(seen)
                .containsExactly(
                        "revoke 0 false", "revoke 0 false", "install 1 false", "install 1 false");
        assertThat(metadata.join(new ServerDescriptor("one", "host:9")).report().lease()).isTrue();
    }

    @Test
    void publishingWaitsForTheLeaseOfAServerThatCannotBeTold() {
        leaseRunOut = Duration.ofMillis(400);
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request());
        servers.values().forEach(server -> server.reachable = false);
        long granted = System.nanoTime();
        metadata.join(new ServerDescriptor("one", "host:1"));
        metadata.join(new ServerDescriptor("two", "host:2"));
        assertThat(metadata.publish(load.loadId(), rows(load, 1), "")).isEqualTo(1);
        assertThat(System.nanoTime() - granted).isGreaterThanOrEqualTo(leaseRunOut.toNanos());
    }

    @Test
    void aLeaderThatStartsCountsOnLeasesThatItDoesNotKnowOf() throws InterruptedException {
        long start = System.nanoTime();
        ReadLeases leases = new ReadLeases(Duration.ofMillis(200));
        leases.awaitRunOut("whoever");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000);
    }

    @Test
    void aLoadWithAnUnpreparedRegionIsNotPublished() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request());
        assertThatThrownBy(() -> metadata.publish(load.loadId(), Map.of(), ""))
                .isInstanceOf(PenstockException.class)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CONFLICT);
        assertThat(metadata.epoch()).isZero();
    }

    /** Whoever publishes may not have asked all regions to prepare the load, or lie about it. */
    @Test
    void aLoadThatAServerHasNotPreparedIsNotPublished() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        metadata.preSplit(SCHEMA.name(), List.of(point(10)));
        LoadDescriptor load = metadata.beginLoad(request());
        long last = load.regions().getLast().regionId();
        servers.values().forEach(server -> server.unprepared.add(last));
        assertThatThrownBy(() -> metadata.publish(load.loadId(), rows(load, 1), ""))
                .hasMessageContaining("has not prepared it");
        assertThat(metadata.epoch()).isZero();
        servers.values().forEach(server -> server.unprepared.clear());
        assertThat(metadata.publish(load.loadId(), rows(load, 1), "")).isEqualTo(1);
    }

    /** The second call finds nothing prepared any more. */
    @Test
    void aLoadThatIsPublishedTwiceAtATimeIsPublishedOnce() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request());
        RecordingRegionService first = service(load.servers().getFirst().serverId());
        long region = load.regions().getFirst().regionId();
        first.onOrder =
                order -> {
                    if (order.equals("revoke")) {
                        first.onOrder = other -> {};
                        assertThat(metadata.publish(load.loadId(), rows(load, 1), "")).isOne();
                        first.unprepared.add(region);
                    }
                };
        assertThat(metadata.publish(load.loadId(), rows(load, 1), "")).isOne();
        assertThat(metadata.epoch()).isOne();
    }

    @Test
    void moreSplitPointsThanAnybodyNeedsAreRefusedBeforeRegionsAreMade() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        int regions = servers.values().stream().mapToInt(server -> server.regions.size()).sum();
        List<byte[]> many = new ArrayList<>();
        for (int i = 0; i <= 1 << 14; i++) {
            many.add(new byte[] {1, (byte) (i >> 8), (byte) i});
        }
        List<byte[]> large = List.of(new byte[20 << 20], new byte[21 << 20]);
        for (List<byte[]> points : List.of(many, large)) {
            assertThatThrownBy(() -> metadata.preSplit(SCHEMA.name(), points))
                    .hasMessageContaining("too many split points");
        }
        assertThat(servers.values().stream().mapToInt(server -> server.regions.size()).sum())
                .isEqualTo(regions);
    }

    @Test
    void aServerThatCannotBeToldDoesNotHinderPublishing() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request());
        servers.values().forEach(server -> server.reachable = false);
        assertThat(metadata.publish(load.loadId(), rows(load, 1), "")).isEqualTo(1);
        assertThat(metadata.untold()).hasSize(1);
        assertThat(metadata.status().servers()).noneMatch(server -> server.reachable());
    }

    @Test
    void aLoadWhoseServerCannotOpenItIsAborted() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        servers.values().forEach(server -> server.reachable = false);
        assertThatThrownBy(() -> metadata.beginLoad(request())).hasMessage("cannot be reached");
        assertThat(metadata.status().runningLoads()).isEmpty();
    }

    @Test
    void loadsThatRanWhenTheLeaderStoppedAreAborted() {
        LocalMetadata before = openWithServers();
        before.createTable(SCHEMA);
        LoadDescriptor load = before.beginLoad(request());
        LocalMetadata after = open();
        assertThat(after.loadState(load.loadId())).isEqualTo(LoadState.ABORTED);
        assertThatThrownBy(() -> after.publish(load.loadId(), rows(load, 1), ""))
                .hasMessage("load " + load.loadId() + " was aborted");
        after.join(new ServerDescriptor("one", "host:1"));
        assertThat(after.beginLoad(request()).ordinal()).isEqualTo(load.ordinal() + 1);
    }

    @Test
    void aLoadIsAbortedWhenItsLoaderHasNotBeenHeardOfForAMinute() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor abandoned = metadata.beginLoad(request());
        LoadDescriptor alive = metadata.beginLoad(request());
        now = now.plusSeconds(59);
        metadata.abortAbandoned();
        assertThat(metadata.signOfLife(alive.loadId(), MetadataService.FIRST_LOADER))
                .isEqualTo(LoadState.RUNNING);
        assertThat(metadata.status().runningLoads()).hasSize(2);
        now = now.plusSeconds(2);
        metadata.abortAbandoned();
        assertThat(metadata.loadState(abandoned.loadId())).isEqualTo(LoadState.ABORTED);
        assertThat(metadata.loadState(alive.loadId())).isEqualTo(LoadState.RUNNING);
    }

    private LocalMetadata restarted(Duration longestWait) {
        LocalMetadata after = open();
        after.join(new ServerDescriptor("one", "host:1"));
        after.endUnfinishedAfter(longestWait);
        return after;
    }

    private static RunningLoad running(LocalMetadata metadata, LoadDescriptor load) {
        return metadata.runningLoads("orders").stream()
                .filter(one -> one.loadId().equals(load.loadId()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLoadThatNobodyResumesIsAbortedOnlyAfterTheTimeThatIsSet() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor left = metadata.beginLoad(request("left", false).withPlan("a plan"));
        LoadDescriptor resumed = metadata.beginLoad(request("resumed", false).withPlan("a plan"));
        Instant begun = now;
        now = now.plusSeconds(61);
        metadata.abortAbandoned();
        now = now.plus(Duration.ofDays(400));
        metadata.abortAbandoned();
        assertThat(metadata.status().runningLoads()).as("no time is set").hasSize(2);
        now = begun.plus(Duration.ofDays(7));
        metadata.endUnfinishedAfter(Duration.ofDays(7));
        metadata.abortAbandoned();
        assertThat(metadata.status().runningLoads()).as("exactly seven days").hasSize(2);
        metadata.resumeLoad(resumed.loadId(), 2);
        now = now.plusSeconds(1);
        metadata.abortAbandoned();
        assertThat(metadata.loadState(left.loadId())).isEqualTo(LoadState.ABORTED);
        assertThat(metadata.loadState(resumed.loadId())).isEqualTo(LoadState.RUNNING);
        metadata.releaseLoad(resumed.loadId(), 2);
        now = now.plus(Duration.ofDays(7)).minusSeconds(1);
        metadata.abortAbandoned();
        assertThat(metadata.loadState(resumed.loadId()))
                .as("its time began anew")
                .isEqualTo(LoadState.RUNNING);
        now = now.plusMillis(1);
        metadata.abortAbandoned();
        assertThat(metadata.loadState(resumed.loadId())).isEqualTo(LoadState.ABORTED);
    }

    @Test
    void restartsOfTheLeaderDoNotProlongTheWaitForALoad() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request("left", false).withPlan("a plan"));
        now = now.plusSeconds(30);
        metadata.checkpoint(load.loadId(), MetadataService.FIRST_LOADER, new byte[1]);
        Instant last = now;
        now = now.plusSeconds(61);
        metadata.abortAbandoned();
        for (int day = 1; day < 7; day++) {
            now = last.plus(Duration.ofDays(day));
            metadata = restarted(Duration.ofDays(7));
            metadata.abortAbandoned();
            assertThat(running(metadata, load).waiting()).isTrue();
            assertThat(running(metadata, load).heard()).isEqualTo(Optional.of(last));
        }
        now = last.plus(Duration.ofDays(7)).plusMillis(1);
        metadata.abortAbandoned();
        assertThat(metadata.loadState(load.loadId())).isEqualTo(LoadState.ABORTED);
    }

    @Test
    void aLeaderThatWasDownForLongLeavesAnHourToResumeWhatWouldHaveExpired() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request("left", false).withPlan("a plan"));
        metadata.abortAbandoned();
        now = now.plus(Duration.ofDays(30));
        LocalMetadata after = restarted(Duration.ofDays(7));
        now = now.plus(Duration.ofHours(1));
        after.abortAbandoned();
        assertThat(after.loadState(load.loadId())).isEqualTo(LoadState.RUNNING);
        now = now.plusMillis(1);
        after.abortAbandoned();
        assertThat(after.loadState(load.loadId())).isEqualTo(LoadState.ABORTED);
    }

    @Test
    void aLoadOfWhichNothingIsRecordedWaitsFromTheStartOfTheLeaderOn() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request("left", false).withPlan("a plan"));
        now = now.plus(Duration.ofDays(30));
        LocalMetadata after = restarted(Duration.ofDays(7));
        assertThat(running(after, load).waiting()).isTrue();
        assertThat(running(after, load).heard()).isEqualTo(Optional.empty());
        now = now.plus(Duration.ofDays(7));
        after.abortAbandoned();
        assertThat(after.loadState(load.loadId())).isEqualTo(LoadState.RUNNING);
        now = now.plusMillis(1);
        after.abortAbandoned();
        assertThat(after.loadState(load.loadId())).isEqualTo(LoadState.ABORTED);
    }

    @Test
    void aLoadThatWorksForDaysHasItsTimeRecordedEveryHour() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request("long", false).withPlan("a plan"));
        for (int minute = 0; minute < 180; minute++) {
            now = now.plusSeconds(60);
            metadata.signOfLife(load.loadId(), MetadataService.FIRST_LOADER);
            metadata.abortAbandoned();
        }
        assertThat(running(metadata, load).waiting()).isFalse();
        assertThat(running(metadata, load).heard()).isEqualTo(Optional.of(now));
        assertThat(running(open(), load).heard().orElseThrow())
                .isBetween(now.minus(Duration.ofHours(1)), now);
    }

    @Test
    void aLoadWaitsExactlyWhileItsLoaderIsSilentAndAnotherMayResumeIt() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request("monday", false).withPlan("a plan"));
        LoadDescriptor other = metadata.beginLoad(request("", false));
        assertThat(running(metadata, load).waiting()).isFalse();
        now = now.plusSeconds(16);
        assertThat(running(metadata, load).waiting()).isTrue();
        assertThat(running(metadata, other).waiting()).as("cannot be resumed").isFalse();
        metadata.signOfLife(load.loadId(), MetadataService.FIRST_LOADER);
        assertThat(running(metadata, load).waiting()).isFalse();
        metadata.releaseLoad(load.loadId(), MetadataService.FIRST_LOADER);
        assertThat(running(metadata, load).waiting()).isTrue();
        metadata.resumeLoad(load.loadId(), 2);
        assertThat(metadata.status().runningLoads()).noneMatch(RunningLoad::waiting);
    }

    @Test
    void aRunningLoadKeepsItsTableAndItsRegions() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request());
        assertThat(metadata.preSplit("orders", List.of(point(1)))).isEqualTo(load.regions());
        assertThatThrownBy(() -> metadata.dropTable("orders")).hasMessageContaining(load.loadId());
        metadata.abort(load.loadId());
        metadata.abort(load.loadId());
        assertThat(metadata.preSplit("orders", List.of(point(1)))).hasSize(2);
    }

    @Test
    void aJoiningServerLearnsItsRegionsAndRunningLoads() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        LoadDescriptor load = metadata.beginLoad(request());
        JoinReply reply = metadata.join(new ServerDescriptor("one", "host:9"));
        assertThat(reply.regionIds()).hasSize(1);
        assertThat(reply.report().runningLoads()).containsExactly(load.loadId());
        assertThat(metadata.load(load.loadId()).regions().getFirst().server().address())
                .isEqualTo("host:9");
    }

    @Test
    void aSilentServerGetsNoNewRegions() {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        now = now.plusSeconds(60);
        metadata.join(new ServerDescriptor("two", "host:2"));
        List<RegionAssignment> regions =
                metadata.preSplit("orders", List.of(point(1), point(2), point(3)));
        assertThat(regions).allMatch(region -> region.server().serverId().equals("two"));
    }

    @Test
    void aDamagedLogIsRefused() throws IOException {
        LocalMetadata metadata = openWithServers();
        metadata.createTable(SCHEMA);
        Path log = folder.resolve("metadata");
        byte[] bytes = Files.readAllBytes(log);
        bytes[60] ^= 1;
        Files.write(log, bytes);
        assertThatThrownBy(this::open)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(log.toString())
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.CORRUPT);
    }
}
