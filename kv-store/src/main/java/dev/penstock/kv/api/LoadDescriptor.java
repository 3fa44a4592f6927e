package dev.penstock.kv.api;

import dev.penstock.error.PenstockException;
import dev.penstock.target.LoadRequest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A load that has begun.
 *
 * @param loadId a UUID
 * @param ordinal small number, unique in the store; part of hidden row ids
 * @param regions the table's regions when the load began, in key order; they stay as they are until
 *     it ends
 */
public record LoadDescriptor(
        String loadId,
        long ordinal,
        TableDescriptor table,
        LoadRequest request,
        List<RegionAssignment> regions) {
    public LoadDescriptor {
        regions = List.copyOf(regions);
    }

    /** The servers of its regions, each once. */
    public List<ServerDescriptor> servers() {
        Map<String, ServerDescriptor> servers = new LinkedHashMap<>();
        for (RegionAssignment region : regions) {
            servers.put(region.server().serverId(), region.server());
        }
        return List.copyOf(servers.values());
    }

    /** The ids of its regions on one of them. */
    public List<Long> regionsOf(ServerDescriptor server) {
        return regions.stream()
                .filter(region -> region.server().serverId().equals(server.serverId()))
                .map(RegionAssignment::regionId)
                .toList();
    }

    /** Refuses to publish it, as {@code CONFLICT}, unless exactly its regions are prepared. */
    public void checkComplete(Set<Long> prepared) {
        Set<Long> wanted =
                regions.stream().map(RegionAssignment::regionId).collect(Collectors.toSet());
        if (!prepared.equals(wanted)) {
            throw PenstockException.conflict(
                    "load "
                            + loadId
                            + " cannot be published: regions "
                            + prepared
                            + " are prepared, "
                            + wanted
                            + " take part");
        }
    }
}
