package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.UncaughtError;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.ChunkText;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession.TextUse;
import dev.penstock.target.TextFile;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The client's end of one connection: hello first, then requests of many threads, pipelined, each
 * with an id that its reply repeats. Fragments are sent only against credit that the server has
 * granted, and within what this process allows itself for all connections; a sender without credit
 * waits.
 */
final class ClientConnection extends FrameReceiver {
    /** The id of what no call waits for: the hello and heartbeats. */
    private static final long HELLO_ID = 0;

    private final String address;
    private final Handshake.ClientHello mine;
    private final boolean metBefore;
    private final NetLimits limits;
    private final OutboundBudget outbound;
    private final CompletableFuture<ClientConnection> ready = new CompletableFuture<>();
    private final ConcurrentHashMap<Long, Call> calls = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong(HELLO_ID);
    private final CreditGate gate = new CreditGate();

    private volatile Handshake.ServerHello hello =
            new Handshake.ServerHello("", "", "", 1, "", false, 0, "");
    private volatile Channel channel;
    private volatile boolean greeted;
    private volatile boolean closed;
    private volatile PenstockException ending;

    // Guarded by this: whether the server reads files for this client, once it was tried.
    private boolean triedToShow;
    private boolean shown;

    /**
     * @param channel not yet connected
     * @param mine what this client says first
     * @param metBefore whether a server there has greeted this client on an earlier connection
     * @param outbound shared with the other connections
     */
    ClientConnection(
            Channel channel,
            String address,
            Handshake.ClientHello mine,
            boolean metBefore,
            NetLimits limits,
            OutboundBudget outbound) {
        this.channel = channel;
        this.address = address;
        this.mine = mine;
        this.metBefore = metBefore;
        this.limits = limits;
        this.outbound = outbound;
        this.ending = lost("was closed");
    }

    /** Completes after the handshake. */
    CompletableFuture<ClientConnection> ready() {
        return ready;
    }

    String address() {
        return address;
    }

    Handshake.ServerHello hello() {
        return hello;
    }

    boolean usable() {
        return !closed && channel.isActive();
    }

    /**
     * Something if the server is at the same address as this end, nothing is encrypted, and nobody
     * is between them: behind a tunnel or a proxy that listens here may be another machine.
     */
    TextUse textUse() {
        TextUse near = hello.readyForText() ? TextUse.ALL : TextUse.REHEARSAL;
        return isNear() ? near : TextUse.NONE;
    }

