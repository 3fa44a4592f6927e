package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.net.Neighbours.Neighbour;
import dev.penstock.kv.security.Peer;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The server's end of one connection: handshake first, then requests, each executed on the threads
 * of its {@link Lane} and answered whenever it is done; quick reads on the event loop ({@link
 * LoopReads}). A heartbeat in both directions tells a slow peer from a dead one.
 */
final class ServerConnection extends FrameReceiver {
    /** A frame this large counts against the server's {@link InboundBudget}. */
    private static final int BUDGETED_BYTES = 64 << 10;

    /** A connection with so many requests under way is not read until half of them are done. */
    private static final int MAX_IN_FLIGHT = 1024;

    private final ServerEndpoint endpoint;
    private final Dispatcher dispatcher;
    private final OpenScans scans = new OpenScans();
    private final AtomicLong fragmentBytes = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LoopReads reads = new LoopReads();
    private final ReplyBudget.Share replies;
    private boolean greeted;

    /** Who has said hello. */
    private volatile Caller caller = new Caller(new Peer.Trusted(), Neighbour.NONE, scans);

    private final InboundBudget.Place place;

    /** What the frame that is being received holds of the server's budget. */
    private long admitted;

    /** What the peer had taken when it was last seen to take something, and when that was. */
    private long lastTaken;

    private long lastTakenNanos = System.nanoTime();

