package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.predicate.Predicate;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.ChunkText;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession.TextUse;
import dev.penstock.target.TextFile;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

@Timeout(60)
class ConnectionTest {
    @Test
    void manyThreadsShareAConnection() throws Exception {
        try (Endpoints server = new Endpoints();
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            RegionService regions = server.pool.regions(server.address);
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int id = thread;
                done.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 500; i++) {
                                byte[] key = (id + "-" + i).getBytes(StandardCharsets.UTF_8);
                                ColumnBatch row = regions.get(1, key, 0).orElseThrow();
                                assertThat(row.bytes(0).get(0)).isEqualTo(key);
                            }
                        }));
            }
            for (Future<?> future : done) {
                future.get();
            }
            assertThat(regions.get(1, new byte[0], 0)).isEmpty();
            assertThat(regions.count(40, 2, KeyRange.ALL, Predicate.ALWAYS)).isEqualTo(42);
            AggregateQuery rows =
                    new AggregateQuery(
                            KeyRange.ALL,
                            Predicate.ALWAYS,
                            List.of(),
                            List.of(Aggregate.countRows()));
            assertThat(regions.aggregate(40, 3, rows).single())
                    .containsExactly(new PartialValue.Count(43));
        }
    }

    @Test
    void aRowIsReadOnTheConnectionsThreadUnlessSomeoneMustBeAsked() {
        try (Endpoints server = new Endpoints()) {
            RegionService regions = server.pool.regions(server.address);
            assertThat(regions.get(1, new byte[] {7}, 5)).isPresent();
            assertThat(server.regions.readers).singleElement().asString().contains("-io");

            server.regions.readers.clear();
            server.regions.knownEpoch = 4;
            assertThat(regions.get(1, new byte[] {7}, 5)).isPresent();
            assertThat(server.regions.readers).singleElement().asString().contains("-get-");
        }
    }

    @Test
    void aReadThatWaitsForTheLeaderKeepsNobodyWaiting() throws Exception {
        try (Endpoints server = new Endpoints();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            RegionService regions = server.pool.regions(server.address);
            server.regions.knownEpoch = 4;
            server.regions.readPermits.drainPermits();
            Future<?> waiting = thread.submit(() -> regions.get(1, new byte[] {7}, 5));
            server.regions.readsBegun.acquire();
            assertThat(regions.count(40, 2, KeyRange.ALL, Predicate.ALWAYS)).isEqualTo(42);
            assertThat(waiting.isDone()).isFalse();
            server.regions.readPermits.release();
            waiting.get();
        }
    }

    @Test
    void failuresKeepTheirCategoryAndMessage() {
        try (Endpoints server = new Endpoints()) {
            RegionService regions = server.pool.regions(server.address);
            assertThatThrownBy(() -> regions.get(-3, new byte[1], 0))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.REROUTE))
                    .hasMessage("region -3 is not here");
            assertThatThrownBy(() -> regions.delete(1, List.of(), 0))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.INTERNAL))
                    .hasMessageContaining("a fault of this program");
            assertThat(server.log).anyMatch(line -> line.contains("a fault of this program"));
            MetadataService metadata = server.pool.metadata(server.address);
            assertThatThrownBy(metadata::epoch)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("leader:1");
        }
    }

    @Test
    void anUnreachableServerIsNamed() {
        try (Endpoints server = new Endpoints()) {
            String address = server.address;
            server.endpoint.close();
            assertThatThrownBy(() -> server.pool.regions(address).closeIfEmpty(1))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.RETRY))
                    .hasMessageContaining("server " + address + " cannot be reached");
        }
    }

    @Test
    void whatIsMeantForAnotherServerIsNotSent() {
        try (Endpoints server = new Endpoints()) {
            ServerDescriptor other = new ServerDescriptor("server-2", server.address);
            RegionService meant = server.pool.regions(other);
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(
                            () -> meant.closeIfEmpty(1),
                            () -> meant.revokeLease("load", List.of(1L)),
                            () -> meant.openScan(scan(1)).next(new ColumnBatch(List.of())),
                            () ->
                                    meant.fragment(
                                            "load",
                                            new FragmentHeader(1, 1, FragmentForm.SORTED, 1),
                                            new byte[1],
                                            1))) {
                assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                e -> assertThat(e.category()).isEqualTo(ErrorCategory.REROUTE))
                        .hasMessage(
                                "server server-1 answers at "
                                        + server.address
                                        + " instead of server server-2, which is meant; start that"
                                        + " one again, there or at an address of its own");
            }
            ServerDescriptor itself = new ServerDescriptor("server-1", server.address);
            assertThat(server.pool.regions(itself).closeIfEmpty(2)).isTrue();
        }
    }

    @Test
    void aHostThatIsNotKnownMayBeKnownLater() {
        try (Endpoints server = new Endpoints()) {
            String unknown = "nobody.invalid:7070";
            assertThatThrownBy(() -> server.pool.regions(unknown).closeIfEmpty(1))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.RETRY))
                    .hasMessage(
                            "server nobody.invalid:7070 cannot be reached: the host nobody.invalid"
                                    + " is not known");
            assertThatThrownBy(() -> RemoteCluster.connect(unknown, ClientSecurity.PLAIN))
                    .hasMessageContaining("the host nobody.invalid is not known");
            String both = unknown + "," + server.address;
            assertThatThrownBy(() -> RemoteCluster.connect(both, ClientSecurity.PLAIN))
                    .as("the second is asked, and names a leader")
                    .hasMessageContaining("server leader:1 cannot be reached");
            for (String wrong : List.of("nobody.invalid", ":1", "a:b", "a:65536", "a:-1")) {
                assertThatThrownBy(() -> server.pool.regions(wrong).closeIfEmpty(1))
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE));
            }
        }
    }

    /** As many names share a bin of the pool's map. */
    @Test
    void aNameThatIsLookedUpForLongKeepsOnlyItsOwnCallersWaiting() throws Exception {
        CountDownLatch known = new CountDownLatch(1);
        AtomicInteger lookups = new AtomicInteger();
        try (Endpoints server = new Endpoints();
                ExecutorService threads = Executors.newFixedThreadPool(3);
                ConnectionPool pool =
                        new ConnectionPool(
                                server.transport,
                                Endpoints.limits(),
                                () -> "",
                                ClientSecurity.PLAIN,
                                name -> slowly(name, known, lookups, server.endpoint.address()))) {
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(threads.submit(() -> pool.regions("slow:1").closeIfEmpty(2)));
            }
            for (int i = 0; i < 60; i++) {
                String other = "host-" + i + ":1";
                assertThat(pool.regions(other).closeIfEmpty(2)).isTrue();
            }
            assertThat(waiting).noneMatch(Future::isDone);
            known.countDown();
            for (Future<Boolean> call : waiting) {
                assertThat(call.get()).isTrue();
            }
            assertThat(lookups).hasValue(1);
        }
    }

    private static InetSocketAddress slowly(
            String name, CountDownLatch known, AtomicInteger lookups, InetSocketAddress address) {
        if (name.equals("slow:1")) {
            lookups.incrementAndGet();
            try {
                known.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return address;
    }

    @Test
    void aServerThatDiesIsNamed() throws Exception {
        try (Endpoints server = new Endpoints();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            server.regions.fragmentPermits.drainPermits();
            Future<?> call =
                    thread.submit(() ->
                            server.pool
                                    .regions(server.address)
                                    .fragment("load", header(1), new byte[10], 10));
            server.regions.fragmentsBegun.acquire();
            server.pool.connection(server.address).close();
            assertThatThrownBy(call::get)
                    .rootCause()
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("the connection to server " + server.address);
            server.regions.fragmentPermits.release(100);
        }
    }

    @Test
    void aConnectionIsOpenedAgainAfterItWasLost() {
        try (Endpoints server = new Endpoints()) {
            RegionService regions = server.pool.regions(server.address);
            assertThat(regions.closeIfEmpty(2)).isTrue();
            server.pool.connection(server.address).close();
            assertThat(regions.closeIfEmpty(3)).isFalse();
        }
    }

    @Test
    void aServerThatAcceptsAndNeverAnswersIsNoticed() throws IOException {
        NetLimits impatient = new NetLimits(300, 300, 50, 300, 1 << 20, 1 << 26, 1 << 26, 10);
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Transport transport = Transport.open("test");
                ConnectionPool pool =
                        new ConnectionPool(transport, impatient, () -> "", ClientSecurity.PLAIN)) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            assertThatThrownBy(() -> pool.regions(address).closeIfEmpty(1))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("not answered in time");
        }
    }

    @Test
    void aServerThatFallsSilentIsNoticed() throws Exception {
        NetLimits impatient = Endpoints.limits().withTimes(5_000, 50, 400);
        try (Endpoints server = new Endpoints(Endpoints.limits().withTimes(5_000, 60_000, 60_000));
                Transport transport = Transport.open("test");
                ConnectionPool pool =
                        new ConnectionPool(transport, impatient, () -> "", ClientSecurity.PLAIN);
                ServerSocket proxy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread copier = swallowAfterHello(proxy, server, hello -> {});
            String address = "127.0.0.1:" + proxy.getLocalPort();
            assertThatThrownBy(() -> pool.regions(address).closeIfEmpty(1))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(address);
            assertThat(copier.isAlive()).isTrue();
        }
    }

    /** Passes the hellos on and then nothing more, as a stopped process does. */
    private static Thread swallowAfterHello(
            ServerSocket proxy, Endpoints server, Consumer<byte[]> hello) {
        return Thread.ofPlatform()
                .start(() -> {
                    List<Socket> open = new ArrayList<>();
                    try {
                        while (true) {
                            Socket client = proxy.accept();
                            Socket target =
                                    new Socket(
                                            InetAddress.getLoopbackAddress(),
                                            server.endpoint.address().getPort());
                            open.add(client);
                            open.add(target);
                            byte[] buffer = new byte[1000];
                            int count = client.getInputStream().read(buffer);
                            hello.accept(buffer);
                            target.getOutputStream().write(buffer, 0, count);
                            count = target.getInputStream().read(buffer);
                            client.getOutputStream().write(buffer, 0, count);
                        }
                    } catch (IOException e) {
                        open.forEach(socket -> {
                            try {
                                socket.close();
                            } catch (IOException f) {
                                e.addSuppressed(f);
                            }
                        });
                    }
                });
    }

    /**
     * Who begins is told of its mistake, although it knows the store by another server of it; who
     * has been at work there stops, and can go on later.
     */
    @ParameterizedTest
    @CsvSource({"1, USAGE, ''", "2, DENIED, 'server ADDRESS has become one of another version: '"})
    void aServerOfAnotherVersionRefuses(int refused, ErrorCategory category, String first)
            throws IOException {
        NetLimits impatient = Endpoints.limits().withTimes(5_000, 50, 400);
        AtomicInteger connections = new AtomicInteger();
        try (Endpoints server = new Endpoints(Endpoints.limits().withTimes(5_000, 60_000, 60_000));
                ConnectionPool pool =
                        new ConnectionPool(
                                server.transport,
                                impatient,
                                () -> "cluster-1",
                                ClientSecurity.PLAIN);
                ServerSocket proxy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            // What comes from the client says from that connection on that it is of the version
            // before. A connection before it falls silent after its hello, so there is another.
            swallowAfterHello(
                    proxy,
                    server,
                    hello ->
                            hello[Frame.HEADER_BYTES + Long.BYTES] -=
                                    (byte) (connections.incrementAndGet() >= refused ? 1 : 0));
            String address = "127.0.0.1:" + proxy.getLocalPort();
            assertThatThrownBy(() -> pool.regions(address).closeIfEmpty(1))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(category))
                    .hasMessage(
                            first.replace("ADDRESS", address)
                                    + "this server speaks version "
                                    + Handshake.VERSION
                                    + " of Penstock's protocol, this client version "
                                    + (Handshake.VERSION - 1)
                                    + "; use the same release at both ends");
            assertThat(connections).hasValue(refused);
        }
    }

    @Test
    void anotherStoresServerIsRefused() {
        try (Endpoints server = new Endpoints();
                ConnectionPool other =
                        new ConnectionPool(
                                server.transport,
                                Endpoints.limits(),
                                () -> "cluster-2",
                                ClientSecurity.PLAIN)) {
            assertThatThrownBy(() -> other.regions(server.address).closeIfEmpty(1))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.REROUTE))
                    .hasMessageContaining("belongs to store cluster-1, not to store cluster-2");
        }
    }

    @Test
    void scansStreamInOrder() {
        try (Endpoints server = new Endpoints()) {
            ColumnBatch batch = new ColumnBatch(List.of(new LongColumn(1), new BytesColumn(1, 1)));
            long next = 0;
            try (ScanCursor cursor = server.pool.regions(server.address).openScan(scan(100_500))) {
                while (cursor.next(batch)) {
                    for (int row = 0; row < batch.rowCount(); row++) {
                        assertThat(batch.longs(0).values()[row]).isEqualTo(next++);
                    }
                    assertThat(batch.bytes(1).get(0)).hasSize(100);
                }
                assertThat(cursor.next(batch)).isFalse();
            }
            assertThat(next).isEqualTo(100_500);
            assertThat(server.regions.openCursors).hasValue(0);
        }
    }

    @Test
    void batchesLargerThanAFrameTravelInParts() {
        try (Endpoints server = new Endpoints()) {
            server.regions.scanText = new byte[200_000];
            ColumnBatch batch = new ColumnBatch(List.of(new LongColumn(1), new BytesColumn(1, 1)));
            long rows = 0;
            try (ScanCursor cursor = server.pool.regions(server.address).openScan(scan(1000))) {
                while (cursor.next(batch)) {
                    rows += batch.rowCount();
                    assertThat(batch.retainedBytes()).isLessThan(200 << 20);
                }
            }
            assertThat(rows).isEqualTo(1000);
        }
    }

    @Test
    void aScanThatIsClosedOrLostEndsOnTheServer() throws InterruptedException {
        try (Endpoints server = new Endpoints()) {
            ColumnBatch batch = new ColumnBatch(List.of(new LongColumn(1), new BytesColumn(1, 1)));
            ScanCursor closed = server.pool.regions(server.address).openScan(scan(1_000_000));
            assertThat(closed.next(batch)).isTrue();
            closed.close();
            awaitNoCursor(server);
            ScanCursor lost = server.pool.regions(server.address).openScan(scan(1_000_000));
            assertThat(lost.next(batch)).isTrue();
            server.pool.connection(server.address).close();
            awaitNoCursor(server);
            assertThatThrownBy(
                            () -> {
                                while (lost.next(batch)) {
                                    assertThat(batch.rowCount()).isPositive();
                                }
                            })
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(server.address);
        }
    }

    private static void awaitNoCursor(Endpoints server) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (server.regions.openCursors.get() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(server.regions.openCursors).hasValue(0);
    }

    private static ScanRequest scan(long limit) {
        return new ScanRequest(1, 0, KeyRange.ALL, new int[] {0, 1}, Predicate.ALWAYS, limit);
    }

    @Test
    void aSenderWithoutCreditWaitsAndTheServerHoldsNoMoreThanItGranted() throws Exception {
        int length = 1 << 20;
        int fragments = 40;
        try (Endpoints server = new Endpoints()) {
            server.regions.fragmentPermits.drainPermits();
            ClientConnection connection = server.pool.connection(server.address);
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicInteger sent = new AtomicInteger();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            Thread sender =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < fragments; i++) {
                                    RemoteRegionService.send(
                                            connection,
                                            "load",
                                            header(i),
                                            FakeRegions.payload(i, length),
                                            length,
                                            counting(acknowledged, failure));
                                    sent.incrementAndGet();
                                }
                            });
            awaitWaiting(sender);
            assertThat(sent).as("4 MiB of credit").hasValue(4);
            assertThat(server.endpoint.heldBytes()).isLessThanOrEqualTo(5L * length);
            server.regions.fragmentPermits.release(10);
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (sent.get() < 14 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            awaitWaiting(sender);
            assertThat(sent).as("ten were acknowledged").hasValue(14);
            server.regions.fragmentPermits.release(1000);
            sender.join();
            while (acknowledged.get() < fragments && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(failure.get()).isNull();
            assertThat(acknowledged).hasValue(fragments);
            assertThat(server.regions.bytesTaken).hasValue((long) fragments * length);
        }
    }

    private static void awaitWaiting(Thread thread) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (thread.getState() != Thread.State.WAITING && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
    }

    @Test
    void moreRequestsThanAConnectionMayHaveUnderWayWaitInTheSocket() throws Exception {
        try (Endpoints server = new Endpoints()) {
            server.regions.fragmentPermits.drainPermits();
            ClientConnection connection = server.pool.connection(server.address);
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            for (int i = 0; i < 5000; i++) {
                RemoteRegionService.send(
                        connection,
                        "load",
                        header(i),
                        FakeRegions.payload(i, 10),
                        10,
                        counting(acknowledged, failure));
            }
            server.regions.fragmentPermits.release(5000);
            while (acknowledged.get() < 5000 && failure.get() == null) {
                Thread.onSpinWait();
            }
            assertThat(failure.get()).isNull();
        }
    }

    @Test
    void aMessageTooLargeToTravelIsRefusedAndTakesNoCredit() {
        try (Endpoints server = new Endpoints()) {
            RegionService regions = server.pool.regions(server.address);
            byte[] huge = new byte[(64 << 20) + 1];
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> regions.fragment("load", header(0), huge, huge.length))
                        .isInstanceOf(PenstockException.class)
                        .hasMessageContaining("too large to travel");
            }
            assertThat(regions.fragment("load", header(0), huge, 1000).chunkId()).isZero();
            assertThatThrownBy(() -> regions.get(1, huge, 0))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("too large to travel");
        }
    }

    @Test
    void aFragmentLargerThanTheCreditGoesAlone() {
        try (Endpoints server = new Endpoints()) {
            int length = 20 << 20;
            FragmentAck ack =
                    server.pool
                            .regions(server.address)
                            .fragment("load", header(7), FakeRegions.payload(7, length), length);
            assertThat(ack.chunkId()).isEqualTo(7);
            assertThat(server.regions.bytesTaken).hasValue(length);
        }
    }

    @Test
    void connectionsWaitWhereTheServersMemoryIsUsedUp() throws Exception {
        NetLimits tight =
                new NetLimits(5_000, 10_000, 200, 20_000, 8 << 20, 64 << 20, 2 << 20, 100);
        try (Endpoints server = new Endpoints(tight);
                ExecutorService threads = Executors.newFixedThreadPool(6)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 6; thread++) {
                done.add(threads.submit(() -> sendTen(server, tight)));
            }
            for (Future<?> future : done) {
                future.get();
            }
            assertThat(server.regions.fragmentsDone).hasValue(60);
            // A fragment is let go of after it was answered; one that never is ends this by time.
            while (server.endpoint.heldBytes() != 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void sendTen(Endpoints server, NetLimits limits) {
        try (ConnectionPool pool =
                new ConnectionPool(server.transport, limits, () -> "", ClientSecurity.PLAIN)) {
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            for (int i = 0; i < 10; i++) {
                RemoteRegionService.send(
                        pool.connection(server.address),
                        "load",
                        header(i),
                        FakeRegions.payload(i, 700_000),
                        700_000,
                        counting(acknowledged, failure));
            }
            while (acknowledged.get() < 10 && failure.get() == null) {
                Thread.onSpinWait();
            }
            assertThat(failure.get()).isNull();
        }
    }

    @Test
    void aRawFragmentIsCheckedAgainstItsChecksum() {
        try (Endpoints server = new Endpoints()) {
            FragmentHeader raw = new FragmentHeader(3, 1, FragmentForm.RAW, 1);
            FragmentAck ack =
                    server.pool
                            .regions(server.address)
                            .fragment("load", raw, FakeRegions.payload(3, 1000), 1000);
            assertThat(ack.rowsAccepted()).isEqualTo(1);
            ClientConnection connection = server.pool.connection(server.address);
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            connection.sendFragment(
                    new dev.penstock.kv.wire.Request.Fragment("load", raw, 12345),
                    FakeRegions.payload(3, 1000),
                    1000,
                    System.nanoTime() + Duration.ofSeconds(20).toNanos(),
                    counting(acknowledged, failure));
            while (failure.get() == null && acknowledged.get() == 0) {
                Thread.onSpinWait();
            }
            assertThat(failure.get().category()).isEqualTo(ErrorCategory.CORRUPT);
        }
    }

    @Test
    void textIsForServersThatNobodyStandsBefore() throws Exception {
        try (Endpoints server = new Endpoints();
                ServerSocket proxy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThat(server.pool.connection(server.address).textUse()).isEqualTo(TextUse.ALL);
            swallowAfterHello(proxy, server, hello -> {});
            String there = "127.0.0.1:" + proxy.getLocalPort();
            assertThat(server.pool.connection(there).textUse()).isEqualTo(TextUse.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatReadsFilesIsToldWhereTheTextIs(boolean readsFiles, @TempDir Path folder)
            throws Exception {
        byte[] bytes = "1|one\n2|two\n".repeat(5_000).getBytes(StandardCharsets.US_ASCII);
        Path path = Files.write(folder.resolve("in.tbl"), bytes).toRealPath();
        ChunkText text = new ChunkText(0, 12, bytes.length - 24);
        try (Endpoints server =
                        new Endpoints(
                                Endpoints.limits(),
                                ServerSecurity.PLAIN,
                                ClientSecurity.PLAIN,
                                readsFiles);
                FileChannel channel = FileChannel.open(path)) {
            TextFile file =
                    new TextFile(
                            channel,
                            path.toString(),
                            Files.readAttributes(path, BasicFileAttributes.class)
                                    .fileKey()
                                    .toString(),
                            bytes.length);
            ClientConnection connection = server.pool.connection(server.address);
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            int sent = 0;
            int rehearsed = 0;
            // More than the server's credit, which comes back with the answers.
            for (int i = 0; i < 100; i++) {
                sent =
                        sendText(
                                connection,
                                FragmentHeader.ofText(i, 1),
                                text,
                                file,
                                acknowledged,
                                failure);
                rehearsed =
                        sendText(
                                connection,
                                FragmentHeader.ofText(i, 1).forRehearsal(),
                                text,
                                file,
                                acknowledged,
                                failure);
            }
            while (failure.get() == null && acknowledged.get() < 200) {
                Thread.onSpinWait();
            }
            assertThat(failure.get()).isNull();
            assertThat(server.regions.texts).hasSize(200);
            assertThat(rehearsed).isGreaterThan(text.length());
            for (FakeRegions.Text taken : server.regions.texts) {
                boolean inFile = readsFiles && !taken.header().isRehearsal();
                assertThat(taken.header().isInFile()).isEqualTo(inFile);
                ChunkText arrived =
                        inFile
                                ? ChunkInFile.of(taken.payload(), taken.payload().length).text()
                                : ChunkText.of(taken.payload(), taken.payload().length);
                assertThat(arrived).isEqualTo(text);
            }
            assertThat(sent < 1_000).isEqualTo(readsFiles);
            assertThat(connection.fileTextBytes()).isEqualTo(readsFiles ? Endpoints.TEXT_BYTES : 0);
        }
    }

    @Test
    void textIsSentOnceAFileCouldNotBeSeen(@TempDir Path folder) throws Exception {
        Path path = Files.writeString(folder.resolve("in.tbl"), "1|one\n2|two\n").toRealPath();
        ChunkText text = new ChunkText(0, 0, 6);
        try (Endpoints server = new Endpoints();
                FileChannel channel = FileChannel.open(path)) {
            server.regions.blind = true;
            TextFile file = new TextFile(channel, path.toString(), "(dev=1,ino=2)", 12);
            ClientConnection connection = server.pool.connection(server.address);
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            for (int i = 0; i < 2; i++) {
                FragmentHeader header = FragmentHeader.ofText(i, 1);
                sendText(connection, header, text, file, acknowledged, failure);
                while (failure.get() == null && acknowledged.get() <= i) {
                    Thread.onSpinWait();
                }
            }
            assertThat(failure.get()).isNull();
            assertThat(server.regions.texts)
                    .extracting(taken -> taken.header().isInFile())
                    .containsExactly(true, false);
        }
    }

    /** One that has shown nothing may name any file: nothing is read for it. */
    @Test
    void aStrangerHasNoFileRead() throws Exception {
        try (Endpoints server = new Endpoints()) {
            ByteBuilder place = new ByteBuilder(64);
            new ChunkInFile(new ChunkText(0, 0, 10), "/etc/passwd", "(dev=1,ino=2)", 100)
                    .put(place);
            AtomicReference<FragmentAck> answer = new AtomicReference<>();
            AtomicReference<PenstockException> failure = new AtomicReference<>();
            server.pool
                    .connection(server.address)
                    .sendFragment(
                            new dev.penstock.kv.wire.Request.Fragment(
                                    "load", FragmentHeader.ofText(1, 1).inFile(), 0),
                            place.array(),
                            place.length(),
                            System.nanoTime() + Duration.ofSeconds(20).toNanos(),
                            new FragmentListener() {
                                @Override
                                public void acknowledged(FragmentAck ack) {
                                    answer.set(ack);
                                }

                                @Override
                                public void failed(PenstockException e) {
                                    failure.set(e);
                                }
                            });
            while (failure.get() == null && answer.get() == null) {
                Thread.onSpinWait();
            }
            assertThat(answer.get().outcome()).isEqualTo(FragmentAck.Outcome.UNREAD);
            assertThat(server.regions.texts).isEmpty();
        }
    }

    private static int sendText(
            ClientConnection connection,
            FragmentHeader header,
            ChunkText text,
            TextFile file,
            AtomicInteger acknowledged,
            AtomicReference<PenstockException> failure) {
        return connection.sendText(
                "load",
                header,
                text,
                file,
                System.nanoTime() + Duration.ofSeconds(20).toNanos(),
                counting(acknowledged, failure));
    }

    private static FragmentHeader header(int chunkId) {
        return new FragmentHeader(chunkId, 1, FragmentForm.SORTED, 1);
    }

    private static FragmentListener counting(
            AtomicInteger acknowledged, AtomicReference<PenstockException> failure) {
        return new FragmentListener() {
            @Override
            public void acknowledged(FragmentAck ack) {
                acknowledged.incrementAndGet();
            }

            @Override
            public void failed(PenstockException e) {
                failure.set(e);
            }
        };
    }
}
