package dev.penstock.kv.net;

import dev.penstock.error.PenstockException;
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
import java.net.InetSocketAddress;

/** A listening socket with everything behind it. Closing it ends its connections and requests. */
public final class ServerEndpoint implements AutoCloseable {
    private final Served served;
    private final NetLimits limits;
    private final Lanes lanes;
    private final InboundBudget budget;
    private final BulkArrays bulks;
    private final ChannelGroup connections;
    private final Channel listener;

    private ServerEndpoint(
            Transport transport, InetSocketAddress address, Served served, NetLimits limits) {
        this.served = served;
        this.limits = limits;
        this.budget = new InboundBudget(limits.inboundBytes());
        this.bulks = new BulkArrays(limits.inboundBytes() / 4);
        this.connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        this.lanes = new Lanes("penstock", served.log());
        Dispatcher dispatcher = new Dispatcher(served, transport);
        this.listener = bind(transport, address, dispatcher);
    }

    /**
     * Starts to listen.
     *
     * @param address port 0 takes any free one
     */
    public static ServerEndpoint open(
            Transport transport, InetSocketAddress address, Served served, NetLimits limits) {
        return new ServerEndpoint(transport, address, served, limits);
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
            served.log()
                    .accept(
                            "refused the connection of "
                                    + channel.remoteAddress()
                                    + ": there are "
                                    + limits.maxConnections()
                                    + " already");
            channel.close();
            return;
        }
        connections.add(channel);
        Sockets.prepare(channel, new ServerConnection(this, dispatcher));
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

    BulkArrays bulks() {
        return bulks;
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

    /** Stops listening, lets running requests end for a while, then ends all connections. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        lanes.close();
        connections.close().awaitUninterruptibly();
    }
}
