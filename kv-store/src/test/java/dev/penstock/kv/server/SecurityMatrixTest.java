package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Secret;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.security.TestCertificates;
import dev.penstock.kv.security.TlsFiles;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Every kind of server against every kind of client and operation: what happens, exactly. */
@Timeout(120)
final class SecurityMatrixTest {
    private static final Map<String, RegionServerProcess> SERVERS = new HashMap<>();
    private static final Map<String, ClientSecurity> CLIENTS = new HashMap<>();
    private static final List<String> LOG = new CopyOnWriteArrayList<>();
    private static final Map<String, Consumer<Penstock>> OPERATIONS =
            Map.of(
                    "read", store -> store.table("orders").count(),
                    "write", store -> store.table("orders").delete(List.of(Orders.key(1))),
                    "admin", store -> store.dropTable("orders2"),
                    "status", Penstock::status,
                    "server", SecurityMatrixTest::actAsServer);

    private static String addressOf(String server) {
        return Objects.requireNonNull(SERVERS.get(server)).address();
    }

    private static ClientSecurity named(String client) {
        return Objects.requireNonNull(CLIENTS.get(client));
    }

    private static void actAsServer(Penstock store) {
        var cluster = store.cluster();
        cluster.locate(cluster.metadata().servers().getFirst()).revokeLease("load", List.of());
    }

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        TestCertificates own = new TestCertificates(folder.resolve("own"));
        TestCertificates other = new TestCertificates(folder.resolve("other"));
        Secret token = Secret.random();
        Secret revokedToken = Secret.random();
        TlsFiles serverFiles = own.server("db1", "localhost");
        Path access =
                own.access(
                        "grant read on orders to reader",
                        "grant write on ORDERS to writer",
                        "grant admin on orders, orders2 to owner",
                        "grant admin on * to root",
                        "grant read on elsewhere to stranger",
                        "grant admin on * to revoked",
                        "token writer " + token.hash(),
                        "token revoked " + revokedToken.hash(),
                        "revoke revoked");
        server(folder, "plain", ServerSecurity.PLAIN);
        server(folder, "open", new ServerSecurity(Optional.empty(), Optional.empty(), true));
        server(folder, "mtls", secured(serverFiles, null));
        server(folder, "access", secured(serverFiles, access));
        server(folder, "expired", secured(own.server("old", "localhost"), access));
        own.expire("old", "localhost");

