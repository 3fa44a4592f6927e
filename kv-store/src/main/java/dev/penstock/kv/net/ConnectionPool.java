package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Secret;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslHandler;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * One connection to each server, opened when it is first needed and again after it was lost.
 * Thread-safe; calls block and must not be made on an event loop.
 */
public final class ConnectionPool implements AutoCloseable {
    /** A deadline is enforced at the next heartbeat; the waiting thread gives it that much more. */
    private static final long GRACE_MILLIS = 10_000;

    private final Transport transport;
    private final NetLimits limits;
    private final OutboundBudget outbound;
    private final Supplier<String> clusterId;
    private final ClientSecurity security;
    private final Optional<TlsContexts> tls;
    private final ConcurrentHashMap<String, CompletableFuture<ClientConnection>> connections =
            new ConcurrentHashMap<>();

    /** Addresses whose servers have greeted this client; as many as a cluster has servers. */
    private final Set<String> met = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * @param clusterId the store whose servers are meant, or empty to take any
     */
    public ConnectionPool(
            Transport transport,
            NetLimits limits,
            Supplier<String> clusterId,
            ClientSecurity security) {
        this.transport = transport;
        this.limits = limits;
        this.outbound = new OutboundBudget(limits.outboundBytes());
        this.clusterId = clusterId;
        this.security = security;
        this.tls = security.tls().map(files -> new TlsContexts(files, false, line -> {}));
    }

    /** Whichever region server listens there; nothing is sent before it is called. */
    public RegionService regions(String address) {
        return new RemoteRegionService(this, Destination.anyAt(address));
    }

    /**
     * This region server; nothing is sent before it is called, and nothing to another one that
     * listens at its address, for which calls fail with category REROUTE.
     */
    public RegionService regions(ServerDescriptor server) {
        return new RemoteRegionService(this, Destination.of(server));
    }

    /** The leader that listens there; nothing is sent before it is called. */
    public MetadataService metadata(String address) {
        return new RemoteMetadataService(this, address);
    }

    /** The cluster that the server says it belongs to; empty while it does not know. */
    public String clusterIdOf(String address) {
        return connection(address).hello().clusterId();
    }

    /** A usable connection to a server, and to no other one at its address. */
    ClientConnection connection(Destination destination) {
        ClientConnection connection = connection(destination.address());
        destination.check(connection.hello());
        return connection;
    }

    /**
     * A usable connection to whoever listens there.
     *
     * @throws PenstockException of category RETRY that names the address if there is none to be had
     */
    ClientConnection connection(String address) {
        if (closed) {
            throw PenstockException.conflict("the connections to the store have been closed");
        }
        CompletableFuture<ClientConnection> future =
                connections.compute(
                        address, (key, known) -> known == null || dead(known) ? open(key) : known);
        try {
            return future.get(2 * limits.connectMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            connections.remove(address, future);
            throw e.getCause() instanceof PenstockException failure
                    ? copyOf(failure)
                    : unreachable(address, String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            connections.remove(address, future);
            throw unreachable(address, "no answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.io("the wait for server " + address + " was interrupted", e);
        }
    }

    private static boolean dead(CompletableFuture<ClientConnection> future) {
        return future.isCompletedExceptionally() || (future.isDone() && !future.join().usable());
    }

    private CompletableFuture<ClientConnection> open(String address) {
        InetSocketAddress target = Addresses.resolve(address);
        checkPlainText(target, address);
        CompletableFuture<ClientConnection> result = new CompletableFuture<>();
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(transport.group())
                        .channel(transport.clientChannel())
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.toIntExact(limits.connectMillis()))
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        ClientConnection connection =
                                                new ClientConnection(
                                                        channel,
                                                        address,
                                                        hello(),
                                                        met.contains(address),
                                                        limits,
                                                        outbound);
                                        Sockets.prepare(channel, connection, tls(channel, target));
                                        connection
                                                .ready()
                                                .whenComplete(
                                                        (ready, e) -> complete(result, ready, e));
                                    }
                                });
        bootstrap
                .connect(target)
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        result.completeExceptionally(unreachable(address, reason(done.cause())));
                    }
                });
        return result;
    }

    private Handshake.ClientHello hello() {
        return new Handshake.ClientHello(
                clusterId.get(), security.proof().map(Secret::reveal).orElse(""));
    }

    private Optional<SslHandler> tls(Channel channel, InetSocketAddress target) {
        return tls.map(
                contexts -> contexts.connecting(channel.alloc(), target, limits.connectMillis()));
    }

    private void checkPlainText(InetSocketAddress target, String address) {
        if (tls.isEmpty() && !security.insecure() && !target.getAddress().isLoopbackAddress()) {
            throw PenstockException.usage(
                    "server "
                            + address
                            + " is not on this machine: name the CA of its certificate (--tls-ca),"
                            + " or allow plain text with --insecure");
        }
    }

    private void complete(
            CompletableFuture<ClientConnection> result, ClientConnection ready, Throwable failure) {
        if (failure == null) {
            met.add(ready.address());
            result.complete(ready);
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** Calls a server and waits for its reply; what the server throws is thrown here. */
    Reply call(Destination destination, Request request, Duration deadline) {
        return call(connection(destination), request, deadline);
    }

    /**
     * As {@link #call}, and once more on a new connection if the connection was lost: for requests
     * that may arrive twice.
     */
    Reply callAgain(Destination destination, Request request, Duration deadline) {
        ClientConnection connection = connection(destination);
        try {
            return call(connection, request, deadline);
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.RETRY || connection.usable()) {
                throw e;
            }
            return call(connection(destination), request, deadline);
        }
    }

    Reply call(ClientConnection connection, Request request, Duration deadline) {
        return await(
                connection,
                request,
                connection.send(request, System.nanoTime() + deadline.toNanos()),
                deadline);
    }

    Reply await(
            ClientConnection connection,
            Request request,
            CompletableFuture<Call.RawReply> reply,
            Duration deadline) {
        try {
            return reply.get(deadline.toMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS)
                    .decode(connection.address());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PenstockException failure) {
                throw copyOf(failure);
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new PenstockException(
                    ErrorCategory.RETRY,
                    "server "
                            + connection.address()
                            + " did not answer "
                            + RequestCodec.typeOf(request)
                            + " in time",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.io(
                    "the wait for server " + connection.address() + " was interrupted", e);
        }
    }

    /** With the stack trace of the thread that meets it. */
    private static PenstockException copyOf(PenstockException failure) {
        return new PenstockException(
                failure.category(), String.valueOf(failure.getMessage()), failure);
    }

    /** The system's reason without the names of its calls. */
    private static String reason(Throwable cause) {
        String said = cause.getMessage();
        String message = said == null ? cause.toString() : said;
        if (cause instanceof ConnectTimeoutException) {
            return "no answer in time";
        }
        for (String known :
                List.of("Connection refused", "No route to host", "Network is unreachable")) {
            if (message.contains(known)) {
                return known.toLowerCase(Locale.ROOT);
            }
        }
        return message;
    }

    private static PenstockException unreachable(String address, String why) {
        return new PenstockException(
                ErrorCategory.RETRY, "server " + address + " cannot be reached: " + why);
    }

    /** Bytes of fragments that are on their way. */
    long outboundBytes() {
        return outbound.used();
    }

    /** Ends all connections; calls under way fail. */
    @Override
    public void close() {
        closed = true;
        for (CompletableFuture<ClientConnection> future : connections.values()) {
            future.thenAccept(ClientConnection::close);
        }
        connections.clear();
    }
}
