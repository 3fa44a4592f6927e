package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.security.Guard;
import dev.penstock.kv.security.Guests;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.wire.Frame;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Optional;

/** A listening socket with everything behind it. Closing it ends its connections and requests. */
public final class ServerEndpoint implements AutoCloseable {
    /** A guest comes from this machine, if from a process that has just been started. */
    private static final long GUEST_HELLO_MILLIS = 5_000;

    private final Served served;
    private final NetLimits limits;
    private final Guard guard;
    private final Optional<TlsContexts> tls;
    private final Strangers strangers;
    private final Refusals refusals;
    private final Lanes lanes;
    private final InboundBudget budget;
    private final ReplyBudget replies;
    private final BulkArrays bulks;
    private final Neighbours neighbours;
    private final ChannelGroup connections;
    private final Channel listener;

    private ServerEndpoint(
            Transport transport,
            InetSocketAddress address,
            Served served,
            NetLimits limits,
            Guard guard,
            Strangers.WhenFull whenFull,
            Optional<TlsContexts> tls) {
        this.served = served;
        this.guard = guard;
        this.tls = tls;
        this.limits = limits;
        this.strangers = new Strangers(limits.maxStrangers(), whenFull);
        this.refusals = new Refusals(served.log(), System::nanoTime);
        this.budget = new InboundBudget(limits.inboundBytes());
        this.replies = new ReplyBudget(limits.inboundBytes() / 2);
        this.bulks = new BulkArrays(limits.inboundBytes() / 4);
        this.neighbours = new Neighbours(served.neighbours());
        this.connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        this.lanes = new Lanes("penstock", served.log());
        Dispatcher dispatcher = new Dispatcher(served, guard, transport);
        this.listener = bind(transport, address, dispatcher);
    }

    /**
     * Starts to listen.
     *
     * @param address port 0 takes any free one
     */
    public static ServerEndpoint open(
            Transport transport,
            InetSocketAddress address,
            Served served,
            NetLimits limits,
            ServerSecurity security) {
        return new ServerEndpoint(
                transport,
                address,
                served,
                limits,
                new Guard(security, tables(served), InstantSource.system(), served.log()),
                Strangers.WhenFull.REFUSE,
                security.tls().map(files -> new TlsContexts(files, true, served.log())));
    }

    /** Starts to listen on a free port of loopback, in plain text, for guests and nobody else. */
    public static ServerEndpoint openToGuests(
            Transport transport, Served served, NetLimits limits, Guests guests) {
        return new ServerEndpoint(
                transport,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                served,
                limits.withTimes(
                        Math.min(limits.handshakeMillis(), GUEST_HELLO_MILLIS),
                        limits.heartbeatMillis(),
                        limits.silenceMillis()),
                Guard.of(guests, tables(served), InstantSource.system()),
                Strangers.WhenFull.END_LONGEST,
                Optional.empty());
    }

    private static Guard.Tables tables(Served served) {
        return new Guard.Tables() {
            @Override
            public String ofRegion(long regionId) {
                return served.tableOfRegion().apply(regionId);
            }

            @Override
            public Optional<String> ofLoad(String loadId) {
                return served.metadata()
                        .flatMap(leader -> tableOf(leader, loadId))
                        .or(() -> served.tableOfLoad().apply(loadId));
            }
        };
    }

    private static Optional<String> tableOf(MetadataService leader, String loadId) {
        try {
            return Optional.of(leader.load(loadId).table().schema().name());
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.CONFLICT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Channel bind(Transport transport, InetSocketAddress address, Dispatcher dispatcher) {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(transport.group())
                        .channel(transport.serverChannel())
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, 256)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel, dispatcher);
                                    }
                                });
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            lanes.close();
            throw PenstockException.io(
                    "cannot listen on "
                            + Addresses.format(address)
                            + ": "
                            + bound.cause().getMessage(),
                    bound.cause() instanceof IOException io ? io : new IOException(bound.cause()));
        }
        return bound.channel();
    }

    private void accept(Channel channel, Dispatcher dispatcher) {
        if (connections.size() >= limits.maxConnections()) {
            refuse(channel, "there are " + limits.maxConnections() + " already");
            return;
        }
        Optional<String> refusal = strangers.enter(channel);
        if (refusal.isPresent()) {
            refuse(channel, refusal.get());
            return;
        }
        channel.closeFuture().addListener(closed -> known(channel));
        connections.add(channel);
        Sockets.prepare(
                channel,
                new ServerConnection(this, dispatcher),
                tls.map(contexts -> contexts.accepting(channel.alloc(), limits.handshakeMillis())));
    }

    private void refuse(Channel channel, String why) {
        refusals.add("refused the connection of " + channel.remoteAddress() + ": " + why);
        channel.close();
    }

    /** The peer has proved who it is, or is gone. */
    void known(Channel channel) {
        strangers.leave(channel);
    }

    Guard guard() {
        return guard;
    }

    /** Where it listens, with the port that was taken. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    Served served() {
        return served;
    }

    NetLimits limits() {
        return limits;
    }

    Lanes lanes() {
        return lanes;
    }

    InboundBudget budget() {
        return budget;
    }

    ReplyBudget replies() {
        return replies;
    }

    BulkArrays bulks() {
        return bulks;
    }

    Neighbours neighbours() {
        return neighbours;
    }

    long creditBytes() {
        return limits.creditBytes();
    }

    /** Fragment bytes that a connection may have outstanding before it counts as broken. */
    long maxFragmentBytes() {
        return limits.creditBytes() + Frame.MAX_BYTES;
    }

    /** Large requests that are held now, in bytes. */
    long heldBytes() {
        return budget.used();
    }

    /** Large requests that wait until there is room for them. */
    int waitingRequests() {
        return budget.waiting();
    }

    /** Stops listening, lets running requests end for a while, then ends all connections. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        lanes.close();
        connections.close().awaitUninterruptibly();
        neighbours.close();
    }
}