    ServerConnection(ServerEndpoint endpoint, Dispatcher dispatcher) {
        this.endpoint = endpoint;
        this.dispatcher = dispatcher;
        this.place = endpoint.budget().place();
        this.replies = endpoint.replies().share();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Sockets.connected(context.channel());
        context.executor()
                .schedule(
                        () -> {
                            if (!greeted && context.channel().isActive()) {
                                log(context, "did not say hello in time");
                                context.close();
                            }
                        },
                        endpoint.limits().handshakeMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        place.leave();
        caller.neighbour().leave();
        endpoint.budget().giveBack(admitted);
        admitted = 0;
        try {
            endpoint.lanes().execute(Lane.READ, scans::closeAll);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // There is no thread for it; nobody else would close them.
            scans.closeAll();
        }
    }

    @Override
    int maxFrameBytes() {
        return greeted ? Frame.MAX_BYTES : Frame.MAX_HANDSHAKE_BYTES;
    }

    @Override
    boolean admit(ChannelHandlerContext context, MessageType type, int bytes) {
        if (greeted == (type == MessageType.HELLO)) {
            throw PenstockException.corrupt("it sent " + type + " out of turn");
        }
        if (type == MessageType.PING && bytes > 0) {
            throw PenstockException.corrupt("it sent " + bytes + " bytes with a ping");
        }
        if (type == MessageType.FRAGMENT) {
            long outstanding = fragmentBytes.get();
            if (outstanding > 0 && outstanding + bytes > endpoint.maxFragmentBytes()) {
                throw PenstockException.corrupt(
                        "it sent " + (outstanding + bytes) + " bytes of fragments without credit");
            }
        }
        if (bytes >= BUDGETED_BYTES) {
            if (!place.take(bytes, () -> resumeSoon(context))) {
                return false;
            }
            admitted = bytes;
        }
        return true;
    }

    /** Whoever gives back has others to tell too, whatever has become of this connection. */
    private void resumeSoon(ChannelHandlerContext context) {
        try {
            context.executor().execute(() -> resume(context));
        } catch (RejectedExecutionException e) {
            // The loop has ended, and its connections with it.
        }
    }

    @Override
    byte[] newBulk(int length) {
        return endpoint.bulks().take(length);
    }

    @Override
    void frame(
            ChannelHandlerContext context,
            MessageType type,
            long requestId,
            byte[] message,
            byte[] bulk,
            int bulkLength) {
        if (!greeted) {
            greet(context, requestId, message);
            return;
        }
        if (type == MessageType.PING) {
            FrameSender.write(context.channel(), FrameSender.frame(new Reply.Pong(), requestId));
            return;
        }
        if (type == MessageType.GET && bulkLength == 0 && answered(context, requestId, message)) {
            return;
        }
        int bytes = message.length + bulkLength;
        long budgeted = admitted;
        admitted = 0;
        long fragment = type == MessageType.FRAGMENT ? bytes : 0;
        fragmentBytes.addAndGet(fragment);
        if (inFlight.incrementAndGet() == MAX_IN_FLIGHT) {
            pause(context, true);
        }
        Channel channel = context.channel();
        start(
                context,
                new Work(
                        type,
                        requestId,
                        () -> work(channel, type, requestId, message, bulk, bulkLength),
                        () -> {
                            endpoint.bulks().giveBack(bulk);
                            fragmentBytes.addAndGet(-fragment);
                            endpoint.budget().giveBack(budgeted);
                            if (inFlight.decrementAndGet() == MAX_IN_FLIGHT / 2) {
                                context.executor().execute(() -> pauseIfBehind(context));
                            }
                        }));
    }

    /**
     * A request that was taken.
     *
     * @param task answers it
     * @param settle gives back what was taken for it; run once
     */
    private record Work(MessageType type, long requestId, Runnable task, Runnable settle) {}

    private void start(ChannelHandlerContext context, Work work) {
        try {
            endpoint.lanes().execute(Lane.of(work.type), () -> runOrKeep(context, work));
        } catch (RejectedExecutionException e) {
            work.settle.run();
            Reply refusal =
                    new Reply.Failure(ErrorCategory.RETRY, "the server is stopping or overloaded");
            FrameSender.write(context.channel(), FrameSender.frame(refusal, work.requestId));
        } catch (Error e) {
            // There may be no more threads now; what was taken for the request is given back.
            work.settle.run();
            throw e;
        }
    }

    private void runOrKeep(ChannelHandlerContext context, Work work) {
        boolean kept = false;
        try {
            kept =
                    !Lane.repliesAreSmall(work.type)
                            && replies.keep(() -> startAgain(context, work));
            if (!kept) {
                work.task.run();
            }
        } finally {
            if (!kept) {
                work.settle.run();
            }
        }
        if (kept) {
            context.executor().execute(() -> pauseIfBehind(context));
        }
    }

    /** Others that were kept follow, whatever becomes of this one. */
    private void startAgain(ChannelHandlerContext context, Work work) {
        try {
            start(context, work);
            context.executor().execute(() -> pauseIfBehind(context));
        } catch (RuntimeException | Error e) {
            context.pipeline().fireExceptionCaught(e);
        }
    }

    /**
     * Answers a read of a single row here, if it is one for the loop. One whose message counts
     * against the budget is not: that is given back elsewhere. Nor is one of a client that does not
     * take its answers: these are not counted here.
     */
    private boolean answered(ChannelHandlerContext context, long requestId, byte[] message) {
        if (admitted > 0 || writer().hasWaiting() || replies.isFull() || !reads.next()) {
            return false;
        }
        long before = System.nanoTime();
        Optional<ByteBuilder> row = dispatcher.rowAtHand(caller, requestId, message);
        if (row.isEmpty()) {
            return false;
        }
        FrameSender.write(context.channel(), row.get());
        if (reads.done(System.nanoTime() - before)) {
            writer().flushNow(context);
        }
        return true;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reads.rest();
        context.fireChannelReadComplete();
    }

    /** A client that does not take its replies, or asks too much at once, is read no further. */
    private void pauseIfBehind(ChannelHandlerContext context) {
        pause(
                context,
                writer().behind() || replies.hasWaiting() || inFlight.get() >= MAX_IN_FLIGHT);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        pauseIfBehind(context);
    }

    private void work(
            Channel channel,
            MessageType type,
            long requestId,
            byte[] message,
            byte[] bulk,
            int bulkLength) {
        try {
            send(channel, dispatcher.answer(caller, type, requestId, message, bulk, bulkLength));
        } catch (RuntimeException | Error e) {
            // Whoever waits for an answer that cannot be made, for want of memory too, must not
            // wait for ever.
            channel.eventLoop().execute(() -> channel.pipeline().fireExceptionCaught(e));
        }
    }

    private void send(Channel channel, ByteBuilder reply) {
        long bytes = reply.array().length;
        replies.add(bytes);
        try {
            FrameSender.write(channel, reply).addListener(gone -> replies.remove(bytes));
        } catch (RuntimeException | Error e) {
            replies.remove(bytes);
            throw e;
        }
    }

    private void greet(ChannelHandlerContext context, long requestId, byte[] message) {
        Optional<String> otherVersion = Handshake.otherVersion(message);
        if (otherVersion.isPresent()) {
            log(context, "was refused: " + otherVersion.get());
            refuse(context, requestId, new Reply.Failure(ErrorCategory.USAGE, otherVersion.get()));
            return;
        }
        Handshake.ClientHello hello = Handshake.getClient(new ByteParser(message, "a hello"));
        Peer peer;
        try {
            peer = endpoint.guard().authenticate(certificate(context), hello.token());
        } catch (PenstockException e) {
            log(context, "was refused: " + e.getMessage());
            refuse(context, requestId, Reply.Failure.of(e));
            return;
        }
        String clusterId = endpoint.served().clusterId().get();
        if (!hello.clusterId().isEmpty()
                && !clusterId.isEmpty()
                && !hello.clusterId().equals(clusterId)) {
            Reply refusal =
                    new Reply.Failure(
                            // It has taken an address; a load that can be resumed outlives that.
                            ErrorCategory.REROUTE,
                            "this server belongs to store "
                                    + clusterId
                                    + ", not to store "
                                    + hello.clusterId());
            refuse(context, requestId, refusal);
            return;
        }
        greeted = true;
        endpoint.known(context.channel());
        Neighbour neighbour = neighbour(context.channel());
        caller = new Caller(peer, neighbour, scans);
        Handshake answer =
                new Handshake.ServerHello(
                        clusterId,
                        endpoint.served().serverId(),
                        endpoint.served().leader().get(),
                        endpoint.creditBytes(),
                        address(context.channel()),
                        endpoint.served().readyForText().getAsBoolean(),
                        endpoint.served().textBytes(),
                        neighbour.asked());
        FrameSender.write(
                context.channel(),
                FrameSender.frame(
                        MessageType.HELLO, requestId, 0, out -> Handshake.put(answer, out)));
        long beat = endpoint.limits().heartbeatMillis();
        var heartbeat =
                context.executor()
                        .scheduleAtFixedRate(
                                () -> orBreak(context, () -> beat(context)),
                                beat,
                                beat,
                                TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(closed -> heartbeat.cancel(false));
    }

    private static void refuse(ChannelHandlerContext context, long requestId, Reply refusal) {
        FrameSender.write(context.channel(), FrameSender.frame(refusal, requestId))
                .addListener(done -> context.close());
    }

    /** What the peer has proved in TLS, if it has. */
    private static @Nullable X509Certificate certificate(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        try {
            return tls != null
                            && tls.engine().getSession().getPeerCertificates()[0]
                                    instanceof X509Certificate certificate
                    ? certificate
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /** Only one that comes from this machine is asked. */
    private Neighbour neighbour(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress there
                        && channel.localAddress() instanceof InetSocketAddress here
                        && there.getAddress().equals(here.getAddress())
                        && channel.pipeline().get(SslHandler.class) == null
                ? endpoint.neighbours().ask(Addresses.format(there), Addresses.format(here))
                : Neighbour.NONE;
    }

    /** The client's, as it arrives here. */
    private static String address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress client
                ? Addresses.format(client)
                : "";
    }

    private void beat(ChannelHandlerContext context) {
        long now = System.nanoTime();
        long patienceNanos = TimeUnit.MILLISECONDS.toNanos(endpoint.limits().silenceMillis());
        boolean behind = writer().behind() || replies.isFull();
        if (!behind || writer().takenBytes() != lastTaken) {
            lastTaken = writer().takenBytes();
            lastTakenNanos = now;
        }
        if (now - lastTakenNanos > patienceNanos) {
            log(context, "has taken nothing for too long");
            context.close();
            return;
        }
        if (!writer().behind()) {
            FrameSender.write(context.channel(), FrameSender.frame(new Reply.Pong(), 0));
        }
        if (!context.channel().config().isAutoRead()) {
            return;
        }
        if (silentNanos() > patienceNanos) {
            log(context, "has been silent for too long");
            context.close();
        } else if (trickles(patienceNanos)) {
            log(context, "has taken too long over one frame");
            context.close();
        }
    }

    @Override
    void broken(ChannelHandlerContext context, Throwable cause) {
        Optional<String> tls = TlsFailures.atServer(cause);
        if (tls.isPresent()) {
            if (!greeted) {
                log(context, tls.get());
            }
        } else if (cause instanceof PenstockException) {
            log(context, "broke the protocol: " + cause.getMessage());
        } else if (!(cause instanceof IOException)) {
            log(context, "could not be served: " + cause);
        }
    }

    private void log(ChannelHandlerContext context, String what) {
        endpoint.served()
                .log()
                .accept(
                        "closed the connection of "
                                + context.channel().remoteAddress()
                                + ", which "
                                + what);
    }
}
