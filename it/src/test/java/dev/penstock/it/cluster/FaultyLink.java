package dev.penstock.it.cluster;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.MessageType;

import org.jspecify.annotations.Nullable;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * A way to one server on which replies get lost after the server has done what was asked, come
 * twice, late or in another order, and on which requests come once more, even after the load that
 * they belong to has ended. It understands frames, and nothing of what is in them but their type.
 */
final class FaultyLink implements AutoCloseable {
    /** What changes something and may be sent again by a client that was not answered. */
    private static final Set<MessageType> REPEATABLE =
            EnumSet.of(
                    MessageType.FRAGMENT,
                    MessageType.FINISH,
                    MessageType.PUBLISH,
                    MessageType.ABORT);

    private static final int LONGEST_DELAY_MILLIS = 20;
    private static final int LATEST_REPEAT_MILLIS = 400;

    /** What happens to a reply. */
    enum Fault {
        /** The connection is cut; the server has done what was asked. */
        LOST,
        /** The connection is cut in the middle of the reply. */
        HALF,
        DOUBLED,
        DELAYED,
        /** The connection is cut before the request gets to the server. */
        NOT_SENT,
        /** The request comes to the server once more, later, by another connection. */
        REPEATED
    }

    private final InetSocketAddress server;
    private final ServerSocket listener;
    private final Random seeds;
    private final ScheduledExecutorService later =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("faulty-link").daemon().factory());
    private final Set<Pipe> pipes = ConcurrentHashMap.newKeySet();
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger again = new AtomicInteger();
    private final Map<Fault, AtomicInteger> faults = new EnumMap<>(Fault.class);
    private volatile int oneIn = Integer.MAX_VALUE;
    private @Nullable Ghost ghost;

    FaultyLink(String server, long seed) throws IOException {
        int colon = server.lastIndexOf(':');
        this.server =
                new InetSocketAddress(
                        server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
        this.seeds = new Random(seed);
        for (Fault fault : Fault.values()) {
            faults.put(fault, new AtomicInteger());
        }
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Where clients connect. */
    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** From now on about one of so many requests meets a fault. */
    void disturb(int oneOfSoMany) {
        oneIn = oneOfSoMany;
    }

    /** Requests that change something and came to the server more than once. */
    int cameAgain() {
        return again.get();
    }

    int count(Fault fault) {
        return counter(fault).get();
    }

    private AtomicInteger counter(Fault fault) {
        AtomicInteger counter = faults.get(fault);
        if (counter == null) {
            throw new IllegalStateException(fault.name());
        }
        return counter;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                client.setTcpNoDelay(true);
                Pipe pipe = new Pipe(client, new Random(seeds.nextLong()));
                pipes.add(pipe);
                Thread.ofVirtual().start(pipe::requests);
                Thread.ofVirtual().start(pipe::replies);
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private static byte @Nullable [] read(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(Frame.HEADER_BYTES);
        if (header.length < Frame.HEADER_BYTES) {
            return null;
        }
        int length = ByteAccess.getInt(header, Frame.LENGTH);
        byte[] frame = java.util.Arrays.copyOf(header, Frame.HEADER_BYTES + length);
        in.readFully(frame, Frame.HEADER_BYTES, length);
        return frame;
    }

    private static MessageType type(byte[] frame) {
        return MessageType.of(frame[Frame.TYPE]);
    }

    private static long id(byte[] frame) {
        return ByteAccess.getLong(frame, Frame.REQUEST_ID);
    }

    private void note(byte[] frame) {
        int bulk = ByteAccess.getInt(frame, Frame.BULK_LENGTH);
        CRC32C crc = new CRC32C();
        crc.update(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES - bulk);
        long what = crc.getValue() << 8 | frame[Frame.TYPE];
        if (!seen.add(what)) {
            again.incrementAndGet();
        }
    }

    /** One connection of a client and its continuation to the server. */
    private final class Pipe {
        private final Socket client;
        private final Socket upstream;
        private final Random random;
        private final Set<Long> doomed = ConcurrentHashMap.newKeySet();
        private volatile byte[] hello = new byte[0];

        Pipe(Socket client, Random random) throws IOException {
            this.client = client;
            this.random = random;
            this.upstream = new Socket(server.getAddress(), server.getPort());
            upstream.setTcpNoDelay(true);
        }

        /** Client to server. */
        void requests() {
            try (DataInputStream in = new DataInputStream(client.getInputStream())) {
                OutputStream out = upstream.getOutputStream();
                byte[] frame = read(in);
                while (frame != null) {
                    request(frame, out);
                    frame = read(in);
                }
            } catch (IOException e) {
                // Cut, or one end has gone.
            } finally {
                cut();
            }
        }

        private void request(byte[] frame, OutputStream out) throws IOException {
            if (type(frame) == MessageType.HELLO) {
                hello = frame;
                out.write(frame);
                return;
            }
            boolean changes = REPEATABLE.contains(type(frame));
            if (changes && random.nextInt(oneIn) == 0) {
                switch (random.nextInt(5)) {
                    case 0 -> {
                        counter(Fault.NOT_SENT).incrementAndGet();
                        cut();
                        return;
                    }
                    case 1 -> repeat(hello, frame, random.nextInt(LATEST_REPEAT_MILLIS));
                    default -> doomed.add(id(frame));
                }
            }
            if (changes) {
                note(frame);
            }
            out.write(frame);
        }

        /** Server to client. */
        void replies() {
            try (DataInputStream in = new DataInputStream(upstream.getInputStream())) {
                byte[] frame = read(in);
                while (frame != null) {
                    reply(frame);
                    frame = read(in);
                }
            } catch (IOException e) {
                // Cut, or one end has gone.
            } finally {
                cut();
            }
        }

        private void reply(byte[] frame) throws IOException {
            if (!doomed.remove(id(frame))) {
                send(frame, frame.length);
                return;
            }
            int fate = random.nextInt(8);
            if (fate < 4) {
                counter(Fault.LOST).incrementAndGet();
                cut();
            } else if (fate == 4) {
                counter(Fault.HALF).incrementAndGet();
                send(frame, 1 + random.nextInt(frame.length - 1));
                cut();
            } else if (fate == 5) {
                counter(Fault.DOUBLED).incrementAndGet();
                send(frame, frame.length);
                send(frame, frame.length);
            } else {
                counter(Fault.DELAYED).incrementAndGet();
                later.schedule(
                        () -> late(frame),
                        1 + random.nextInt(LONGEST_DELAY_MILLIS),
                        TimeUnit.MILLISECONDS);
            }
        }

        private void late(byte[] frame) {
            try {
                send(frame, frame.length);
            } catch (IOException e) {
                cut();
            }
        }

        private void send(byte[] frame, int length) throws IOException {
            synchronized (this) {
                client.getOutputStream().write(frame, 0, length);
            }
        }

        void cut() {
            pipes.remove(this);
            closeQuietly(client);
            closeQuietly(upstream);
        }
    }

    private void repeat(byte[] hello, byte[] frame, int millis) {
        counter(Fault.REPEATED).incrementAndGet();
        later.schedule(() -> haunt(hello, frame), millis, TimeUnit.MILLISECONDS);
    }

    /** On the thread of {@link #later} only. */
    private void haunt(byte[] hello, byte[] frame) {
        try {
            Ghost open = ghost;
            if (open == null || !open.alive()) {
                open = new Ghost(hello);
                ghost = open;
            }
            open.send(frame);
            note(frame);
        } catch (IOException e) {
            ghost = null;
        }
    }

    /** A connection for requests whose client does not know of them; nobody reads the replies. */
    private final class Ghost {
        private final Socket socket;
        private volatile boolean ended;
        private long lastId = 1_000_000_000L;

        Ghost(byte[] hello) throws IOException {
            socket = new Socket(server.getAddress(), server.getPort());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write(hello);
            byte[] greeting = read(in);
            if (greeting == null) {
                throw new IOException("no greeting");
            }
            Thread.ofVirtual().start(() -> discard(in));
        }

        private void discard(DataInputStream in) {
            try {
                byte[] frame = read(in);
                while (frame != null) {
                    frame = read(in);
                }
            } catch (IOException e) {
                // The server has ended it.
            }
            ended = true;
        }

        boolean alive() {
            return !ended;
        }

        void send(byte[] frame) throws IOException {
            byte[] copy = frame.clone();
            ByteAccess.putLong(copy, Frame.REQUEST_ID, ++lastId);
            socket.getOutputStream().write(copy);
        }

        void close() {
            closeQuietly(socket);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    @Override
    public void close() {
        later.shutdownNow();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List.copyOf(pipes).forEach(Pipe::cut);
        Ghost open = ghost;
        if (open != null) {
            open.close();
        }
    }
}
