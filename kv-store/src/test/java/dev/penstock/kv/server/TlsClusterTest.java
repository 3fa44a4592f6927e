package dev.penstock.kv.server;

import static dev.penstock.kv.server.TestCluster.assertHoldsExactly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.client.load.StoreLoadTargetProvider;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Secret;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.security.TestCertificates;
import dev.penstock.kv.security.TlsFiles;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTicket;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Servers that talk TLS to one another, and what their clients may do. */
@Timeout(120)
final class TlsClusterTest {
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Secret token = Secret.random();

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // made before each test
    private TestCertificates certificates;

    @BeforeEach
    void makeCertificates() {
        certificates = new TestCertificates(folder.resolve("certificates"));
    }

    private RegionServerProcess start(
            String name, TlsFiles files, Optional<Path> access, Optional<String> join) {
        return RegionServerProcess.start(
                ServeOptions.of(folder.resolve(name), "localhost:0")
                        .withJoin(join)
                        .withSecurity(new ServerSecurity(Optional.of(files), access, false))
                        .withLog(log::add));
    }

    /** With a server's certificate of the cluster. */
    private RegionServerProcess start(String name, Optional<Path> access, Optional<String> join) {
        return start(name, certificates.server(name, "localhost"), access, join);
    }

    private ClientSecurity tokenClient() {
        return new ClientSecurity(Optional.of(certificates.nobody()), Optional.of(token), false);
    }

    private ClientSecurity certificate(String name) {
        return new ClientSecurity(Optional.of(certificates.client(name)), Optional.empty(), false);
    }

    /** Rules by which root, who has a certificate, may do all, and etl, who has a token, this. */
    private Optional<Path> rootAndEtl(String grant) throws IOException {
        return Optional.of(
                certificates.access(
                        "grant admin on * to root", grant, "token etl " + token.hash()));
    }

    @Test
    void three_servers_with_certificates_take_a_load_and_its_invited_worker() throws Exception {
        Optional<Path> access =
                Optional.of(
                        certificates.access(
                                "grant admin on orders to etl", "token etl " + token.hash()));
        try (RegionServerProcess leader = start("a", access, Optional.empty());
                RegionServerProcess second = start("b", access, Optional.of(leader.address()));
                RegionServerProcess third = start("c", access, Optional.of(leader.address()))) {
            second.joined().get(30, TimeUnit.SECONDS);
            third.joined().get(30, TimeUnit.SECONDS);
            try (Penstock store = Penstock.connect(third.address(), tokenClient())) {
                store.createTable(Orders.SCHEMA);
                try (LoadTarget target = store.loadTarget()) {
                    target.preSplit("orders", Orders.splitPoints(9_000, 6));
                }
                assertThat(store.cluster().metadata().regions("orders"))
                        .extracting(region -> region.server().address())
                        .containsOnly(leader.address(), second.address(), third.address());
                try (LoadTarget target = store.loadTarget();
                        LoadSession load = target.begin(Orders.request(), ack -> {})) {
                    Orders.send(load, 0, 9, 9, 2);
                    load.finish(receipt -> {});
                    load.publish("");
                }
                assertHoldsExactly(store.table("orders"), 9_000);
                assertWorkerComesWith(store);
                assertThat(store.dropTable("orders")).isTrue();
            }
        }
        assertThat(log).noneMatch(line -> line.contains(token.reveal()));
    }

    /** What a driver hands to its worker processes is enough to reach the servers. */
    private void assertWorkerComesWith(Penstock store) {
        try (LoadTarget target = store.loadTarget();
                LoadSession driver = target.begin(Orders.request(), ack -> {})) {
            LoadTicket ticket = driver.invite();
            assertThat(ticket.toString()).doesNotContain(token.reveal());
            try (LoadTarget attached =
                            new StoreLoadTargetProvider().open(ticket.address(), ticket.access());
                    LoadSession worker = attached.attach(ticket, ack -> {})) {
                assertThat(worker.loadId()).isEqualTo(driver.loadId());
            }
            assertThatThrownBy(() -> new StoreLoadTargetProvider().open(ticket.address()))
                    .isInstanceOf(PenstockException.class);
        }
    }