        CLIENTS.put("plain", ClientSecurity.PLAIN);
        CLIENTS.put("nobody", client(own.nobody(), null));
        CLIENTS.put("token", client(own.nobody(), token));
        CLIENTS.put("wrong-token", client(own.nobody(), Secret.random()));
        CLIENTS.put("revoked-token", client(own.nobody(), revokedToken));
        for (String name : List.of("reader", "writer", "owner", "root", "stranger", "revoked")) {
            CLIENTS.put(name, client(own.client(name), null));
        }
        CLIENTS.put("expired", client(own.expiredClient("late"), null));
        CLIENTS.put(
                "foreign", client(TestCertificates.trusting(own.ca(), other.client("root")), null));
        CLIENTS.put("wrong-ca", client(other.nobody(), null));
        CLIENTS.put("server", client(own.server("db2", "elsewhere"), null));
        awaitExpiry();
        for (String name : List.of("plain", "open", "mtls", "access")) {
            String client = name.equals("plain") || name.equals("open") ? "plain" : "server";
            try (Penstock store = Penstock.connect(addressOf(name), named(client))) {
                store.createTable(Orders.SCHEMA);
            }
        }
    }

    /** Until the server has read that its certificate is another one now. */
    private static void awaitExpiry() {
        String outcome = "";
        while (!outcome.contains("has expired")) {
            outcome = outcome(addressOf("expired"), named("root"), Penstock::tables);
            assertThat(outcome).matches("done|DENIED .*has expired.*");
        }
    }

    private static ServerSecurity secured(TlsFiles files, @Nullable Path access) {
        return new ServerSecurity(Optional.of(files), Optional.ofNullable(access), false);
    }

    private static ClientSecurity client(TlsFiles files, @Nullable Secret token) {
        return new ClientSecurity(Optional.of(files), Optional.ofNullable(token), false);
    }

    private static void server(Path folder, String name, ServerSecurity security) {
        RegionServerProcess server =
                RegionServerProcess.start(
                        ServeOptions.of(folder.resolve(name), "localhost:0")
                                .withSecurity(security)
                                .withLog(LOG::add));
        SERVERS.put(name, server);
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(RegionServerProcess::close);
        SERVERS.clear();
        CLIENTS.clear();
    }

    /**
     * Columns: server, client, the operations that are allowed; category and part of the message of
     * all others.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plain   | plain         | read write admin status server | | ",
                "plain   | nobody        | | RETRY  | may not speak TLS",
                "plain   | token         | | RETRY  | may not speak TLS",
                "plain   | root          | | RETRY  | may not speak TLS",
                "open    | plain         | read write admin status server | | ",
                "open    | nobody        | | RETRY  | may not speak TLS",
                "mtls    | plain         | | RETRY  | it may want TLS",
                "mtls    | nobody        | | DENIED | wants a certificate of its CA",
                "mtls    | token         | | DENIED | takes certificates, not tokens",
                "mtls    | reader        | read write admin status | DENIED | may not act as one",
                "mtls    | expired       | | DENIED | refuses this client's certificate",
                "mtls    | foreign       | | DENIED | wants a certificate of its CA",
                "mtls    | wrong-ca      | | DENIED | is not from the expected CA",
                "mtls    | server        | read write admin status server | | ",
                "access  | plain         | | RETRY  | it may want TLS",
                "access  | nobody        | | DENIED | wants a certificate of its CA, or a token",
                "access  | token         | read write | DENIED | writer ",
                "access  | wrong-token   | | DENIED | the token is not one of this server's",
                "access  | revoked-token | | DENIED | the token is not one of this server's",
                "access  | reader        | read | DENIED | reader ",
                "access  | writer        | read write | DENIED | writer ",
                "access  | owner         | read write admin | DENIED | owner ",
                "access  | root          | read write admin status | DENIED | root is no server",
                "access  | stranger      | | DENIED | stranger ",
                "access  | revoked       | | DENIED | access of revoked is revoked",
                "access  | expired       | | DENIED | refuses this client's certificate",
                "access  | foreign       | | DENIED | wants a certificate of its CA, or a token",
                "access  | wrong-ca      | | DENIED | is not from the expected CA",
                "access  | server        | read write admin status server | | ",
                "expired | plain         | | RETRY  | it may want TLS",
                "expired | token         | | DENIED | certificate has expired",
                "expired | root          | | DENIED | certificate has expired",
                "expired | server        | | DENIED | certificate has expired"
            })
    void each_cell_ends_as_it_must(
            String server, String client, String allowed, String category, String message) {
        List<String> mayDo = allowed == null ? List.of() : List.of(allowed.split(" ", -1));
        OPERATIONS.forEach((operation, what) -> {
            String address = addressOf(server);
            String outcome = outcome(address, named(client), what);
            String cell = server + " " + client + " " + operation;
            if (mayDo.contains(operation)) {
                assertThat(outcome).as(cell).isEqualTo("done");
            } else {
                assertThat(outcome).as(cell).startsWith(category + " ").contains(message);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"mtls,root", "access,root", "access,token", "access,server"})
    void a_server_under_another_name_than_its_certificates_is_not_talked_to(
            String server, String client) {
        String address = addressOf(server).replace("localhost", "127.0.0.1");
        assertThat(outcome(address, named(client), Penstock::tables))
                .startsWith("DENIED ")
                .contains("its certificate does not fit: No subject alternative names matching IP");
    }

    private static String outcome(
            String address, ClientSecurity client, Consumer<Penstock> operation) {
        try (Penstock store = Penstock.connect(address, client)) {
            operation.accept(store);
            return "done";
        } catch (PenstockException e) {
            ErrorCategory category = e.category();
            return category + " " + e.getMessage();
        }
    }
}
