package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.client.StoreAddress;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.wire.Handshake;
import dev.penstock.step.ChunkText;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession;
import dev.penstock.target.TargetAccess;
import dev.penstock.target.TextFile;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A store on region servers, reached through connections. */
public final class RemoteCluster implements Cluster {
    private final Transport transport;
    private final ConnectionPool pool;
    private final String leader;
    private final ClientSecurity security;

    private RemoteCluster(
            Transport transport, ConnectionPool pool, String leader, ClientSecurity security) {
        this.security = security;
        this.transport = transport;
        this.pool = pool;
        this.leader = leader;
    }

    /**
     * Asks the servers in turn until one answers who leads, and goes there.
     *
     * @param addresses {@code HOST:PORT[,HOST:PORT]}
     */
    public static RemoteCluster connect(String addresses, ClientSecurity security) {
        return connect(addresses, security, NetLimits.forThisProcess());
    }

    public static RemoteCluster connect(
            String addresses, ClientSecurity security, NetLimits limits) {
        List<String> servers = Addresses.split(addresses);
        Transport transport = Transport.open("penstock-client");
        AtomicReference<String> clusterId = new AtomicReference<>("");
        ConnectionPool pool = new ConnectionPool(transport, limits, clusterId::get, security);
        try {
            String leader = findLeader(pool, servers);
            clusterId.set(pool.clusterIdOf(leader));
            return new RemoteCluster(transport, pool, leader, security);
        } catch (RuntimeException e) {
            pool.close();
            transport.close();
            throw e;
        }
    }

    /**
     * Asks this one server, whoever leads, what it hosts.
     *
     * @throws PenstockException of category RETRY while it does not answer or has not joined its
     *     leader
     */
    public static RegionServerStatus ask(String address, ClientSecurity security) {
        try (Transport transport = Transport.open("penstock-client");
                ConnectionPool pool =
                        new ConnectionPool(
                                transport, NetLimits.forThisProcess(), () -> "", security)) {
            return pool.regions(address).status();
        }
    }

    private static String findLeader(ConnectionPool pool, List<String> servers) {
        List<String> failures = new ArrayList<>();
        for (String server : servers) {
            try {
                Handshake.ServerHello hello = pool.connection(server).hello();
                boolean leads =
                        hello.serverId().equals(hello.clusterId()) || hello.leader().isEmpty();
                return leads ? server : hello.leader();
            } catch (PenstockException e) {
                if (e.category() == ErrorCategory.USAGE || e.category() == ErrorCategory.DENIED) {
                    throw e;
                }
                failures.add(e.getMessage());
            }
        }
        throw new PenstockException(ErrorCategory.RETRY, String.join("; ", failures));
    }

    @Override
    public MetadataService metadata() {
        return pool.metadata(leader);
    }

    @Override
    public RegionService locate(ServerDescriptor server) {
        return pool.regions(located(server));
    }

    /** A store embedded in another process is reached where its process listens. */
    private ServerDescriptor located(ServerDescriptor server) {
        return server.address().equals(ServerDescriptor.EMBEDDED)
                ? new ServerDescriptor(server.serverId(), leader)
                : server;
    }

    @Override
    public String address() {
        return new StoreAddress.Servers(leader).text();
    }

    @Override
    public void fragment(
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            byte[] payload,
            int length,
            FragmentListener listener) {
        RemoteRegionService.send(
                pool.connection(Destination.of(located(server))),
                loadId,
                header,
                payload,
                length,
                listener);
    }

    @Override
    public long text(
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            ChunkText text,
            TextFile file,
            FragmentListener listener) {
        return pool.connection(Destination.of(located(server)))
                .sendText(
                        loadId,
                        header,
                        text,
                        file,
                        System.nanoTime() + Deadlines.LONG.toNanos(),
                        listener);
    }

    @Override
    public boolean answersAtOnce() {
        return false;
    }

    @Override
    public LoadSession.TextUse textUse(ServerDescriptor server) {
        return pool.connection(Destination.of(located(server))).textUse();
    }

    @Override
    public int fileTextBytes(ServerDescriptor server) {
        return pool.connection(Destination.of(located(server))).fileTextBytes();
    }

    @Override
    public long transferNanos() {
        return transport.cpuNanos();
    }

    /** The servers listen anyway, and those who come are to them what this client is. */
    @Override
    public Invitation invite(String table) {
        String address = address();
        return new Invitation() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public TargetAccess access() {
                return security.toAccess();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        pool.close();
        transport.close();
    }
}
