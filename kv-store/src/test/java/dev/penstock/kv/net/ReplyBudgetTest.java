package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Request;
import dev.penstock.predicate.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Who takes no replies makes a server hold few of them, and still gets all when it takes them. */
@Timeout(60)
final class ReplyBudgetTest {
    private static final int SCANS = 200;
    private static final int ROWS = 1000;
    private static final int ROW_BYTES = 250;

    // One server

    /** Of 50 MB that are asked for the kernel takes some, and a connection may hold 2 MiB. */
    @Test
    void a_client_that_reads_nothing_gets_no_more_replies_made_until_it_reads() throws IOException {
        try (Endpoints server = tight();
                Socket socket = slow(server)) {
            askForScans(socket);
            awaitRest(server);
            assertThat(begun(server)).isLessThan(SCANS / 2);
            assertThat(server.endpoint.replies().used()).isLessThan(16 << 20);
            assertThat(answers(socket, SCANS)).isEqualTo(ids(SCANS));
            await(() -> server.endpoint.replies().used() == 0);
            assertThat(server.endpoint.replies().waiting()).isZero();
        }
    }

    @Test
    void a_client_that_reads_nothing_keeps_no_other_waiting() throws Exception {
        try (Endpoints server = tight();
                Socket socket = slow(server)) {
            askForScans(socket);
            awaitRest(server);
            try (Socket other = slow(server)) {
                askForScans(other);
                assertThat(answers(other, SCANS)).isEqualTo(ids(SCANS));
            }
            socket.getOutputStream().write(frame(new Request.Ping(), SCANS + 1));
            assertThat(answers(socket, SCANS + 1)).isEqualTo(ids(SCANS + 1));
        }
    }

    @Test
    void a_client_that_goes_away_leaves_nothing_behind() throws IOException {
        try (Endpoints server = tight()) {
            try (Socket socket = slow(server)) {
                askForScans(socket);
                awaitRest(server);
            }
            await(() -> server.endpoint.replies().used() == 0);
            await(() -> server.endpoint.replies().waiting() == 0);
            await(() -> server.regions.openCursors.get() == 0);
        }
    }

    private static Endpoints tight() {
        Endpoints server =
                new Endpoints(
                        new NetLimits(
                                5_000, 10_000, 600_000, 600_000, 1 << 20, 1 << 20, 16 << 20, 10));
        server.regions.scanText = new byte[ROW_BYTES];
        return server;
    }

    private static Socket slow(Endpoints server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 << 10);
        socket.connect(server.endpoint.address());
        Handshake hello = new Handshake.ClientHello("", "");
        ByteBuilder frame =
                FrameSender.frame(MessageType.HELLO, 0, 0, out -> Handshake.put(hello, out));
        socket.getOutputStream().write(frame.toByteArray());
        assertThat(nextId(new DataInputStream(socket.getInputStream()))).isZero();
        return socket;
    }

    private static void askForScans(Socket socket) throws IOException {
        ScanRequest scan =
                new ScanRequest(1, 0, KeyRange.ALL, new int[] {0, 1}, Predicate.ALWAYS, ROWS);
        ByteBuilder all = new ByteBuilder(1 << 14);
        for (int id = 1; id <= SCANS; id++) {
            byte[] frame = frame(new Request.OpenScan(scan, new byte[] {0, 1}), id);
            all.write(frame, 0, frame.length);
        }
        socket.getOutputStream().write(all.array(), 0, all.length());
    }

    private static byte[] frame(Request request, long id) {
        return FrameSender.frame(request, id, 0).toByteArray();
    }

    private static int begun(Endpoints server) {
        return server.regions.scansBegun.availablePermits();
    }

    /** Until all requests have come, and were begun or are kept. */
    private static void awaitRest(Endpoints server) {
        await(() -> begun(server) + server.endpoint.replies().waiting() >= SCANS);
    }

    private static Set<Long> answers(Socket socket, int count) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        Set<Long> ids = new TreeSet<>();
        while (ids.size() < count) {
            ids.add(nextId(in));
        }
        return ids;
    }

    private static Set<Long> ids(int count) {
        return LongStream.rangeClosed(1, count)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long nextId(DataInputStream in) throws IOException {
        byte[] header = new byte[Frame.HEADER_BYTES];
        in.readFully(header);
        ByteParser parser = new ByteParser(header, "a header");
        in.skipNBytes(parser.getInt());
        parser.getInt();
        parser.getByte();
        return parser.getLong();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    // The rules

    private final ReplyBudget budget = new ReplyBudget(800);
    private final List<String> run = new ArrayList<>();

    private boolean kept(ReplyBudget.Share share, String name) {
        return share.keep(() -> run.add(name));
    }

    @Test
    void what_waits_goes_on_when_most_is_gone() {
        ReplyBudget.Share share = budget.share();
        share.add(200);
        assertThat(kept(share, "fits")).isFalse();
        share.add(1);
        assertThat(kept(share, "first")).isTrue();
        assertThat(kept(share, "second")).isTrue();
        share.remove(150);
        assertThat(run).isEmpty();
        assertThat(share.hasWaiting()).isTrue();
        share.remove(1);
        assertThat(run).containsExactly("first", "second");
        assertThat(share.hasWaiting()).isFalse();
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void when_all_together_hold_too_much_each_waits_for_its_own() {
        List<ReplyBudget.Share> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(budget.share());
            others.get(i).add(161);
        }
        ReplyBudget.Share fresh = budget.share();
        assertThat(kept(fresh, "of who holds nothing")).isFalse();
        fresh.add(1);
        assertThat(kept(fresh, "of who holds something")).isTrue();
        fresh.remove(1);
        assertThat(run).containsExactly("of who holds something");
        assertThat(kept(others.getFirst(), "of who holds much")).isTrue();
        others.getFirst().remove(160);
        assertThat(run).endsWith("of who holds much");
        assertThat(budget.used()).isEqualTo(1 + 4 * 161);
    }
}
