package dev.penstock.cli.render;

import dev.penstock.error.Counted;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionStatus;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.TextTable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The state of a store for a reader and for a program. */
public final class StatusText {
    private StatusText() {}

    public static List<String> of(ClusterStatus status) {
        List<String> lines = new ArrayList<>();
        TextTable servers =
                new TextTable(
                        "llrrrr", "server", "state", "regions", "rows", "stored", "in memory");
        for (ServerStatus server : status.servers()) {
            servers.row(
                    server.server().address(),
                    server.reachable() ? "up" : "unreachable",
                    Integer.toString(server.assignedRegions()),
                    Quantities.count(sum(server.regions(), Measure.ROWS)),
                    Quantities.bytes(sum(server.regions(), Measure.STORED)),
                    Quantities.bytes(sum(server.regions(), Measure.MEMORY)));
        }
        lines.addAll(servers.lines(""));
        lines.add("");
        TextTable tables = new TextTable("lrrr", "table", "regions", "rows", "stored");
        for (TableDescriptor table : status.tables()) {
            List<RegionStatus> regions = regions(status, table);
            tables.row(
                    table.schema().name(),
                    Integer.toString(regions.size()),
                    Quantities.count(sum(regions, Measure.ROWS)),
                    Quantities.bytes(sum(regions, Measure.STORED)));
        }
        lines.addAll(tables.lines(""));
        if (mayHideRows(status)) {
            lines.add("");
            lines.add(
                    "Rows that newer ones have replaced or deleted count until they are merged"
                            + " away; 'penstock count' counts those that are visible.");
        }
        lines.add("");
        for (RunningLoad running : status.runningLoads()) {
            LoadDescriptor load = running.load();
            String label = load.request().label();
            lines.add(
                    (running.waiting() ? "unfinished: load " : "running: load ")
                            + load.loadId()
                            + " into "
                            + load.table().schema().name()
                            + (label.isEmpty() ? "" : " as '" + label + "'"));
        }
        long waiting = status.runningLoads().stream().filter(RunningLoad::waiting).count();
        long running = status.runningLoads().size() - waiting;
        lines.add(
                "epoch "
                        + status.epoch()
                        + ", "
                        + Counted.of(running, "running load")
                        + (waiting == 0 ? "" : ", " + waiting + " unfinished"));
        return lines;
    }

    public static JsonObject json(ClusterStatus status) {
        return new JsonObject()
                .put("epoch", status.epoch())
                .put("servers", status.servers().stream().map(StatusText::json).toList())
                .put("tables", status.tables().stream().map(table -> json(status, table)).toList())
                .put(
                        "running_loads",
                        status.runningLoads().stream().map(StatusText::json).toList());
    }

    private enum Measure {
        ROWS,
        STORED,
        MEMORY
    }

    private static long sum(List<RegionStatus> regions, Measure measure) {
        return regions.stream()
                .mapToLong(region ->
                        switch (measure) {
                            case ROWS -> region.rowCount();
                            case STORED -> region.storedBytes();
                            case MEMORY -> region.memoryBytes();
                        })
                .sum();
    }

    /** Whether a region's rows are in several places, so that some may hide others. */
    private static boolean mayHideRows(ClusterStatus status) {
        return status.servers().stream()
                .flatMap(server -> server.regions().stream())
                .anyMatch(region -> region.layers() + (region.memoryBytes() > 0 ? 1 : 0) > 1);
    }

    private static List<RegionStatus> regions(ClusterStatus status, TableDescriptor table) {
        Stream<RegionStatus> all =
                status.servers().stream().flatMap(server -> server.regions().stream());
        return all.filter(region -> region.tableId() == table.tableId()).toList();
    }

    private static JsonObject json(ServerStatus server) {
        return new JsonObject()
                .put("id", server.server().serverId())
                .put("address", server.server().address())
                .put("reachable", server.reachable())
                .put("assigned_regions", server.assignedRegions())
                .put("rows", sum(server.regions(), Measure.ROWS))
                .put("stored_bytes", sum(server.regions(), Measure.STORED))
                .put("memory_bytes", sum(server.regions(), Measure.MEMORY))
                .put("regions", server.regions().stream().map(StatusText::json).toList());
    }

    private static JsonObject json(RegionStatus region) {
        return new JsonObject()
                .put("region", region.regionId())
                .put("rows", region.rowCount())
                .put("stored_bytes", region.storedBytes())
                .put("memory_bytes", region.memoryBytes())
                .put("layers", region.layers());
    }

    private static JsonObject json(ClusterStatus status, TableDescriptor table) {
        List<RegionStatus> regions = regions(status, table);
        return new JsonObject()
                .put("table", table.schema().name())
                .put("regions", regions.size())
                .put("rows", sum(regions, Measure.ROWS))
                .put("stored_bytes", sum(regions, Measure.STORED));
    }

    private static JsonObject json(RunningLoad running) {
        LoadDescriptor load = running.load();
        return new JsonObject()
                .put("load_id", load.loadId())
                .put("table", load.table().schema().name())
                .put("label", load.request().label())
                .put("regions", load.regions().size())
                .put("waiting", running.waiting());
    }
}