    private boolean isNear() {
        return channel.remoteAddress() instanceof InetSocketAddress there
                && channel.localAddress() instanceof InetSocketAddress here
                && there.getAddress().equals(here.getAddress())
                && hello.client().equals(Addresses.format(here))
                && channel.pipeline().get(SslHandler.class) == null;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        Sockets.connected(channel);
        if (channel.pipeline().get(SslHandler.class) == null) {
            sayHello();
        }
        context.executor()
                .schedule(
                        () -> {
                            if (!greeted && !closed) {
                                end(context, lost("was not answered in time"));
                            }
                        },
                        limits.connectMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void sayHello() {
        FrameSender.write(
                channel,
                FrameSender.frame(MessageType.HELLO, HELLO_ID, 0, out -> Handshake.put(mine, out)));
    }

    /** Nothing is said before the server has proved who it is. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                sayHello();
            } else {
                end(context, TlsFailures.ofHandshake(handshake.cause(), address));
            }
        }
    }

    @Override
    int maxFrameBytes() {
        return greeted ? Frame.MAX_BYTES : Frame.MAX_HANDSHAKE_BYTES;
    }

    @Override
    boolean admit(ChannelHandlerContext context, MessageType type, int bytes) {
        return true;
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
            greet(context, type, message);
            return;
        }
        Call call = calls.remove(requestId);
        switch (call) {
            case null -> {
                // A heartbeat, or the reply to a call that was given up.
            }
            case Call.Waiting waiting -> waiting.reply().complete(new Call.RawReply(type, message));
            case Call.Sent sent -> acknowledge(sent, new Call.RawReply(type, message));
        }
    }

    private void acknowledge(Call.Sent sent, Call.RawReply raw) {
        outbound.giveBack(sent.bytes());
        Reply.Acknowledged answer;
        try {
            answer = acknowledgement(raw);
        } catch (PenstockException e) {
            gate.grant(sent.bytes());
            sent.failed(e);
            return;
        } catch (RuntimeException | Error e) {
            // Whoever waits for the fragment hears of it whatever happens, such as used-up memory.
            gate.grant(sent.bytes());
            sent.failed(PenstockException.internal("an answer could not be read: " + e));
            return;
        }
        gate.grant(answer.creditBytes());
        if (answer.ack().outcome() == FragmentAck.Outcome.UNREAD) {
            readsNoFiles();
        }
        sent.listener().acknowledged(answer.ack());
    }

    private Reply.Acknowledged acknowledgement(Call.RawReply raw) {
        if (raw.decode(address) instanceof Reply.Acknowledged answer) {
            return answer;
        }
        throw PenstockException.corrupt(
                "server " + address + " answered a fragment with " + raw.type());
    }

    private void greet(ChannelHandlerContext context, MessageType type, byte[] message) {
        if (type == MessageType.FAILURE) {
            try {
                new Call.RawReply(type, message).decode(address);
            } catch (PenstockException e) {
                end(context, refused(e));
            }
            return;
        }
        if (type != MessageType.HELLO) {
            throw PenstockException.corrupt("it sent " + type + " before its hello");
        }
        hello = Handshake.getServer(new ByteParser(message, "the hello of server " + address));
        greeted = true;
        gate.open(hello.creditBytes());
        long beat = limits.heartbeatMillis();
        var heartbeat =
                context.executor()
                        .scheduleAtFixedRate(
                                () -> orBreak(context, () -> beat(context)),
                                beat,
                                beat,
                                TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(done -> heartbeat.cancel(false));
        ready.complete(this);
    }

    /**
     * Wrong usage is that of a command which begins. Where this address has been reached before,
     * its server has been replaced by one of another version; a load that can be resumed outlives
     * that.
     */
    private PenstockException refused(PenstockException refusal) {
        return refusal.category() == ErrorCategory.USAGE && metBefore
                ? new PenstockException(
                        ErrorCategory.DENIED,
                        "server "
                                + address
                                + " has become one of another version: "
                                + refusal.getMessage(),
                        refusal)
                : refusal;
    }

    private void beat(ChannelHandlerContext context) {
        FrameSender.write(context.channel(), FrameSender.frame(new Request.Ping(), HELLO_ID, 0));
        long now = System.nanoTime();
        if (silentNanos() > TimeUnit.MILLISECONDS.toNanos(limits.silenceMillis())) {
            end(context, lost("has been silent for too long"));
            return;
        }
        calls.forEach((id, call) -> {
            if (now - call.deadlineNanos() > 0 && calls.remove(id, call)) {
                if (call instanceof Call.Sent sent) {
                    gate.grant(sent.bytes());
                }
                failed(call, lost("did not answer a call in time"));
            }
        });
    }

    /** Sends a request; the future fails with a {@link PenstockException}. */
    CompletableFuture<Call.RawReply> send(Request request, long deadlineNanos) {
        CompletableFuture<Call.RawReply> reply = new CompletableFuture<>();
        long id = lastId.incrementAndGet();
        ByteBuilder frame = FrameSender.frame(request, id, 0);
        register(id, new Call.Waiting(RequestCodec.typeOf(request), deadlineNanos, reply));
        FrameSender.write(channel, frame);
        return reply;
    }

    /**
     * Sends a fragment once there is credit for it.
     *
     * @throws PenstockException if the connection ends before it was sent
     */
    void sendFragment(
            Request.Fragment request,
            byte[] payload,
            int length,
            long deadlineNanos,
            FragmentListener listener) {
        long id = lastId.incrementAndGet();
        ByteBuilder head = FrameSender.frame(request, id, length);
        sendFragment(id, new OutboundFrame(head, payload, length), length, deadlineNanos, listener);
    }

    /**
     * The same of a chunk's text that is still in its file, or of where it is.
     *
     * @return bytes that are sent
     */
    int sendText(
            String loadId,
            FragmentHeader header,
            ChunkText text,
            TextFile file,
            long deadlineNanos,
            FragmentListener listener) {
        long id = lastId.incrementAndGet();
        OutboundFrame frame;
        int credit;
        if (!header.isRehearsal() && file.isKnown() && readsFiles()) {
            ChunkInFile place = new ChunkInFile(text, file.path(), file.key(), file.bytes());
            frame = inFile(id, loadId, header, place);
            credit = place.creditBytes();
        } else {
            frame = withText(id, loadId, header, text, file);
            credit = text.payloadLength();
        }
        sendFragment(id, frame, credit, deadlineNanos, listener);
        return frame.length();
    }

    private static OutboundFrame inFile(
            long id, String loadId, FragmentHeader header, ChunkInFile chunk) {
        ByteBuilder place = new ByteBuilder(1 << 8);
        chunk.put(place);
        Request.Fragment request =
                new Request.Fragment(
                        loadId,
                        header.inFile(),
                        Dispatcher.checksum(place.array(), place.length()));
        return new OutboundFrame(
                FrameSender.frame(request, id, place.length()), place.array(), place.length());
    }

    private static OutboundFrame withText(
            long id, String loadId, FragmentHeader header, ChunkText text, TextFile file) {
        Request.Fragment request = new Request.Fragment(loadId, header, 0);
        return new OutboundFrame(
                FrameSender.frame(request, id, text.payloadLength()),
                new OutboundFrame.FileText(file.channel(), text.position(), text.length()),
                text.trailer(),
                ChunkText.TRAILER_BYTES);
    }

    /** See {@link RemoteCluster#fileTextBytes}. */
    int fileTextBytes() {
        return readsFiles() ? hello.textBytes() : 0;
    }

    /** Whether the server reads files for this client, as it is of its user and machine. */
    private synchronized boolean readsFiles() {
        if (!triedToShow) {
            triedToShow = true;
            shown =
                    isNear()
                            && !hello.neighbour().isEmpty()
                            && channel.remoteAddress() instanceof InetSocketAddress there
                            && Neighbours.show(
                                    hello.neighbour(), hello.client(), Addresses.format(there));
        }
        return shown;
    }

    /** The server cannot see this client's files, or not this one. */
    private synchronized void readsNoFiles() {
        shown = false;
    }

    private void sendFragment(
            long id,
            OutboundFrame frame,
            int length,
            long deadlineNanos,
            FragmentListener listener) {
        if (!gate.take(length)) {
            throw new PenstockException(
                    ending.category(), String.valueOf(ending.getMessage()), ending);
        }
        try {
            outbound.take(length);
        } catch (PenstockException e) {
            gate.grant(length);
            throw e;
        }
        register(id, new Call.Sent(length, deadlineNanos, listener));
        FrameSender.write(channel, frame);
    }

    private void register(long id, Call call) {
        calls.put(id, call);
        if (closed && calls.remove(id, call)) {
            failed(call, ending);
        }
    }

    /** Tells a call that nobody will answer any more. */
    private void failed(Call call, PenstockException reason) {
        if (call instanceof Call.Sent sent) {
            outbound.giveBack(sent.bytes());
        }
        call.failed(reason);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (greeted) {
            end(context, lost("was lost"));
        } else if (context.pipeline().get(SslHandler.class) != null) {
            end(
                    context,
                    lost("was ended before it was answered; it may have too many connections"));
        } else {
            end(
                    context,
                    lost(
                            "was ended before it was answered; it may want TLS (--tls-ca), or have"
                                    + " too many connections"));
        }
    }

    @Override
    void broken(ChannelHandlerContext context, Throwable cause) {
        Optional<PenstockException> tls =
                greeted ? Optional.empty() : TlsFailures.atClient(cause, address);
        end(context, tls.orElseGet(() -> lost("broke: " + cause.getMessage())));
    }

    /** Ends the connection; the first reason counts. */
    private void end(ChannelHandlerContext context, PenstockException reason) {
        if (!closed) {
            ending = reason;
            closed = true;
            gate.close();
            ready.completeExceptionally(reason);
            context.close();
        }
        // Calls registered while this runs see that it is closed and fail themselves.
        calls.forEach((id, call) -> {
            if (calls.remove(id, call)) {
                ended(call);
            }
        });
    }

    /** A listener that throws keeps no other one waiting. */
    private void ended(Call call) {
        try {
            failed(call, ending);
        } catch (RuntimeException | Error e) {
            ending.addSuppressed(UncaughtError.handOn(e));
        }
    }

    void close() {
        channel.close();
    }

    private PenstockException lost(String how) {
        return new PenstockException(
                ErrorCategory.RETRY, "the connection to server " + address + " " + how);
    }
}
