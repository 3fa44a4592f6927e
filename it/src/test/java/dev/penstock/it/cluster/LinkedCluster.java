package dev.penstock.it.cluster;

import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.net.RemoteCluster;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.target.FragmentHeader;

import java.util.Map;

/** A store that a client reaches by other addresses than the servers know of themselves. */
final class LinkedCluster implements Cluster {
    private final RemoteCluster inner;
    private final MetadataService metadata;
    private final Map<String, String> links;

    /**
     * @param leader address of the leader
     * @param links for each server's own address the one to reach it by
     */
    LinkedCluster(String leader, Map<String, String> links) {
        this.links = Map.copyOf(links);
        this.inner =
                RemoteCluster.connect(
                        this.links.getOrDefault(leader, leader), ClientSecurity.PLAIN);
        this.metadata = inner.metadata();
    }

    private ServerDescriptor linked(ServerDescriptor server) {
        String address = links.getOrDefault(server.address(), server.address());
        return new ServerDescriptor(server.serverId(), address);
    }

    @Override
    public MetadataService metadata() {
        return metadata;
    }

    @Override
    public String address() {
        return inner.address();
    }

    @Override
    public RegionService locate(ServerDescriptor server) {
        return inner.locate(linked(server));
    }

    @Override
    public void fragment(
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            byte[] payload,
            int length,
            FragmentListener listener) {
        inner.fragment(linked(server), loadId, header, payload, length, listener);
    }

    @Override
    public boolean answersAtOnce() {
        return inner.answersAtOnce();
    }

    @Override
    public long transferNanos() {
        return inner.transferNanos();
    }

    @Override
    public Invitation invite(String table) {
        return inner.invite(table);
    }

    @Override
    public void close() {
        inner.close();
    }
}
