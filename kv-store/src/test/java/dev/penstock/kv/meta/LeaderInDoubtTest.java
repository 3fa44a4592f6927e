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
import dev.penstock.kv.storage.FaultyStorage;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** A record of the leader's log is written, and the disk then fails to force it. */
final class LeaderInDoubtTest {
    private static final ServerDescriptor ONE = new ServerDescriptor("one", "host:1");

    private static final TableSchema MORE =
            TableSchema.declare(
                    "more", TestTable.SCHEMA.columns(), List.of(new KeyColumn(0, false)));

    /** A record is written, then forced. */
    private static final int FORCE = 2;

    @TempDir Path folder;
    private final FaultyStorage storage = new FaultyStorage(new NioStorage());
    private final RecordingRegionService server = new RecordingRegionService();
    private final List<LocalMetadata> opened = new ArrayList<>();
    private long lastId;
    private LocalMetadata leader;

    @BeforeEach
    void openWithTable() {
        leader = open();
        leader.join(ONE);
        leader.createTable(TestTable.SCHEMA);
    }

    @AfterEach
    void closeAll() {
        opened.forEach(LocalMetadata::close);
    }

    private LocalMetadata open() {
        LocalMetadata metadata =
                LocalMetadata.open(
                        storage,
                        folder.resolve("metadata"),
                        descriptor -> server,
                        () -> Instant.ofEpochSecond(1_000_000),
                        () -> new UUID(0, ++lastId),
                        Duration.ZERO);
        opened.add(metadata);
        return metadata;
    }

    private LoadDescriptor begin(boolean createsTable) {
        return leader.beginLoad(
                new LoadRequest(
                        "items",
                        "",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(0, 1, 2),
                        List.of("a.csv"),
                        false,
                        createsTable,
                        Verification.CHECKSUM,
                        TokenTables.NONE,
                        ""));
    }

    private long regionId() {
        return leader.regions("items").getFirst().regionId();
    }

    private void split() {
        leader.preSplit("items", List.of(TestTable.key(1000)));
    }

    private static void assertUndecided(ThrowingCallable change) {
        assertRetry(change, "it is not known whether this change was recorded,");
    }

    private static void assertRefused(ThrowingCallable change) {
        assertRetry(change, "the leader changes nothing any more");
    }

    private static void assertRetry(ThrowingCallable change, String what) {
        assertThatThrownBy(change)
                .isInstanceOf(PenstockException.class)
                .hasMessageStartingWith(what + " since the disk of its log has failed (injected")
                .hasMessageContaining("restart the leader's server")
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.RETRY);
    }

    @Test
    void aSplitThatMayBeRecordedLeavesTheOldRegionClosedUntilTheNextStart() {
        long old = regionId();
        storage.failCall(FORCE);
        assertThatThrownBy(this::split).hasMessageContaining("it is not known");
        assertThat(server.orders).filteredOn(("create " + old)::equals).hasSize(1);
        assertThat(server.orders).doesNotContain("drop " + old).contains("close " + old);
        assertRefused(() -> leader.join(ONE));
        assertThat(leader.report(ONE).epoch()).isZero();
        leader = open();
        assertThat(leader.join(ONE).regionIds()).hasSize(2).doesNotContain(old);
    }

    @Test
    void aRecordThatIsWrittenWhollyThoughItsWriteFailedLeavesDoubtToo() {
        long old = regionId();
        storage.failAfterWrite(1);
        assertUndecided(this::split);
        assertThat(server.orders).filteredOn(("create " + old)::equals).hasSize(1);
        assertThat(server.orders).doesNotContain("drop " + old).contains("close " + old);
        assertRefused(this::split);
        leader = open();
        assertThat(leader.join(ONE).regionIds()).hasSize(2).doesNotContain(old);
    }

    @Test
    void aServerThatWasToldNothingJoinsALeaderInDoubt() {
        storage.failCall(FORCE);
        assertUndecided(() -> begin(false));
        assertThat(leader.join(ONE).regionIds()).containsExactly(regionId());
        assertRefused(() -> leader.join(new ServerDescriptor("new", "host:2")));
    }

    @Test
    void aSplitThatIsNotWrittenLeavesNoDoubt() {
        long old = regionId();
        storage.failCall(1);
        assertThatThrownBy(this::split).hasMessage("injected fault");
        assertThat(server.orders).endsWith("create " + old);
        split();
        assertThat(leader.regions("items")).hasSize(2);
    }

    @Test
    void theRegionsOfATableThatMayBeGoneStayClosed() {
        long region = regionId();
        LoadDescriptor load = begin(true);
        // The record of the abort goes well, the one of the table's end does not.
        server.onOrder =
                order -> {
                    if (order.startsWith("close")) {
                        storage.failCall(FORCE);
                    }
                };
        leader.abort(load.loadId());
        assertThat(server.orders).contains("close " + region);
        assertThat(server.orders).filteredOn(("create " + region)::equals).hasSize(1);
        leader.abortAbandoned();
        leader.dropUnloadedTables();
        assertThat(server.orders).filteredOn(("close " + region)::equals).hasSize(1);
        assertThat(open().table("items")).isEmpty();
    }

    @Test
    void whetherALoadIsPublishedIsSaidAfterTheNextStart() {
        LoadDescriptor load = begin(false);
        Map<Long, Long> rows =
                load.regions().stream()
                        .collect(Collectors.toMap(RegionAssignment::regionId, region -> 5L));
        storage.failCall(FORCE);
        assertUndecided(() -> leader.publish(load.loadId(), rows, ""));
        assertRefused(() -> leader.publish(load.loadId(), rows, ""));
        assertRefused(() -> leader.abort(load.loadId()));
        assertThat(leader.epoch()).isZero();
        assertThat(leader.report(ONE).lease()).as("lease").isFalse();
        assertThat(server.orders).noneMatch(order -> order.startsWith("install"));
        leader = open();
        assertThat(leader.publish(load.loadId(), rows, "")).isEqualTo(1);
    }

    @Test
    void nothingElseIsChangedInDoubt() {
        storage.failCall(FORCE);
        assertUndecided(() -> leader.dropTable("items"));
        int told = server.orders.size();
        assertRefused(() -> leader.dropTable("items"));
        assertRefused(() -> leader.createTable(MORE));
        assertRefused(this::split);
        assertRefused(() -> begin(false));
        assertThat(server.orders).hasSize(told);
        assertThat(leader.tables()).hasSize(1);
        assertThat(open().tables()).isEmpty();
    }
}
