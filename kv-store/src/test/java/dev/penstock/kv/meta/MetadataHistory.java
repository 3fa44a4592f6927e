package dev.penstock.kv.meta;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.HostedRegions;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What may happen to the metadata of a store, at random: each record is one that could be next. */
final class MetadataHistory {
    private static final List<String> LABELS = List.of("", "", "monday", "tuesday");

    private final Random random;
    private final MetadataState state;
    private int named;
    private long ordinal;

    /**
     * @param state what has happened up to the next record
     */
    MetadataHistory(Random random, MetadataState state) {
        this.random = random;
        this.state = state;
    }

    MetadataRecord next() {
        if (state.servers().isEmpty()) {
            return join();
        }
        List<TableDescriptor> tables = state.tables();
        if (tables.isEmpty()) {
            return createTable();
        }
        TableDescriptor table = tables.get(random.nextInt(tables.size()));
        List<LoadDescriptor> running = List.copyOf(state.runningLoads());
        return switch (random.nextInt(12)) {
            case 0 -> join();
            case 1 -> tables.size() < 4 ? createTable() : drop(table);
            case 2 -> drop(table);
            case 3 -> split(table);
            case 4, 5, 6, 7 -> begin(table);
            default -> running.isEmpty() ? begin(table) : goOn(one(running));
        };
    }

    private LoadDescriptor one(List<LoadDescriptor> running) {
        return running.get(random.nextInt(running.size()));
    }

    private MetadataRecord join() {
        int server = random.nextInt(3);
        return new MetadataRecord.ServerJoined(
                new ServerDescriptor("server" + server, "host:" + random.nextInt(9)));
    }

    private String server() {
        List<ServerDescriptor> servers = state.servers();
        return servers.get(random.nextInt(servers.size())).serverId();
    }

    private MetadataRecord createTable() {
        TableSchema items = TestTable.SCHEMA;
        TableSchema schema =
                new TableSchema(
                        "Table" + ++named, items.columns(), items.key(), items.hiddenRowId());
        return new MetadataRecord.TableCreated(state.newId(), schema, state.newId(), server());
    }

    private MetadataRecord drop(TableDescriptor table) {
        return state.runningLoadsInto(table.tableId()).isEmpty() && random.nextBoolean()
                ? new MetadataRecord.TableDropped(table.tableId())
                : begin(table);
    }

    private MetadataRecord split(TableDescriptor table) {
        if (!state.runningLoadsInto(table.tableId()).isEmpty()) {
            return begin(table);
        }
        List<RegionAssignment> regions = state.regions(table.tableId());
        RegionAssignment region = regions.get(random.nextInt(regions.size()));
        byte[] middle = TestTable.key(random.nextInt(1000));
        KeyRange range = region.range();
        if (!range.contains(middle) || Arrays.equals(middle, range.start())) {
            return begin(table);
        }
        return new MetadataRecord.RegionSplit(
                region.regionId(),
                List.of(
                        new MetadataRecord.Part(
                                state.newId(), new KeyRange(range.start(), middle), server()),
                        new MetadataRecord.Part(
                                state.newId(), new KeyRange(middle, range.end()), server())));
    }

    private MetadataRecord begin(TableDescriptor table) {
        boolean resumable = random.nextInt(3) == 0;
        LoadRequest request =
                new LoadRequest(
                        table.schema().name(),
                        LABELS.get(random.nextInt(LABELS.size())),
                        DuplicatePolicy.REPLACE,
                        Dialect.csv(),
                        List.of(0, 1, 2),
                        List.of("test.csv"),
                        false,
                        random.nextInt(4) == 0,
                        Verification.CHECKSUM,
                        TokenTables.NONE,
                        resumable ? "plan " + "x".repeat(random.nextInt(300)) : "");
        ordinal = state.nextOrdinal(table.schema());
        return new MetadataRecord.LoadBegun("load" + ordinal, ordinal, table.tableId(), request);
    }

    private MetadataRecord goOn(LoadDescriptor load) {
        return switch (random.nextInt(5)) {
            case 0 -> new MetadataRecord.LoadAborted(load.loadId());
            case 1 ->
                    new MetadataRecord.LoaderHeard(
                            load.loadId(), random.nextLong(), random.nextInt(1_000_000));
            default ->
                    new MetadataRecord.LoadPublished(
                            load.loadId(),
                            state.epoch() + 1,
                            random.nextInt(1000),
                            load.request().label().isEmpty() ? "" : "report of " + load.loadId());
        };
    }

    /** All that can be asked of a state about what has happened, as text. */
    List<String> answers(MetadataState asked) {
        List<String> answers = new ArrayList<>();
        answers.add("epoch " + asked.epoch() + " servers " + asked.servers());
        for (TableDescriptor table : asked.tables()) {
            answers.add("table " + table + " regions " + asked.regions(table.tableId()));
            for (String label : LABELS) {
                answers.add(label + " is " + asked.labelled(table.tableId(), label));
            }
        }
        asked.servers().forEach(server -> answers.add(hosted(asked, server.serverId())));
        asked.publishedSince(0, Long.MAX_VALUE)
                .loads()
                .forEach(load ->
                        answers.add(
                                load.withRegions(new long[0]).toString().replaceAll("\\[J@\\w+", "")
                                        + Arrays.toString(load.regionIds())));
        asked.runningLoads().forEach(load -> answers.add("running " + load));
        answers.add("unloaded " + asked.unloadedTables());
        for (long load = 1; load <= ordinal; load++) {
            String id = "load" + load;
            answers.add(id + asked.loadState(id) + asked.publishedEpoch(id));
            answers.add(id + asked.loader(id) + asked.heard(id) + asked.runningLoad(id));
        }
        answers.add("ended " + asked.rememberedLoads());
        return answers;
    }

    private static String hosted(MetadataState asked, String serverId) {
        HostedRegions hosted = asked.hosted(serverId);
        return serverId
                + Arrays.toString(hosted.regionIds())
                + Arrays.toString(hosted.latestEpochs())
                + hosted.epoch();
    }
}
