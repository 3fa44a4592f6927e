package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Servers are killed at different points; what was acknowledged stays, what was not never shows.
 */
@Timeout(180)
class ServerCrashTest {
    private static final int CHUNKS = 12;
    private static final long ROWS = (long) CHUNKS * Orders.CHUNK_ROWS;

    @TempDir private Path folder = Path.of("unset");

    private static void load(LoadTarget target, int from, int to) throws Exception {
        try (LoadSession session = target.begin(Orders.request(), ack -> {})) {
            Orders.send(session, from, to, CHUNKS, 2);
            session.finish(receipt -> {});
            session.publish("");
        }
    }

    private static void createTable(Penstock store) {
        store.createTable(Orders.SCHEMA);
        store.loadTarget().preSplit("orders", Orders.splitPoints(ROWS, 6));
    }

    private static void restart(ServerProcesses servers, int... order) throws Exception {
        for (int number : order) {
            servers.start(number);
        }
        for (int number : order) {
            servers.awaitJoined(number);
        }
    }

    @Test
    void whatWasAcknowledgedOutlivesTheDeathOfAllServers() throws Exception {
        try (ServerProcesses servers = new ServerProcesses(folder, 3)) {
            try (Penstock store = servers.connect()) {
                createTable(store);
                load(store.loadTarget(), 0, CHUNKS);
                Table table = store.table("orders");
                table.put(Orders.rows(LongStream.range(ROWS, ROWS + 500).toArray()));
                table.delete(List.of(Orders.key(ROWS + 499)));
                LoadSession running = store.loadTarget().begin(Orders.request(), ack -> {});
                Orders.send(running, 0, CHUNKS, CHUNKS, 2);
                servers.kill(1);
                servers.kill(0);
                servers.kill(2);
                assertThatThrownBy(() -> running.finish(receipt -> {}))
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining("127.0.0.1:");
                running.close();
            }
            for (int[] order : new int[][] {{2, 1, 0}, {0, 1, 2}}) {
                restart(servers, order);
                try (Penstock store = servers.connect()) {
                    TestCluster.assertHoldsExactly(store.table("orders"), ROWS + 499);
                    assertThat(store.status().runningLoads()).isEmpty();
                }
                servers.kill(0);
                servers.kill(1);
                servers.kill(2);
            }
        }
    }

    @Test
    void aLoadIsVisibleOnAServerThatWasDownWhenItWasPublished() throws Exception {
        try (ServerProcesses servers = new ServerProcesses(folder, 3);
                Penstock store = servers.connect()) {
            createTable(store);
            try (LoadSession session = store.loadTarget().begin(Orders.request(), ack -> {})) {
                Orders.send(session, 0, CHUNKS, CHUNKS, 2);
                session.finish(receipt -> {});
                servers.kill(1);
                session.publish("");
            }
            restart(servers, 1);
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
        }
    }

    @Test
    void aLoadEndsWhenAServerForgetsIt() throws Exception {
        try (ServerProcesses servers = new ServerProcesses(folder, 2);
                Penstock store = servers.connect()) {
            createTable(store);
            LoadTarget target = store.loadTarget();
            try (LoadSession session = target.begin(Orders.request(), ack -> {})) {
                Orders.send(session, 0, 6, CHUNKS, 2);
                servers.kill(1);
                restart(servers, 1);
                assertThatThrownBy(
                                () -> {
                                    Orders.send(session, 6, CHUNKS, CHUNKS, 2);
                                    session.finish(receipt -> {});
                                })
                        .rootCause()
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining("load again");
            }
            assertThat(store.table("orders").count()).isZero();
            assertThat(store.status().runningLoads()).isEmpty();
            load(target, 0, CHUNKS);
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
        }
    }

    @Test
    void aLoadIsNotPublishedAfterTheLeaderForgotIt() throws Exception {
        try (ServerProcesses servers = new ServerProcesses(folder, 2);
                Penstock store = servers.connect()) {
            createTable(store);
            try (LoadSession session = store.loadTarget().begin(Orders.request(), ack -> {})) {
                Orders.send(session, 0, CHUNKS, CHUNKS, 2);
                session.finish(receipt -> {});
                servers.kill(0);
                restart(servers, 0);
                assertThatThrownBy(() -> session.publish("")).isInstanceOf(PenstockException.class);
            }
            assertThat(store.table("orders").count()).isZero();
            load(store.loadTarget(), 0, CHUNKS);
            TestCluster.assertHoldsExactly(store.table("orders"), ROWS);
        }
    }
}
