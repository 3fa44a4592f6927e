package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server's end of one connection: handshake first, then requests, each executed on the threads
 * of its {@link Lane} and answered whenever it is done. A heartbeat in both directions tells a slow
 * peer from a dead one.
 */
final class ServerConnection extends FrameReceiver {
    /** A frame this large counts against the server's {@link InboundBudget}. */
    private static final int BUDGETED_BYTES = 64 << 10;

    private final ServerEndpoint endpoint;
    private final Dispatcher dispatcher;
    private final OpenScans scans = new OpenScans();
    private final AtomicLong fragmentBytes = new AtomicLong();
    private boolean greeted;
    private long lastReadNanos = System.nanoTime();

    ServerConnection(ServerEndpoint endpoint, Dispatcher dispatcher) {
        this.endpoint = endpoint;
        this.dispatcher = dispatcher;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
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
        try {
            endpoint.lanes().execute(Lane.READ, scans::closeAll);
        } catch (RejectedExecutionException e) {
            scans.closeAll();
        }
    }

    @Override
    int maxFrameBytes() {
        return greeted ? Frame.MAX_BYTES : Frame.MAX_HANDSHAKE_BYTES;
    }

    @Override
    boolean admit(ChannelHandlerContext context, MessageType type, int bytes) {
        lastReadNanos = System.nanoTime();
        if (greeted == (type == MessageType.HELLO)) {
            throw PenstockException.corrupt("it sent " + type + " out of turn");
        }
        if (type == MessageType.FRAGMENT) {
            long outstanding = fragmentBytes.get();
            if (outstanding > 0 && outstanding + bytes > endpoint.maxFragmentBytes()) {
                throw PenstockException.corrupt(
                        "it sent " + (outstanding + bytes) + " bytes of fragments without credit");
            }
        }
        return bytes < BUDGETED_BYTES
                || endpoint.budget()
                        .take(bytes, () -> context.executor().execute(() -> resume(context)));
    }

    @Override
    void frame(
            ChannelHandlerContext context,
            MessageType type,
            long requestId,
            byte[] message,
            byte[] bulk,
            int bulkLength) {
        lastReadNanos = System.nanoTime();
        if (!greeted) {
            greet(context, requestId, message);
            return;
        }
        if (type == MessageType.PING) {
            FrameSender.write(context.channel(), FrameSender.frame(new Reply.Pong(), requestId));
            return;
        }
        int bytes = message.length + bulkLength;
        long budgeted = bytes < BUDGETED_BYTES ? 0 : bytes;
        long fragment = type == MessageType.FRAGMENT ? bytes : 0;
        fragmentBytes.addAndGet(fragment);
        Channel channel = context.channel();
        try {
            endpoint.lanes()
                    .execute(
                            Lane.of(type),
                            () -> {
                                try {
                                    work(channel, type, requestId, message, bulk, bulkLength);
                                } finally {
                                    fragmentBytes.addAndGet(-fragment);
                                    endpoint.budget().giveBack(budgeted);
                                }
                            });
        } catch (RejectedExecutionException e) {
            fragmentBytes.addAndGet(-fragment);
            endpoint.budget().giveBack(budgeted);
            FrameSender.write(
                    channel,
                    FrameSender.frame(
                            new Reply.Failure(
                                    ErrorCategory.RETRY, "the server is stopping or overloaded"),
                            requestId));
        }
    }

    private void work(
            Channel channel,
            MessageType type,
            long requestId,
            byte[] message,
            byte[] bulk,
            int bulkLength) {
        Request request;
        try {
            request = RequestCodec.get(type, new ByteParser(message, "a request " + type));
        } catch (PenstockException e) {
            channel.eventLoop().execute(() -> channel.pipeline().fireExceptionCaught(e));
            return;
        }
        ByteBuilder reply = dispatcher.execute(request, requestId, bulk, bulkLength, scans);
        FrameSender.write(channel, reply);
    }

    private void greet(ChannelHandlerContext context, long requestId, byte[] message) {
        Handshake.ClientHello hello = Handshake.getClient(new ByteParser(message, "a hello"));
        String clusterId = endpoint.served().clusterId().get();
        if (!hello.clusterId().isEmpty()
                && !clusterId.isEmpty()
                && !hello.clusterId().equals(clusterId)) {
            Reply refusal =
                    new Reply.Failure(
                            ErrorCategory.USAGE,
                            "this server belongs to store "
                                    + clusterId
                                    + ", not to store "
                                    + hello.clusterId());
            FrameSender.write(context.channel(), FrameSender.frame(refusal, requestId))
                    .addListener(done -> context.close());
            return;
        }
        greeted = true;
        Handshake answer =
                new Handshake.ServerHello(
                        clusterId,
                        endpoint.served().serverId(),
                        endpoint.served().leader().get(),
                        endpoint.creditBytes());
        FrameSender.write(
                context.channel(),
                FrameSender.frame(
                        MessageType.HELLO, requestId, 0, out -> Handshake.put(answer, out)));
        long beat = endpoint.limits().heartbeatMillis();
        var heartbeat =
                context.executor()
                        .scheduleAtFixedRate(
                                () -> beat(context), beat, beat, TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(closed -> heartbeat.cancel(false));
    }

    private void beat(ChannelHandlerContext context) {
        FrameSender.write(context.channel(), FrameSender.frame(new Reply.Pong(), 0));
        long silence = System.nanoTime() - lastReadNanos;
        if (context.channel().config().isAutoRead()
                && silence > TimeUnit.MILLISECONDS.toNanos(endpoint.limits().silenceMillis())) {
            log(context, "has been silent for too long");
            context.close();
        }
    }

    @Override
    void broken(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            log(context, "broke the protocol: " + cause.getMessage());
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
