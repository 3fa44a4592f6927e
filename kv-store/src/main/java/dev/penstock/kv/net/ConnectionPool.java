package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One connection to each server, opened when it is first needed and again after it was lost.
 * Thread-safe; calls block and must not be made on an event loop.
 */
public final class ConnectionPool implements AutoCloseable {
    /** A deadline is enforced at the next heartbeat; the waiting thread gives it that much more. */
    private static final long GRACE_MILLIS = 10_000;

    private final NetLimits limits;
    private final OutboundBudget outbound;
    private final Connector connector;
    private final ConcurrentHashMap<String, CompletableFuture<ClientConnection>> connections =
            new ConcurrentHashMap<>();

    private volatile boolean closed;

    /**
     * @param clusterId the store whose servers are meant, or empty to take any
     */
    public ConnectionPool(
            Transport transport,
            NetLimits limits,
            Supplier<String> clusterId,
            ClientSecurity security) {
        this(transport, limits, clusterId, security, Addresses::resolve);
    }

    /** The same with names from elsewhere. */
    ConnectionPool(
            Transport transport,
            NetLimits limits,
            Supplier<String> clusterId,
            ClientSecurity security,
            Function<String, InetSocketAddress> names) {
        this.limits = limits;
        this.outbound = new OutboundBudget(limits.outboundBytes());
        this.connector = new Connector(transport, limits, outbound, clusterId, security, names);
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
        CompletableFuture<ClientConnection> future = connecting(address);
        try {
            return future.get(2 * limits.connectMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            connections.remove(address, future);
            throw e.getCause() instanceof PenstockException failure
                    ? copyOf(failure)
                    : Connector.unreachable(address, String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            // For all that wait; a connection that comes later is closed.
            PenstockException late = Connector.unreachable(address, "no answer in time");
            future.completeExceptionally(late);
            connections.remove(address, future);
            throw late;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.io("the wait for server " + address + " was interrupted", e);
        }
    }

    /**
     * The connection to an address, perhaps not open yet. Whoever finds none opens one for all that
     * wait, and nobody meanwhile waits for another address: a lookup of a name may take long.
     */
    private CompletableFuture<ClientConnection> connecting(String address) {
        while (true) {
            CompletableFuture<ClientConnection> found = connections.get(address);
            if (found != null && !dead(found)) {
                return found;
            }
            CompletableFuture<ClientConnection> own = new CompletableFuture<>();
            boolean first =
                    found == null
                            ? connections.putIfAbsent(address, own) == null
                            : connections.replace(address, found, own);
            if (first) {
                connector.open(address, own);
                return own;
            }
        }
    }

    private static boolean dead(CompletableFuture<ClientConnection> future) {
        return future.isCompletedExceptionally() || (future.isDone() && !future.join().usable());
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
