package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.kv.wire.MessageType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;

/** A peer that sends garbage is disconnected, and nothing is allocated for what it claims. */
class MalformedFrameTest {
    /** Well above what a connection and its handshake take, well below any length claimed here. */
    private static final long MOST_ALLOCATED = 8 << 20;

    private static Endpoints server = new Endpoints();

    @BeforeAll
    static void start() throws IOException {
        try (Socket warm = open()) {
            hello(warm);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Arguments> firstFrames() {
        byte[] hello = helloMessage(Handshake.MAGIC, Handshake.VERSION);
        return Stream.of(
                Arguments.of("length 0", frame(0, 0, 1, 0, new byte[0])),
                Arguments.of("length 1", frame(1, 0, 1, 0, new byte[1])),
                Arguments.of("length -1", frame(-1, 0, 1, 0, hello)),
                Arguments.of("length MIN_INT", frame(Integer.MIN_VALUE, 0, 1, 0, hello)),
                Arguments.of("length MAX_INT", frame(Integer.MAX_VALUE, 0, 1, 0, hello)),
                Arguments.of("length MAX_INT-8", frame(Integer.MAX_VALUE - 8, 0, 1, 0, hello)),
                Arguments.of(
                        "a byte more than a hello may have",
                        frame(Frame.MAX_HANDSHAKE_BYTES + 1, 0, 1, 0, hello)),
                Arguments.of("length short by one", frame(hello.length - 1, 0, 1, 0, hello)),
                Arguments.of("bulk -1", frame(hello.length, -1, 1, 0, hello)),
                Arguments.of("bulk larger", frame(hello.length, hello.length + 1, 1, 0, hello)),
                Arguments.of("bulk MAX_INT", frame(hello.length, Integer.MAX_VALUE, 1, 0, hello)),
                Arguments.of("type 0", frame(hello.length, 0, 0, 0, hello)),
                Arguments.of("type 127", frame(hello.length, 0, 127, 0, hello)),
                Arguments.of("type 128", frame(hello.length, 0, 128, 0, hello)),
                Arguments.of("type 255", frame(hello.length, 0, 255, 0, hello)),
                Arguments.of("a request", frame(0, 0, MessageType.TABLES.code(), 0, new byte[0])),
                Arguments.of("a reply", frame(0, 0, MessageType.DONE.code(), 0, new byte[0])),
                Arguments.of("wrong magic", helloFrame(Handshake.MAGIC + 1, Handshake.VERSION)),
                Arguments.of(
                        "HTTP",
                        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8)),
                Arguments.of("zeros", new byte[4096]));
    }

    @ParameterizedTest
    @MethodSource("firstFrames")
    void garbageBeforeTheHelloEndsTheConnection(String name, byte[] bytes) throws IOException {
        int logged = server.log.size();
        long before = allocated();
        try (Socket socket = open()) {
            socket.getOutputStream().write(bytes);
            assertThat(endOf(socket)).as(name).isTrue();
        }
        assertThat(allocated() - before).isLessThan(MOST_ALLOCATED);
        assertThat(server.log.subList(logged, server.log.size()))
                .anyMatch(line -> line.contains("broke the protocol"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Handshake.VERSION - 1, Handshake.VERSION + 1, -1})
    void whoSpeaksAnotherVersionIsToldSo(int version) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(helloFrame(Handshake.MAGIC, version));
            assertThat(readFrame(socket, 0)).isEqualTo(MessageType.FAILURE);
            assertThat(endOf(socket)).isTrue();
        }
        assertThat(server.log).anyMatch(line -> line.contains("this client version " + version));
    }

    static Stream<Arguments> laterFrames() {
        byte[] id = new byte[8];
        int get = MessageType.GET.code();
        int drop = MessageType.DROP_REGION.code();
        return Stream.of(
                Arguments.of("length -1", frame(-1, 0, drop, 1, id)),
                Arguments.of("length MAX_INT", frame(Integer.MAX_VALUE, 0, drop, 1, id)),
                Arguments.of("a byte too many", frame(Frame.MAX_BYTES + 1, 0, drop, 1, id)),
                Arguments.of("bulk larger", frame(8, 9, drop, 1, id)),
                Arguments.of("bulk -1", frame(8, -1, drop, 1, id)),
                Arguments.of("unknown type", frame(8, 0, 99 + 28, 1, id)),
                Arguments.of("a second hello", helloFrame(Handshake.MAGIC, Handshake.VERSION)),
                Arguments.of("a reply", frame(0, 0, MessageType.DONE.code(), 1, new byte[0])),
                Arguments.of(
                        "a ping with something in it", frame(8, 0, MessageType.PING.code(), 1, id)),
                Arguments.of("too short", frame(4, 0, drop, 1, new byte[4])),
                Arguments.of("too long", frame(9, 0, drop, 1, new byte[9])),
                Arguments.of("empty", frame(0, 0, get, 1, new byte[0])),
                Arguments.of("a length beyond the end", lyingGet(1 << 30)),
                Arguments.of("a negative length", lyingGet(-1)),
                Arguments.of("rows beyond the end", lyingPut(1 << 20, 1)),
                Arguments.of("too many rows", lyingPut(Integer.MAX_VALUE, 0)),
                Arguments.of("too many columns", lyingPut(1, Integer.MAX_VALUE)),
                Arguments.of("more values than memory is for", wideningPut()));
    }