    @Test
    void a_server_without_a_servers_certificate_cannot_join() {
        try (RegionServerProcess leader = start("a", Optional.empty(), Optional.empty())) {
            assertThatThrownBy(() ->
                            start(
                                            "b",
                                            certificates.client("anna"),
                                            Optional.empty(),
                                            Optional.of(leader.address()))
                                    .close())
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.DENIED))
                    .hasMessageContaining("anna is no server of this cluster");
            TestCertificates other = new TestCertificates(folder.resolve("other"));
            assertThatThrownBy(() ->
                            start(
                                            "c",
                                            other.server("c", "localhost"),
                                            Optional.empty(),
                                            Optional.of(leader.address()))
                                    .close())
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.DENIED))
                    .hasMessageContaining("is not from the expected CA");
        }
    }

    @Test
    void a_role_that_is_taken_away_counts_on_open_connections_too() throws Exception {
        String line = "token etl " + token.hash();
        Optional<Path> access =
                Optional.of(certificates.access("grant admin on orders to etl", line));
        try (RegionServerProcess server = start("a", access, Optional.empty());
                Penstock store = Penstock.connect(server.address(), tokenClient())) {
            store.createTable(Orders.SCHEMA);
            assertThat(store.table("orders").count()).isZero();
            certificates.access("grant read on orders to etl", line);
            assertThat(denial(() -> store.dropTable("orders")))
                    .isEqualTo("etl has not the role admin for table orders");
            certificates.access("grant read on orders to etl");
            assertThat(denial(store::tables)).isEqualTo("the token of etl does not count any more");
            certificates.access("this is no rule");
            while (log.stream().noneMatch(said -> said.contains("rules stay as they were"))) {
                assertThat(denial(store::tables))
                        .isEqualTo("the token of etl does not count any more");
            }
        }
    }

    @Test
    void an_access_file_counts_once_its_mode_is_mended() throws Exception {
        String line = "token etl " + token.hash();
        Path file = certificates.access("grant admin on orders to etl", line);
        try (RegionServerProcess server = start("a", Optional.of(file), Optional.empty());
                Penstock store = Penstock.connect(server.address(), tokenClient())) {
            store.createTable(Orders.SCHEMA);
            Path fresh =
                    Files.writeString(folder.resolve("fresh"), "grant read on orders to etl\n");
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-rw-r--"));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            while (log.stream().noneMatch(said -> said.contains("chmod 644"))) {
                assertThat(store.tables()).hasSize(1);
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            assertThat(denial(store::tables)).isEqualTo("the token of etl does not count any more");
            assertThat(log.stream().filter(said -> said.contains("rules stay as they were")))
                    .hasSize(1);
        }
    }

    /** Repeats what is still allowed until it is not. */
    private static String denial(Runnable operation) {
        while (true) {
            try {
                operation.run();
            } catch (PenstockException e) {
                assertThat(e.category()).isEqualTo(ErrorCategory.DENIED);
                return String.valueOf(e.getMessage());
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void tables_that_may_not_be_read_are_not_listed() throws Exception {
        Optional<Path> access = rootAndEtl("grant read on orders to etl");
        try (RegionServerProcess server = start("a", access, Optional.empty());
                Penstock all = Penstock.connect(server.address(), certificate("root"));
                Penstock some = Penstock.connect(server.address(), tokenClient())) {
            all.createTable(Orders.SCHEMA);
            all.createTable(
                    TableSchema.declare("salaries", Orders.SCHEMA.columns(), Orders.SCHEMA.key()));
            assertThat(all.tables()).hasSize(2);
            assertThat(some.tables()).extracting(TableSchema::name).containsExactly("orders");
            assertThatThrownBy(() -> some.findTable("salaries"))
                    .hasMessage("etl has not the role read for table salaries");
            assertThatThrownBy(() -> some.findTable("nothing"))
                    .hasMessage("etl has not the role read for table nothing");
            long hidden = all.cluster().metadata().regions("salaries").getFirst().regionId();
            var service = some.cluster().locate(some.cluster().metadata().servers().getFirst());
            assertThatThrownBy(() -> service.get(hidden, Orders.key(1), 0))
                    .hasMessage("etl has not the role read for the table of region " + hidden);
            try (LoadTarget target = all.loadTarget();
                    LoadSession load = target.begin(Orders.request(), ack -> {})) {
                assertThatThrownBy(() -> some.cluster().metadata().abort(load.loadId()))
                        .hasMessage(
                                "etl has not the role write for the table of load "
                                        + load.loadId());
            }
        }
    }

    @Test
    void a_server_whose_certificate_nobody_can_take_does_not_start() throws IOException {
        TestCertificates other = new TestCertificates(folder.resolve("other"));
        TlsFiles foreign =
                TestCertificates.trusting(certificates.ca(), other.server("b", "localhost"));
        assertThatThrownBy(() -> start("b", foreign, Optional.empty(), Optional.empty()))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageEndingWith("b.crt does not come from the CA " + certificates.ca());
        TlsFiles expired = certificates.server("a", "localhost");
        certificates.expire("a", "localhost");
        assertThatThrownBy(() -> start("a", expired, Optional.empty(), Optional.empty()))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining("a.crt has expired: it counted until 20");
    }

    @Test
    void certificates_that_changed_are_read_again() {
        // A server whose certificate is replaced by one of another CA is known by that one.
        TlsFiles files = certificates.server("a", "localhost");
        TestCertificates next = new TestCertificates(folder.resolve("next"));
        TlsFiles later = next.server("a", "localhost");
        try (RegionServerProcess server = start("a", files, Optional.empty(), Optional.empty())) {
            replace(later, files);
            ClientSecurity client =
                    new ClientSecurity(Optional.of(next.client("anna")), Optional.empty(), false);
            boolean trusted = false;
            while (!trusted) {
                try (Penstock store = Penstock.connect(server.address(), client)) {
                    trusted = store.tables().isEmpty();
                } catch (PenstockException e) {
                    assertThat(e.category()).isEqualTo(ErrorCategory.DENIED);
                }
            }
            assertThat(log).contains("the certificates were read again");
        }
    }

    private static void replace(TlsFiles from, TlsFiles to) {
        try {
            move(from.own().orElseThrow().key(), to.own().orElseThrow().key());
            move(from.own().orElseThrow().certificate(), to.own().orElseThrow().certificate());
            Files.copy(from.ca(), to.ca(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void what_was_published_into_tables_that_may_not_be_read_is_not_told() throws Exception {
        Optional<Path> access = rootAndEtl("grant read on salaries to etl");
        TlsFiles files = certificates.server("a", "localhost");
        ClientSecurity asServer = new ClientSecurity(Optional.of(files), Optional.empty(), false);
        try (RegionServerProcess server = start("a", files, access, Optional.empty());
                Penstock all = Penstock.connect(server.address(), certificate("root"));
                Penstock some = Penstock.connect(server.address(), tokenClient());
                Penstock own = Penstock.connect(server.address(), asServer)) {
            all.createTable(Orders.SCHEMA);
            try (LoadTarget target = all.loadTarget();
                    LoadSession load = target.begin(Orders.request(), ack -> {})) {
                Orders.send(load, 0, 1, 1, 1);
                load.finish(receipt -> {});
                load.publish("");
            }
            assertThat(published(all)).hasSize(1);
            assertThat(published(own)).hasSize(1);
            assertThat(published(some)).isEmpty();
            assertThat(some.cluster().metadata().publishedSince(0).upTo()).isEqualTo(1);
            all.dropTable("orders");
            assertThat(published(all)).isEmpty();
            assertThat(published(own)).isEmpty();
        }
    }

    private static List<PublishedLoad> published(Penstock store) {
        return store.cluster().metadata().publishedSince(0).loads();
    }

    @Test
    void a_load_that_says_it_created_its_table_needs_the_role_to_drop_it() throws Exception {
        Optional<Path> access = rootAndEtl("grant write on orders to etl");
        try (RegionServerProcess server =
                        start(
                                "a",
                                certificates.server("a", "localhost"),
                                access,
                                Optional.empty());
                Penstock all = Penstock.connect(server.address(), certificate("root"));
                Penstock some = Penstock.connect(server.address(), tokenClient())) {
            all.createTable(Orders.SCHEMA);
            LoadRequest plain = Orders.request();
            LoadRequest creates =
                    new LoadRequest(
                            plain.table(),
                            plain.label(),
                            plain.duplicates(),
                            plain.dialect(),
                            plain.fieldColumns(),
                            plain.sources(),
                            plain.deferSteps(),
                            true,
                            plain.verification(),
                            plain.tokens(),
                            plain.plan());
            var metadata = some.cluster().metadata();
            assertThatThrownBy(() -> metadata.beginLoad(creates))
                    .hasMessage("etl has not the role admin for table orders");
            metadata.abort(metadata.beginLoad(plain).loadId());
            assertThat(all.findTable("orders")).isPresent();
        }
    }

    @Test
    void no_request_can_name_a_path_on_the_server() throws Exception {
        Path data = folder.resolve("deep/er/data");
        String table = "../../evil";
        try (RegionServerProcess server =
                        RegionServerProcess.start(ServeOptions.of(data, "127.0.0.1:0"));
                Penstock store = Penstock.connect(server.address())) {
            store.createTable(
                    TableSchema.declare(table, Orders.SCHEMA.columns(), Orders.SCHEMA.key()));
            store.table(table).put(Orders.rows(1, 2, 3));
            var metadata = store.cluster().metadata();
            var regions = store.cluster().locate(metadata.servers().getFirst());
            try (LoadTarget target = store.loadTarget();
                    LoadSession load = target.begin(request(table), ack -> {})) {
                LoadDescriptor good = metadata.load(load.loadId());
                for (String id : List.of("../../evil", "/tmp/evil", "..", "a/b", "", "x\u0000y")) {
                    LoadDescriptor evil =
                            new LoadDescriptor(
                                    id,
                                    good.ordinal(),
                                    good.table(),
                                    good.request(),
                                    good.regions());
                    assertThatThrownBy(() -> regions.openLoad(evil))
                            .hasMessageContaining("is no id of a load");
                    regions.discard(id);
                }
            }
            regions.createRegions(
                    List.of(new RegionDescriptor(Long.MIN_VALUE, 1, Orders.SCHEMA, KeyRange.ALL)));
            regions.dropRegion(Long.MIN_VALUE);
        }
        try (var outside = Files.walk(folder)) {
            assertThat(outside.filter(Files::isRegularFile))
                    .allSatisfy(file ->
                            assertThat(
                                            file.startsWith(data)
                                                    || file.startsWith(
                                                            folder.resolve("certificates")))
                                    .as("%s", file)
                                    .isTrue());
        }
        assertThat(data.resolve("regions")).isDirectory();
    }

    private static LoadRequest request(String table) {
        LoadRequest orders = Orders.request();
        return LoadRequest.intoExisting(
                table,
                orders.label(),
                orders.duplicates(),
                orders.dialect(),
                orders.fieldColumns(),
                orders.sources(),
                orders.deferSteps());
    }

    @Test
    void a_configuration_that_protects_nothing_is_refused() {
        TlsFiles files = certificates.server("a", "localhost");
        assertThatThrownBy(() ->
                        new ServerSecurity(
                                Optional.empty(), Optional.of(folder.resolve("x")), false))
                .hasMessageContaining("an access file needs TLS");
        assertThatThrownBy(() -> new ServerSecurity(Optional.of(files), Optional.empty(), true))
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() ->
                        new ServerSecurity(
                                Optional.of(certificates.nobody()), Optional.empty(), false))
                .hasMessageContaining("needs a certificate and its key");
        assertThatThrownBy(() -> new ClientSecurity(Optional.empty(), Optional.of(token), false))
                .hasMessageContaining("a token is sent over TLS only");
        assertThatThrownBy(() -> Penstock.connect("192.0.2.1:7070"))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining("is not on this machine");
    }
}
