package dev.penstock.kv.server;

import dev.penstock.error.PenstockException;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.ingest.TextRoom;
import dev.penstock.kv.net.Addresses;
import dev.penstock.kv.net.ConnectionPool;
import dev.penstock.kv.net.NetLimits;
import dev.penstock.kv.net.Served;
import dev.penstock.kv.net.ServerEndpoint;
import dev.penstock.kv.net.Transport;
import dev.penstock.kv.node.RegionServerNode;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.storage.BriefThreads;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One server process: a data folder behind a listening socket. Without an address to join it leads
 * the cluster; otherwise it joins, and keeps trying while the leader does not answer, so that
 * servers may start in any order.
 *
 * <p>Stops in the reverse order of its start: no new connections, running requests end, the leader
 * hears no more, the folder is closed.
 */
public final class RegionServerProcess implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicReference<String> clusterId = new AtomicReference<>("");
    private final String address;
    private final Membership membership;
    private boolean closed;

    private RegionServerProcess(ServeOptions options) {
        InetSocketAddress listen = checkedAddress(options);
        KernelSelection.beginServing(task -> BriefThreads.run("penstock-warm-up", task));
        try {
            Transport transport = opened(Transport.open("penstock-server"));
            NetLimits limits = options.limits();
            ConnectionPool pool =
                    opened(
                            new ConnectionPool(
                                    transport,
                                    limits,
                                    clusterId::get,
                                    options.security().asClient()));
            RegionServerNode node = opened(openNode(options, pool));
            AtomicReference<String> leader = new AtomicReference<>(options.join().orElse(""));
            Served served =
                    new Served(
                            node.regionService(),
                            node::tableOf,
                            node::tableOfLoad,
                            options.join().isPresent()
                                    ? Optional.<MetadataService>empty()
                                    : Optional.of(node.metadata()),
                            node.serverId(),
                            clusterId::get,
                            leader::get,
                            node::isReadyForText,
                            TextRoom.suitingBytes(),
                            options.readsFiles() ? Optional.of(options.data()) : Optional.empty(),
                            options.log());
            ServerEndpoint endpoint =
                    opened(
                            ServerEndpoint.open(
                                    transport, listen, served, limits, options.security()));
            address = reachable(options, endpoint.address());
            if (options.join().isEmpty()) {
                leader.set(address);
                clusterId.set(node.serverId());
            }
            membership =
                    opened(
                            new Membership(
                                    node,
                                    () ->
                                            options.join()
                                                    .map(known -> findLeader(known, pool))
                                                    .ifPresent(leader::set),
                                    address,
                                    options.log()));
            membership.begin();
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /**
     * Starts to serve. A server that joins is back at once even if the leader does not answer yet;
     * see {@link #joined}.
     *
     * @throws PenstockException if the folder is in use, the address is taken or needs {@link
     *     ServeOptions#security}, or the leader refuses this server
     */
    public static RegionServerProcess start(ServeOptions options) {
        return new RegionServerProcess(options);
    }

    /**
     * Starts to serve on loopback.
     *
     * @param join address of the leader, or null to lead
     */
    public static RegionServerProcess start(Path data, String listen, @Nullable String join) {
        return start(ServeOptions.of(data, listen).withJoin(Optional.ofNullable(join)));
    }

    /** What is closed when the process ends, last opened first. */
    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    private static RegionServerNode openNode(ServeOptions options, ConnectionPool pool) {
        return options.join()
                .map(leader ->
                        RegionServerNode.openMember(
                                options.data(), options.node(), pool.metadata(leader)))
                .orElseGet(() ->
                        RegionServerNode.openLeader(options.data(), options.node(), pool::regions));
    }

    /**
     * From here on only the servers of that leader's cluster are talked to. Returns where clients
     * reach the leader: by the address that it advertises, not by the one that serves this machine.
     */
    private String findLeader(String join, ConnectionPool pool) {
        String id = pool.clusterIdOf(join);
        clusterId.set(id);
        return pool.metadata(join).servers().stream()
                .filter(server -> server.serverId().equals(id))
                .map(ServerDescriptor::address)
                .filter(address -> !address.equals(ServerDescriptor.EMBEDDED))
                .findFirst()
                .orElse(join);
    }

    private static InetSocketAddress checkedAddress(ServeOptions options) {
        InetSocketAddress listen = Addresses.parse(options.listen());
        options.join().ifPresent(Addresses::check);
        options.advertise().ifPresent(RegionServerProcess::checkAdvertised);
        ServerSecurity security = options.security();
        if (security.tls().isEmpty()
                && !security.insecure()
                && !listen.getAddress().isLoopbackAddress()) {
            throw PenstockException.usage(
                    "address "
                            + options.listen()
                            + " can be reached from other machines, in plain text; give the server"
                            + " a certificate (--tls-cert, --tls-key, --tls-ca), listen on"
                            + " 127.0.0.1 or allow it with --insecure");
        }
        return listen;
    }

    /** {@code HOST} or {@code HOST:PORT}; an IPv6 address stands in brackets. */
    private static void checkAdvertised(String host) {
        boolean good;
        try {
            String parsed = Addresses.check(hasPort(host) ? host : host + ":1").getHostString();
            good = parsed.indexOf('[') < 0 && (host.startsWith("[") || parsed.indexOf(':') < 0);
        } catch (PenstockException e) {
            good = false;
        }
        if (!good) {
            throw PenstockException.usage(
                    "'"
                            + host
                            + "' is no address to advertise; expected HOST or HOST:PORT, with an"
                            + " IPv6 address in brackets");
        }
    }

    private static boolean hasPort(String host) {
        return host.indexOf(':') >= 0 && !host.endsWith("]");
    }

    /**
     * The address that others use. With TLS it is the host as it was named, since the certificate
     * names it so; where any address is listened on it is this machine's own.
     */
    private static String reachable(ServeOptions options, InetSocketAddress bound) {
        Optional<String> advertised = options.advertise();
        if (advertised.isPresent()) {
            String host = advertised.get();
            return hasPort(host) ? host : host + ":" + bound.getPort();
        }
        if (options.security().tls().isPresent() && !bound.getAddress().isAnyLocalAddress()) {
            String listen = options.listen();
            return listen.substring(0, listen.lastIndexOf(':') + 1) + bound.getPort();
        }
        if (!bound.getAddress().isAnyLocalAddress()) {
            return Addresses.format(bound);
        }
        try {
            return Addresses.format(
                    new InetSocketAddress(InetAddress.getLocalHost(), bound.getPort()));
        } catch (UnknownHostException e) {
            throw PenstockException.usage(
                    "this machine does not know its own address; listen on a certain one: "
                            + e.getMessage());
        }
    }

    /** Where it listens, {@code HOST:PORT} with the port that was taken. */
    public String address() {
        return address;
    }

    /** Completes when this server has joined its leader and serves; fails if it is refused. */
    public CompletableFuture<Void> joined() {
        return membership.joined();
    }

    /** Lets {@link #awaitStop} return; from any thread. */
    public void stop() {
        stop.countDown();
    }

    /** Waits until {@link #stop} is called; the caller closes this process then. */
    public void awaitStop() throws InterruptedException {
        stop.await();
    }

    @Override
    public synchronized void close() {
        stop();
        if (!closed) {
            closed = true;
            closeAll();
        }
    }

    private void closeAll() {
        RuntimeException first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                first = first == null ? PenstockException.internal("cannot stop: " + e) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
