package dev.penstock.kv.server;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.client.StoreAddress;
import dev.penstock.kv.net.Addresses;
import dev.penstock.kv.net.NetLimits;
import dev.penstock.kv.net.Served;
import dev.penstock.kv.net.ServerEndpoint;
import dev.penstock.kv.net.Transport;
import dev.penstock.kv.node.NodeOptions;
import dev.penstock.kv.node.RegionServerNode;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Guests;
import dev.penstock.kv.security.Secret;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.TargetAccess;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A store in a folder of this machine, leader and region server in this process. Calls go straight
 * to them, on the caller's thread. Only while others are invited does it listen, on loopback and
 * for those who bring the token of an invitation.
 */
public final class EmbeddedCluster implements Cluster {
    private final RegionServerNode node;
    private final RegionService regions;
    private final MetadataService metadata;
    private final String address;
    private final Guests guests = new Guests();

    private final Object lock = new Object();
    private @Nullable Transport transport;
    private @Nullable ServerEndpoint endpoint;
    private int invitations;
    private long endedTransferNanos;

    /**
     * Opens the store in a folder, creating it if there is none.
     *
     * @throws PenstockException of category CONFLICT, naming the holder, if it is open elsewhere
     */
    public static EmbeddedCluster open(Path folder) {
        return open(folder, NodeOptions.defaults());
    }

    public static EmbeddedCluster open(Path folder, NodeOptions options) {
        RegionServerNode node = RegionServerNode.openLeader(folder, options, null);
        try {
            node.start(ServerDescriptor.EMBEDDED);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
        return new EmbeddedCluster(node, StoreAddress.Folder.of(folder).text());
    }

    private EmbeddedCluster(RegionServerNode node, String address) {
        this.node = node;
        this.regions = node.regionService();
        this.metadata = node.metadata();
        this.address = address;
    }

    @Override
    public MetadataService metadata() {
        return metadata;
    }

    /** There is one server only. */
    @Override
    public RegionService locate(ServerDescriptor server) {
        return regions;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public void fragment(
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            byte[] payload,
            int length,
            FragmentListener listener) {
        listener.acknowledged(regions.fragment(loadId, header, payload, length));
    }

    @Override
    public boolean answersAtOnce() {
        return true;
    }

    @Override
    public long transferNanos() {
        synchronized (lock) {
            Transport open = transport;
            return endedTransferNanos + (open == null ? 0 : open.cpuNanos());
        }
    }

    @Override
    public Invitation invite(String table) {
        synchronized (lock) {
            ServerEndpoint open = endpoint;
            if (open == null) {
                open = listen();
                endpoint = open;
            }
            invitations++;
            return new LoopbackInvitation(
                    new StoreAddress.Servers(Addresses.format(open.address())).text(),
                    guests.admit(table));
        }
    }

    private ServerEndpoint listen() {
        Transport started = Transport.open("penstock-embedded");
        transport = started;
        Served served =
                new Served(
                        regions,
                        node::tableOf,
                        node::tableOfLoad,
                        Optional.of(metadata),
                        node.serverId(),
                        node::serverId,
                        this::listenAddress,
                        () -> false,
                        0,
                        Optional.empty(),
                        line -> {});
        return ServerEndpoint.openToGuests(started, served, NetLimits.forThisProcess(), guests);
    }

    private String listenAddress() {
        synchronized (lock) {
            ServerEndpoint open = endpoint;
            return open == null ? "" : Addresses.format(open.address());
        }
    }

    private final class LoopbackInvitation implements Invitation {
        private final String invited;
        private final Secret pass;
        private boolean closed;

        LoopbackInvitation(String invited, Secret pass) {
            this.invited = invited;
            this.pass = pass;
        }

        @Override
        public String address() {
            return invited;
        }

        @Override
        public TargetAccess access() {
            return ClientSecurity.ofGuest(pass).toAccess();
        }

        @Override
        public void close() {
            synchronized (lock) {
                if (closed) {
                    return;
                }
                closed = true;
                invitations--;
                guests.dismiss(pass);
            }
            stopListening(false);
        }
    }

    private void stopListening(boolean always) {
        ServerEndpoint ended;
        Transport stopped;
        synchronized (lock) {
            if (invitations > 0 && !always) {
                return;
            }
            ended = endpoint;
            stopped = transport;
            endpoint = null;
            transport = null;
            if (stopped != null) {
                endedTransferNanos += stopped.cpuNanos();
            }
        }
        if (ended != null) {
            ended.close();
        }
        if (stopped != null) {
            stopped.close();
        }
    }

    @Override
    public void close() {
        stopListening(true);
        node.close();
    }
}
