package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.HostedRegions;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.meta.MetadataRecord.EndedLoad;
import dev.penstock.kv.meta.TableEntry.RegionEntry;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;
import dev.penstock.target.LabelledLoad;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The metadata: a pure state machine, changed only by {@link #apply}, the same for every reader of
 * the log. Thread-safe; every method is short.
 */
final class MetadataState {
    /** Published loads of one answer, so that it fits into a message many times. */
    static final int PUBLISHED_PAGE_BYTES = 8 << 20;

    /**
     * Loads that are over and have left nothing, such as aborted ones, are remembered for whoever
     * asks what became of them: the latest ones, as many as a store has in a week at one a minute.
     * An older one is answered as if it had never been, which for servers is the same: they discard
     * what they have of either.
     */
    static final int REMEMBERED_LOADS = 10_000;

    /** What a published load takes in a message beside its texts and regions. */
    private static final int PUBLISHED_LOAD_BYTES = 44;

    /** Less than the first. */
    private static final long NO_EPOCH = 0;

    private static final long[] NO_REGIONS = {};

    /** Ended loads of one record of a snapshot. */
    private static final int ENDED_LOADS_PAGE = 1000;

    private final Map<String, ServerDescriptor> servers = new LinkedHashMap<>();
    private final Map<String, Long> tableIds = new TreeMap<>();
    private final Map<Long, TableEntry> tables = new TreeMap<>();
    private final Map<String, LoadDescriptor> runningLoads = new LinkedHashMap<>();

    /** Of running loads. */
    private final Map<String, Long> loaders = new HashMap<>();

    /** Of running loads: when their loaders were heard of, milliseconds since 1970. */
    private final Map<String, Long> heard = new HashMap<>();

    /** Of tables that exist. */
    private final Map<String, Long> publishedEpochs = new HashMap<>();

    /** Of tables that were dropped: their loaders may still ask. */
    private final LatestLoads droppedEpochs = new LatestLoads(REMEMBERED_LOADS);

    /** Of tables that exist. */
    private final TreeMap<Long, PublishedLoad> publishedByEpoch = new TreeMap<>();

    /** Of regions that exist: epoch of the latest load that was published into each, if any. */
    private final Map<Long, Long> latestEpochs = new HashMap<>();

    private final LatestLoads abortedLoads = new LatestLoads(REMEMBERED_LOADS);
    private final Map<TableLabel, LabelledLoad> labels = new HashMap<>();

    /** Tables that a load created and that none was published into yet. */
    private final Set<Long> unloadedTables = new TreeSet<>();

    private long lastId;
    private long lastOrdinal;
    private long epoch;

    synchronized void apply(MetadataRecord metadataRecord) {
        switch (metadataRecord) {
            case MetadataRecord.ServerJoined r -> servers.put(r.server().serverId(), r.server());
            case MetadataRecord.TableCreated r -> createTable(r);
            case MetadataRecord.TableDropped r -> drop(r.tableId());
            case MetadataRecord.RegionSplit r -> split(r);
            case MetadataRecord.LoadBegun r -> {
                lastOrdinal = Math.max(lastOrdinal, r.ordinal());
                TableEntry table = entry(r.tableId());
                runningLoads.put(
                        r.loadId(),
                        new LoadDescriptor(
                                r.loadId(),
                                r.ordinal(),
                                table.descriptor(),
                                r.request(),
                                assignments(table)));
                loaders.put(r.loadId(), MetadataService.FIRST_LOADER);
                if (r.request().createsTable()) {
                    unloadedTables.add(r.tableId());
                }
            }
            case MetadataRecord.LoaderHeard r -> {
                if (loaders.computeIfPresent(r.loadId(), (id, before) -> r.loader()) != null) {
                    heard.merge(r.loadId(), r.millis(), Math::max);
                }
            }
            case MetadataRecord.LoadPublished r -> publish(r);
            case MetadataRecord.LoadAborted r -> {
                runningLoads.remove(r.loadId());
                loaders.remove(r.loadId());
                heard.remove(r.loadId());
                abortedLoads.put(r.loadId(), NO_EPOCH);
            }
            case MetadataRecord.TableSnapshot r -> restore(r);
            case MetadataRecord.LoadSnapshot r -> {
                TableEntry table = entry(r.load().tableId());
                enter(table, withRegions(r.load(), table), r.report());
            }
            case MetadataRecord.EndedLoads r -> {
                for (EndedLoad load : r.loads()) {
                    LatestLoads kind = load.epoch() == NO_EPOCH ? abortedLoads : droppedEpochs;
                    kind.put(load.loadId(), load.epoch());
                }
            }
            case MetadataRecord.SnapshotEnd r -> endSnapshot(r);
        }
    }

    private void createTable(MetadataRecord.TableCreated r) {
        lastId = Math.max(lastId, Math.max(r.tableId(), r.regionId()));
        TableEntry table = TableEntry.of(new TableDescriptor(r.tableId(), r.schema()));
        table.add(new RegionEntry(r.regionId(), KeyRange.ALL, r.serverId()));
        tables.put(r.tableId(), table);
        tableIds.put(name(r.schema().name()), r.tableId());
    }

    private void drop(long tableId) {
        TableEntry table = tables.remove(tableId);
        if (table != null) {
            tableIds.remove(name(table.descriptor().schema().name()));
            for (PublishedLoad load : table.loads()) {
                publishedByEpoch.remove(load.epoch());
                publishedEpochs.remove(load.loadId());
                droppedEpochs.put(load.loadId(), load.epoch());
            }
            table.regions().values().forEach(region -> latestEpochs.remove(region.regionId()));
        }
        labels.keySet().removeIf(label -> label.tableId() == tableId);
        unloadedTables.remove(tableId);
    }

    private void split(MetadataRecord.RegionSplit r) {
        for (TableEntry table : tables.values()) {
            if (table.regions().values().removeIf(old -> old.regionId() == r.regionId())) {
                latestEpochs.remove(r.regionId());
                for (MetadataRecord.Part part : r.parts()) {
                    lastId = Math.max(lastId, part.regionId());
                    table.add(new RegionEntry(part.regionId(), part.range(), part.serverId()));
                }
                return;
            }
        }
    }

    private void publish(MetadataRecord.LoadPublished r) {
        LoadDescriptor load = runningLoads.remove(r.loadId());
        if (load == null) {
            throw PenstockException.corrupt(
                    "the metadata log publishes load " + r.loadId() + ", which does not run");
        }
        loaders.remove(r.loadId());
        heard.remove(r.loadId());
        epoch = r.epoch();
        TableEntry table = entry(load.table().tableId());
        PublishedLoad published =
                new PublishedLoad(
                        r.loadId(),
                        load.ordinal(),
                        r.epoch(),
                        load.table().tableId(),
                        load.request().label(),
                        r.rowCount(),
                        regionIds(load, table));
        enter(table, published, r.report());
    }

    private void enter(TableEntry table, PublishedLoad load, String report) {
        table.loads().add(load);
        publishedEpochs.put(load.loadId(), load.epoch());
        publishedByEpoch.put(load.epoch(), load);
        for (long regionId : load.regionIds()) {
            latestEpochs.put(regionId, load.epoch());
        }
        unloadedTables.remove(load.tableId());
        if (!load.label().isEmpty()) {
            labels.put(
                    new TableLabel(load.tableId(), load.label()),
                    new LabelledLoad(load.loadId(), load.epoch(), report));
        }
    }

    /** The array of the table's load before, if that has the same regions. */
    private static long[] regionIds(LoadDescriptor load, TableEntry table) {
        long[] ids = load.regions().stream().mapToLong(RegionAssignment::regionId).toArray();
        long[] before = regionsBefore(table);
        return Arrays.equals(before, ids) ? before : ids;
    }

    private static long[] regionsBefore(TableEntry table) {
        return table.loads().isEmpty() ? NO_REGIONS : table.loads().getLast().regionIds();
    }

    // Snapshots

    /** What leads a new state to where this one is, instead of all that was applied to it. */
    synchronized List<MetadataRecord> snapshot() {
        List<MetadataRecord> records = new ArrayList<>();
        servers.values().forEach(server -> records.add(new MetadataRecord.ServerJoined(server)));
        tables.values().forEach(table -> addTable(table, records));
        for (LoadDescriptor load : runningLoads.values()) {
            String id = load.loadId();
            records.add(
                    new MetadataRecord.LoadBegun(
                            id, load.ordinal(), load.table().tableId(), load.request()));
            if (heard.containsKey(id)) {
                records.add(
                        new MetadataRecord.LoaderHeard(
                                id,
                                loaders.getOrDefault(id, MetadataService.FIRST_LOADER),
                                heard.get(id)));
            }
        }
        addEnded(abortedLoads, records);
        addEnded(droppedEpochs, records);
        records.add(
                new MetadataRecord.SnapshotEnd(
                        lastId, lastOrdinal, epoch, List.copyOf(unloadedTables)));
        return records;
    }

    private void addTable(TableEntry table, List<MetadataRecord> records) {
        TableDescriptor descriptor = table.descriptor();
        records.add(
                new MetadataRecord.TableSnapshot(
                        descriptor.tableId(),
                        descriptor.schema(),
                        table.regions().values().stream()
                                .map(region ->
                                        new MetadataRecord.Part(
                                                region.regionId(),
                                                region.range(),
                                                region.serverId()))
                                .toList()));
        long[] before = NO_REGIONS;
        for (PublishedLoad load : table.loads()) {
            boolean same = Arrays.equals(load.regionIds(), before);
            before = load.regionIds();
            records.add(
                    new MetadataRecord.LoadSnapshot(
                            load.withRegions(same ? NO_REGIONS : before), reportOf(load)));
        }
    }

    private String reportOf(PublishedLoad load) {
        return labelled(load.tableId(), load.label())
                .filter(labelled -> labelled.loadId().equals(load.loadId()))
                .map(LabelledLoad::report)
                .orElse("");
    }

    private static void addEnded(LatestLoads loads, List<MetadataRecord> records) {
        List<EndedLoad> page = new ArrayList<>();
        for (Map.Entry<String, Long> load : loads.oldestFirst()) {
            page.add(new EndedLoad(load.getKey(), load.getValue()));
            if (page.size() == ENDED_LOADS_PAGE) {
                records.add(new MetadataRecord.EndedLoads(page));
                page.clear();
            }
        }
        if (!page.isEmpty()) {
            records.add(new MetadataRecord.EndedLoads(page));
        }
    }

    private void restore(MetadataRecord.TableSnapshot r) {
        TableEntry table = TableEntry.of(new TableDescriptor(r.tableId(), r.schema()));
        for (MetadataRecord.Part part : r.regions()) {
            table.add(new RegionEntry(part.regionId(), part.range(), part.serverId()));
        }
        tables.put(r.tableId(), table);
        tableIds.put(name(r.schema().name()), r.tableId());
    }

    private static PublishedLoad withRegions(PublishedLoad load, TableEntry table) {
        return load.regionIds().length > 0 ? load : load.withRegions(regionsBefore(table));
    }

    /** Loads that are older than a split name regions that are gone. */
    private void endSnapshot(MetadataRecord.SnapshotEnd r) {
        Set<Long> regions = new HashSet<>();
        for (TableEntry table : tables.values()) {
            for (RegionEntry region : table.regions().values()) {
                regions.add(region.regionId());
            }
        }
        latestEpochs.keySet().retainAll(regions);
        unloadedTables.clear();
        unloadedTables.addAll(r.unloadedTables());
        lastId = r.lastId();
        lastOrdinal = r.lastOrdinal();
        epoch = r.epoch();
    }

    private record TableLabel(long tableId, String label) {}

    /** An id for a table or region, not given out before. */
    synchronized long newId() {
        return ++lastId;
    }

    /**
     * The ordinal of the next load.
     *
     * @throws PenstockException of category LIMIT if the table's rows need an id from it and there
     *     is none that has not been given before
     */
    synchronized long nextOrdinal(TableSchema schema) {
        long next = lastOrdinal + 1;
        if (schema.hiddenRowId() && next >= Deserialize.LOAD_ORDINALS) {
            throw new PenstockException(
                    ErrorCategory.LIMIT,
                    "Table "
                            + schema.name()
                            + " has no primary key and takes no more rows: the store has numbered "
                            + lastOrdinal
                            + " loads and writers, as many as have row ids of their own. Tables"
                            + " with a primary key go on.");
        }
        return next;
    }

    synchronized long epoch() {
        return epoch;
    }

    synchronized List<TableDescriptor> tables() {
        return tableIds.values().stream().map(id -> entry(id).descriptor()).toList();
    }

    synchronized Optional<TableDescriptor> table(String tableName) {
        return Optional.ofNullable(tableIds.get(name(tableName))).map(id -> entry(id).descriptor());
    }

    /**
     * The same; {@code USAGE} if there is none. The message names no others: who asks may not be
     * allowed to know of them.
     */
    TableDescriptor existing(String tableName) {
        return table(tableName)
                .orElseThrow(() -> PenstockException.usage("there is no table " + tableName));
    }

    synchronized List<RegionAssignment> regions(long tableId) {
        return assignments(entry(tableId));
    }

    private List<RegionAssignment> assignments(TableEntry table) {
        List<RegionAssignment> list = new ArrayList<>();
        for (RegionEntry region : table.regions().values()) {
            list.add(
                    new RegionAssignment(
                            region.regionId(),
                            table.descriptor().tableId(),
                            region.range(),
                            server(region.serverId())));
        }
        return list;
    }

    /** The regions that a server is to host. */
    synchronized List<RegionDescriptor> regionsOn(String serverId) {
        List<RegionDescriptor> list = new ArrayList<>();
        for (TableEntry table : tables.values()) {
            for (RegionEntry region : table.regions().values()) {
                if (region.serverId().equals(serverId)) {
                    list.add(descriptor(table, region));
                }
            }
        }
        return list;
    }

    /** The regions that a server is to host, and what was published into them up to now. */
    synchronized HostedRegions hosted(String serverId) {
        List<RegionDescriptor> regions = regionsOn(serverId);
        long[] ids = regions.stream().mapToLong(RegionDescriptor::regionId).toArray();
        long[] latest = new long[ids.length];
        Arrays.setAll(latest, i -> latestEpochs.getOrDefault(ids[i], NO_EPOCH));
        return new HostedRegions(ids, latest, epoch);
    }

    static RegionDescriptor descriptor(TableEntry table, RegionEntry region) {
        return new RegionDescriptor(
                region.regionId(),
                table.descriptor().tableId(),
                table.descriptor().schema(),
                region.range());
    }

    synchronized List<ServerDescriptor> servers() {
        return List.copyOf(servers.values());
    }

    private ServerDescriptor server(String serverId) {
        ServerDescriptor server = servers.get(serverId);
        if (server == null) {
            throw PenstockException.corrupt(
                    "the metadata log gives a region to server "
                            + serverId
                            + ", which never joined");
        }
        return server;
    }

    /** A running load with its regions' servers at their latest addresses. */
    synchronized Optional<LoadDescriptor> runningLoad(String loadId) {
        return Optional.ofNullable(runningLoads.get(loadId)).map(this::located);
    }

    /** When the loader of a running load was heard of, as far as that is recorded. */
    synchronized Optional<Instant> heard(String loadId) {
        return Optional.ofNullable(heard.get(loadId)).map(Instant::ofEpochMilli);
    }

    /** The loader that a running load was given to last. */
    synchronized Optional<Long> loader(String loadId) {
        return Optional.ofNullable(loaders.get(loadId));
    }

    synchronized Collection<LoadDescriptor> runningLoads() {
        return runningLoads.values().stream().map(this::located).toList();
    }

    private LoadDescriptor located(LoadDescriptor load) {
        return new LoadDescriptor(
                load.loadId(),
                load.ordinal(),
                load.table(),
                load.request(),
                load.regions().stream()
                        .map(region ->
                                new RegionAssignment(
                                        region.regionId(),
                                        region.tableId(),
                                        region.range(),
                                        server(region.server().serverId())))
                        .toList());
    }

    /** When the load was published, if it was. */
    synchronized Optional<Long> publishedEpoch(String loadId) {
        return Optional.ofNullable(publishedEpochs.get(loadId)).or(() -> droppedEpochs.get(loadId));
    }

    synchronized Optional<LabelledLoad> labelled(long tableId, String label) {
        return Optional.ofNullable(labels.get(new TableLabel(tableId, label)));
    }

    /** Tables that a load created and that neither it nor another has loaded or is loading. */
    synchronized List<TableDescriptor> unloadedTables() {
        return unloadedTables.stream()
                .filter(id -> runningLoadsInto(id).isEmpty())
                .map(id -> entry(id).descriptor())
                .toList();
    }

    synchronized List<LoadDescriptor> runningLoadsInto(long tableId) {
        return runningLoadsInto(tableId, "");
    }

    /**
     * @param label empty for all
     */
    synchronized List<LoadDescriptor> runningLoadsInto(long tableId, String label) {
        return runningLoads.values().stream()
                .filter(load -> load.table().tableId() == tableId)
                .filter(load -> label.isEmpty() || load.request().label().equals(label))
                .map(this::located)
                .toList();
    }

    /**
     * Loads later than an epoch, oldest first.
     *
     * @param pageBytes what they take in a message together; one goes whatever it takes
     */
    synchronized PublishedPage publishedSince(long since, long pageBytes) {
        List<PublishedLoad> page = new ArrayList<>();
        long bytes = 0;
        for (PublishedLoad load : publishedByEpoch.tailMap(since, false).values()) {
            bytes += messageBytes(load);
            if (bytes > pageBytes && !page.isEmpty()) {
                return new PublishedPage(page, page.getLast().epoch());
            }
            page.add(load);
        }
        return new PublishedPage(page, Math.max(since, epoch));
    }

    /** At most: a char becomes three bytes or fewer. */
    private static long messageBytes(PublishedLoad load) {
        return PUBLISHED_LOAD_BYTES
                + 3L * (load.loadId().length() + load.label().length())
                + (long) Long.BYTES * load.regionIds().length;
    }

    synchronized LoadState loadState(String loadId) {
        if (runningLoads.containsKey(loadId)) {
            return LoadState.RUNNING;
        }
        if (publishedEpoch(loadId).isPresent()) {
            return LoadState.PUBLISHED;
        }
        return abortedLoads.get(loadId).isPresent() ? LoadState.ABORTED : LoadState.UNKNOWN;
    }

    /** How many loads something is known of that leave nothing to be read. */
    synchronized int rememberedLoads() {
        return runningLoads.size() + abortedLoads.size() + droppedEpochs.size();
    }

    /** What to tell who takes a load for a running one. */
    PenstockException notRunning(String loadId) {
        return PenstockException.conflict(
                switch (loadState(loadId)) {
                    case PUBLISHED -> "load " + loadId + " is published already";
                    case ABORTED -> "load " + loadId + " was aborted";
                    case RUNNING, UNKNOWN -> "there is no load " + loadId;
                });
    }

    private TableEntry entry(long tableId) {
        TableEntry table = tables.get(tableId);
        if (table == null) {
            throw PenstockException.corrupt("the metadata log uses unknown table " + tableId);
        }
        return table;
    }

    private static String name(String tableName) {
        return tableName.toLowerCase(Locale.ROOT);
    }
}
