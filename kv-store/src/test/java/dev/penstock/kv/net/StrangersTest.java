package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Guests;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.security.TestCertificates;
import dev.penstock.predicate.Predicate;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Who connects and does not say who he is: few of them, for a short time, with little memory. */
@Timeout(60)
final class StrangersTest {
    private static final int CONNECTIONS = 16;

    /** A TLS record's header that announces a message of 16 KiB, which never comes. */
    private static final byte[] TLS_START = {0x16, 3, 1, 0x40, 0};

    @TempDir private Path folder;

    private static NetLimits limits(long handshakeMillis) {
        return new NetLimits(
                5_000, handshakeMillis, 200, 20_000, 4 << 20, 64 << 20, 64 << 20, CONNECTIONS);
    }

    private Endpoints start(long handshakeMillis) {
        TestCertificates certificates = new TestCertificates(folder.resolve("c"));
        ServerSecurity security =
                new ServerSecurity(
                        Optional.of(certificates.server("db1", "127.0.0.1")),
                        Optional.empty(),
                        false);
        ClientSecurity client =
                new ClientSecurity(
                        Optional.of(certificates.server("db2", "localhost")),
                        Optional.empty(),
                        false);
        return new Endpoints(limits(handshakeMillis), security, client);
    }

    private static Socket connect(Endpoints server) throws IOException {
        return connect(server, "127.0.0.1");
    }

    private static Socket connect(Endpoints server, String from) throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(),
                server.endpoint.address().getPort(),
                InetAddress.getByName(from),
                0);
    }

    /** Reads a socket to its end, which the server must bring about. */
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    /** Waits until the server has brought so many of the sockets to their end. */
    private static void awaitEnds(List<Socket> sockets, int count) throws IOException {
        Set<Socket> ended = new HashSet<>();
        while (ended.size() < count) {
            for (Socket socket : sockets) {
                if (!ended.contains(socket) && hasEnded(socket)) {
                    ended.add(socket);
                }
            }
        }
    }

    private static boolean hasEnded(Socket socket) throws IOException {
        socket.setSoTimeout(5);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        } finally {
            socket.setSoTimeout(0);
        }
    }

    @Test
    void a_silent_one_is_sent_away_after_the_deadline_and_its_place_is_free_again()
            throws IOException {
        try (Endpoints server = start(1_000)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS / 4; i++) {
                silent.add(connect(server, "127.0.0." + (2 + i)));
            }
            for (Socket socket : silent) {
                awaitEnd(socket);
                socket.close();
            }
            boolean answered = false;
            while (!answered) {
                try {
                    server.pool.regions(server.address).closeIfEmpty(1);
                    answered = true;
                } catch (PenstockException e) {
                    // A first handshake may take longer than the deadline here; the next does not.
                    assertThat(e.category()).as(e.getMessage()).isEqualTo(ErrorCategory.RETRY);
                }
            }
        }
    }

    @Test
    void more_strangers_than_there_may_be_are_refused_at_once() throws IOException {
        try (Endpoints server = start(60_000)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS / 4; i++) {
                silent.add(connect(server, "127.0.0." + (2 + i)));
            }
            try (Socket oneMore = connect(server)) {
                awaitEnd(oneMore);
            }
            assertThat(server.log).anyMatch(line -> line.endsWith("have not said hello yet"));
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void one_address_cannot_keep_the_others_out() throws IOException {
        try (Endpoints server = start(60_000)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS / 8; i++) {
                silent.add(connect(server, "127.0.0.2"));
            }
            for (int i = 0; i < 100; i++) {
                try (Socket oneMore = connect(server, "127.0.0.2")) {
                    awaitEnd(oneMore);
                }
            }
            assertThat(server.pool.regions(server.address).closeIfEmpty(2)).isTrue();
            assertThat(server.log)
                    .first(InstanceOfAssertFactories.STRING)
                    .endsWith("2 others from there have not said hello yet");
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void guests_get_in_whoever_else_connects_and_says_nothing() throws IOException {
        Guests guests = new Guests();
        ClientSecurity guest = ClientSecurity.ofGuest(guests.admit("t"));
        NetLimits patient = limits(600_000);
        List<Socket> silent = new ArrayList<>();
        try (Transport transport = Transport.open("test");
                ServerEndpoint endpoint =
                        ServerEndpoint.openToGuests(
                                transport,
                                Endpoints.served(new FakeRegions(), Optional.empty(), line -> {}),
                                patient,
                                guests);
                ConnectionPool pool = new ConnectionPool(transport, patient, () -> "", guest)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                silent.add(
                        new Socket(endpoint.address().getAddress(), endpoint.address().getPort()));
            }
            // Only when all are in: one that comes in later than the guest could end the guest's
            // connection, if there were so many of them in the time that a hello takes.
            awaitEnds(silent, CONNECTIONS - patient.maxStrangers());
            String address = Addresses.format(endpoint.address());
            assertThat(pool.clusterIdOf(address)).isEqualTo("cluster-1");
            // Most have made room for others; the last ones go without that, long before 600 s.
            for (Socket socket : silent) {
                awaitEnd(socket);
                socket.close();
            }
            assertThat(pool.regions(address).count(40, 2, KeyRange.ALL, Predicate.ALWAYS))
                    .isEqualTo(42);
        }
    }

    @Test
    void refusals_are_noted_once_a_second() {
        List<String> log = new ArrayList<>();
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        Refusals refusals = new Refusals(log::add, nanos::get);
        for (int i = 0; i < 10; i++) {
            refusals.add("refused " + i);
            nanos.addAndGet(300_000_000);
        }
        assertThat(log)
                .containsExactly(
                        "refused 0",
                        "refused 4; 3 more since the last such line",
                        "refused 8; 3 more since the last such line");
    }

    @Test
    void one_that_sends_a_byte_now_and_then_is_sent_away_too() throws IOException {
        try (Endpoints server = start(300);
                Socket slow = connect(server)) {
            slow.getOutputStream().write(TLS_START);
            slow.setSoTimeout(20);
            boolean ended = false;
            while (!ended) {
                try {
                    slow.getOutputStream().write(0);
                    ended = slow.getInputStream().read() < 0;
                } catch (SocketTimeoutException e) {
                    // Nothing was answered; the next byte follows.
                } catch (SocketException e) {
                    ended = true;
                }
            }
        }
    }
}
