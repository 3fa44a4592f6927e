package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** What is meant for a server is not done by another that has taken its address. */
@Timeout(120)
final class AddressTakeoverTest {
    private static final int CHUNKS = 4;
    private static final long ROWS = (long) CHUNKS * Orders.CHUNK_ROWS;

    @TempDir private Path folder = Path.of("unset");

    private static void load(LoadTarget target) throws Exception {
        try (LoadSession session = target.begin(Orders.request(), ack -> {})) {
            Orders.send(session, 0, CHUNKS, CHUNKS, 2);
            session.finish(receipt -> {});
            session.publish("");
        }
    }

    @Test
    void readsWritesLoadsAndOrdersWaitForTheRightServer() throws Exception {
        try (TestCluster cluster = new TestCluster(folder, 2);
                Penstock store = cluster.connect()) {
            store.createTable(Orders.SCHEMA);
            LoadTarget target = store.loadTarget();
            target.preSplit("orders", Orders.splitPoints(ROWS, 4));
            String address = cluster.address(1);
            RegionAssignment region =
                    store.cluster().metadata().regions("orders").stream()
                            .filter(one -> one.server().address().equals(address))
                            .findFirst()
                            .orElseThrow();
            byte[] start = region.range().start();
            byte[] key = start.length == 0 ? Orders.key(0) : start;
            Table table = store.table("orders");
            cluster.stop(1);
            cluster.usurp(1, "usurper");
            List<ThrowingCallable> calls =
                    List.of(
                            table::count,
                            () -> table.get(key),
                            () -> load(target),
                            () ->
                                    store.cluster()
                                            .locate(region.server())
                                            .dropRegion(region.regionId()));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                e -> assertThat(e.category()).isEqualTo(ErrorCategory.REROUTE))
                        .hasMessageContaining("answers at " + address + " instead of server ")
                        .hasMessageContaining(region.server().serverId());
            }
            assertThat(store.status().servers())
                    .filteredOn(ServerStatus::reachable)
                    .extracting(server -> server.server().serverId())
                    .hasSize(2)
                    .doesNotContain(region.server().serverId());
            assertThat(store.status().runningLoads()).isEmpty();
            cluster.stop(1);
            cluster.start(1);
            cluster.awaitJoined(1);
            load(target);
            TestCluster.assertHoldsExactly(table, ROWS);
        }
    }
}