    @ParameterizedTest
    @MethodSource("laterFrames")
    void garbageAfterTheHelloEndsTheConnection(String name, byte[] bytes) throws IOException {
        int logged = server.log.size();
        long before = allocated();
        try (Socket socket = open()) {
            hello(socket);
            socket.getOutputStream().write(bytes);
            assertThat(endOf(socket)).as(name).isTrue();
        }
        assertThat(allocated() - before).isLessThan(MOST_ALLOCATED);
        assertThat(server.log.subList(logged, server.log.size()))
                .anyMatch(line -> line.contains("broke the protocol"));
        assertThat(server.endpoint.heldBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomBytesDoNotHarmTheServer(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = new byte[64 << 10];
        random.nextBytes(bytes);
        long before = allocated();
        try (Socket socket = open()) {
            if (random.nextBoolean()) {
                hello(socket);
            }
            writeQuietly(socket, bytes);
            socket.shutdownOutput();
            assertThat(endOf(socket)).isTrue();
        }
        assertThat(allocated() - before).isLessThan(MOST_ALLOCATED + Frame.MAX_BYTES);
        assertThat(server.pool.regions(server.address).closeIfEmpty(2)).isTrue();
    }

    @Test
    void aTruncatedFrameIsForgottenWithItsConnection() throws IOException {
        byte[] whole = frame(8, 0, MessageType.DROP_REGION.code(), 1, new byte[8]);
        for (int length = 0; length < whole.length; length++) {
            try (Socket socket = open()) {
                hello(socket);
                socket.getOutputStream().write(whole, 0, length);
                socket.shutdownOutput();
                assertThat(endOf(socket)).isTrue();
            }
        }
        assertThat(server.endpoint.heldBytes()).isZero();
    }

    @Test
    void aLargeFrameThatNeverEndsGivesItsMemoryBack() throws Exception {
        byte[] begun = frame(4 << 20, 4 << 20, MessageType.FRAGMENT.code(), 1, new byte[100_000]);
        try (Socket socket = open()) {
            hello(socket);
            socket.getOutputStream().write(begun);
            await(() -> server.endpoint.heldBytes() == 4 << 20);
        }
        await(() -> server.endpoint.heldBytes() == 0);
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + java.time.Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void aFrameThatComesByteByByteIsUnderstood() throws IOException {
        try (Socket socket = open()) {
            hello(socket);
            socket.setTcpNoDelay(true);
            for (byte b : frame(8, 0, MessageType.CLOSE_IF_EMPTY.code(), 77, new byte[8])) {
                socket.getOutputStream().write(b);
                socket.getOutputStream().flush();
            }
            assertThat(readFrame(socket, 77)).isEqualTo(MessageType.FLAG);
        }
    }

    @Test
    void whoSaysNothingIsDisconnected() throws IOException {
        try (Endpoints impatient = new Endpoints(Endpoints.limits().withTimes(100, 50, 20_000));
                Socket socket =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                impatient.endpoint.address().getPort())) {
            socket.getOutputStream().write(frame(8, 0, 1, 0, new byte[0]));
            assertThat(endOf(socket)).isTrue();
            assertThat(impatient.log).anyMatch(line -> line.contains("did not say hello"));
        }
    }

    @Test
    void whoFallsSilentIsDisconnected() throws IOException {
        try (Endpoints impatient = new Endpoints(Endpoints.limits().withTimes(5_000, 50, 200));
                Socket socket =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                impatient.endpoint.address().getPort())) {
            hello(socket);
            assertThat(endOf(socket)).isTrue();
            assertThat(impatient.log).anyMatch(line -> line.contains("silent"));
        }
    }

    @Test
    void aFrameThatComesForLongIsNoSilence() throws IOException {
        byte[] large = frame(1 << 20, 1 << 20, MessageType.FRAGMENT.code(), 77, new byte[0]);
        try (Endpoints impatient = new Endpoints(Endpoints.limits().withTimes(5_000, 20, 500));
                Socket socket = new Socket()) {
            socket.connect(impatient.endpoint.address());
            hello(socket);
            socket.getOutputStream().write(large);
            InputStream in = socket.getInputStream();
            // A heartbeat comes every 20 ms: 60 of them take longer than silence may.
            for (int beats = 0; beats < 60; beats++) {
                assertThat(in.readNBytes(Frame.HEADER_BYTES)).hasSize(Frame.HEADER_BYTES);
                socket.getOutputStream().write(new byte[4096]);
            }
        }
    }

    /** Else it would hold for ever what others could send their fragments with. */
    @Test
    @Timeout(60)
    void aFrameOfWhichAByteComesNowAndThenEndsTheConnection() throws IOException {
        byte[] large = frame(1 << 20, 1 << 20, MessageType.FRAGMENT.code(), 77, new byte[0]);
        try (Endpoints impatient = new Endpoints(Endpoints.limits().withTimes(5_000, 20, 300));
                Socket socket = new Socket()) {
            socket.connect(impatient.endpoint.address());
            hello(socket);
            socket.getOutputStream().write(large);
            InputStream in = socket.getInputStream();
            byte[] beat = new byte[Frame.HEADER_BYTES];
            while (takesByte(socket) && in.readNBytes(beat, 0, beat.length) == beat.length) {
                // The server lives, and so does this end.
            }
            assertThat(impatient.log).anyMatch(line -> line.contains("too long over one frame"));
            await(() -> impatient.endpoint.heldBytes() == 0);
        }
    }

    private static boolean takesByte(Socket socket) {
        try {
            socket.getOutputStream().write(0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void whoTakesNoRepliesIsReadNoFurtherAndDisconnected() throws IOException {
        byte[] ping = frame(0, 0, MessageType.PING.code(), 1, new byte[0]);
        ByteBuilder pings = new ByteBuilder(1000 * ping.length);
        for (int i = 0; i < 1000; i++) {
            pings.write(ping, 0, ping.length);
        }
        try (Endpoints impatient = new Endpoints(Endpoints.limits().withTimes(5_000, 50, 1_500));
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(64 << 10);
            socket.connect(impatient.endpoint.address());
            hello(socket);
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 10_000; i++) {
                                    socket.getOutputStream()
                                            .write(pings.array(), 0, pings.length());
                                }
                            })
                    .isInstanceOf(SocketException.class);
            assertThat(impatient.log).anyMatch(line -> line.contains("has taken nothing"));
        }
    }

    private static Socket open() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.endpoint.address().getPort());
    }

    private static void hello(Socket socket) throws IOException {
        socket.getOutputStream().write(helloFrame(Handshake.MAGIC, Handshake.VERSION));
        assertThat(readFrame(socket, 0)).isEqualTo(MessageType.HELLO);
    }

    /** Reads frames until one with that id comes; heartbeats after the hello have id 0. */
    private static MessageType readFrame(Socket socket, long id) throws IOException {
        InputStream in = socket.getInputStream();
        while (true) {
            byte[] header = in.readNBytes(Frame.HEADER_BYTES);
            assertThat(header).hasSize(Frame.HEADER_BYTES);
            dev.penstock.bytes.ByteParser parser =
                    new dev.penstock.bytes.ByteParser(header, "a header");
            int length = parser.getInt();
            parser.getInt();
            MessageType type = MessageType.of(parser.getByte());
            in.readNBytes(length);
            if (parser.getLong() == id) {
                return type;
            }
        }
    }

    /** Whether the server ends the connection; what it still sends is skipped. */
    private static boolean endOf(Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        byte[] skipped = new byte[4096];
        try {
            while (socket.getInputStream().read(skipped) >= 0) {
                // Heartbeats.
            }
            return true;
        } catch (SocketException e) {
            return true;
        }
    }

    private static void writeQuietly(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            assertThat(e).isInstanceOf(SocketException.class);
        }
    }

    private static byte[] lyingGet(int keyLength) {
        ByteBuilder message = new ByteBuilder(32);
        message.putLong(1).putLong(1).putInt(keyLength);
        return frame(message.length(), 0, MessageType.GET.code(), 1, message.toByteArray());
    }

    private static byte[] lyingPut(int rows, int columns) {
        ByteBuilder message = new ByteBuilder(32);
        message.putLong(1).putLong(1).putInt(rows).putInt(columns);
        message.putByte(0).putByte(0).putByte(8);
        return frame(message.length(), 0, MessageType.PUT.code(), 1, message.toByteArray());
    }

    /** A byte for each value would do on the way, and eight times as much in memory. */
    private static byte[] wideningPut() {
        ByteBuilder message = new ByteBuilder(64);
        message.putLong(1).putLong(1).putInt(1 << 20).putInt(17);
        for (int column = 0; column < 17; column++) {
            message.putByte(0).putByte(0).putByte(1);
        }
        return frame(message.length(), 0, MessageType.PUT.code(), 1, message.toByteArray());
    }

    private static byte[] helloMessage(long magic, int version) {
        return new ByteBuilder(32)
                .putLong(magic)
                .putInt(version)
                .putString("")
                .putString("")
                .toByteArray();
    }

    private static byte[] helloFrame(long magic, int version) {
        byte[] message = helloMessage(magic, version);
        return frame(message.length, 0, MessageType.HELLO.code(), 0, message);
    }

    private static byte[] frame(int length, int bulk, int type, long id, byte[] message) {
        ByteBuilder out = new ByteBuilder(64);
        out.putInt(length).putInt(bulk).putByte(type).putLong(id);
        out.write(message, 0, message.length);
        return out.toByteArray();
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getTotalThreadAllocatedBytes();
    }
}
