package dev.penstock.sql;

import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The view of loads: those of this process with their progress, and what the leader tells of
 * others: published ones of tables that may be read, and running ones to who may see the status of
 * the store. Loads that failed elsewhere leave nothing to be shown.
 */
final class LoadsTable extends AbstractTable implements ScannableTable {
    /** The view as if it were declared. */
    static final TableSchema SCHEMA =
            Ddl.parseCreateTable(
                    "CREATE TABLE "
                            + SqlEngine.LOADS
                            + " (load_id VARCHAR(36), table_name VARCHAR(256), label VARCHAR(1000)"
                            + " NOT NULL, state VARCHAR(16) NOT NULL, phase VARCHAR(16),"
                            + " input_bytes BIGINT, row_count BIGINT, rejects BIGINT, mb_per_second"
                            + " DOUBLE, started TIMESTAMP, seconds DOUBLE, epoch BIGINT)");

    private final Penstock store;
    private final Supplier<List<LoadLine>> ofThisProcess;

    LoadsTable(Penstock store, Supplier<List<LoadLine>> ofThisProcess) {
        this.store = store;
        this.ofThisProcess = ofThisProcess;
    }

    @Override
    public Schema.TableType getJdbcTableType() {
        return Schema.TableType.SYSTEM_TABLE;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        return SqlTypes.rowType(SCHEMA, factory);
    }

    @Override
    public Enumerable<@Nullable Object[]> scan(DataContext context) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (LoadLine line : lines()) {
            rows.add(
                    new @Nullable Object[] {
                        line.loadId(),
                        line.table(),
                        line.label(),
                        line.state(),
                        line.phase(),
                        line.inputBytes(),
                        line.rows(),
                        line.rejects(),
                        line.megabytesPerSecond(),
                        line.startedMillis(),
                        line.seconds(),
                        line.epoch()
                    });
        }
        return Linq4j.asEnumerable(rows);
    }

    private List<LoadLine> lines() {
        Optional<ClusterStatus> status = store.statusIfAllowed();
        Set<String> kept = new HashSet<>();
        for (RunningLoad load : status.map(ClusterStatus::runningLoads).orElse(List.of())) {
            if (load.load().request().resumable()) {
                kept.add(load.loadId());
            }
        }
        List<LoadLine> lines = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (LoadLine line : ofThisProcess.get()) {
            String loadId = line.loadId();
            boolean unfinished = line.broke() && loadId != null && kept.contains(loadId);
            lines.add(unfinished ? line.withState("UNFINISHED") : line);
            if (loadId != null) {
                known.add(loadId);
            }
        }
        MetadataService metadata = store.cluster().metadata();
        Map<Long, String> names = new HashMap<>();
        for (TableDescriptor table : metadata.tables()) {
            names.put(table.tableId(), table.schema().name());
        }
        for (PublishedLoad load : allPublished(metadata)) {
            if (known.add(load.loadId())) {
                lines.add(published(load, names.get(load.tableId())));
            }
        }
        status.ifPresent(present -> {
            for (RunningLoad load : present.runningLoads()) {
                if (known.add(load.loadId())) {
                    lines.add(running(load, present));
                }
            }
        });
        return lines;
    }

    private static List<PublishedLoad> allPublished(MetadataService metadata) {
        List<PublishedLoad> loads = new ArrayList<>();
        long latest = metadata.epoch();
        long known = 0;
        while (known < latest) {
            PublishedPage page = metadata.publishedSince(known);
            if (page.upTo() <= known) {
                return loads;
            }
            loads.addAll(page.loads());
            known = page.upTo();
        }
        return loads;
    }

    private static LoadLine published(PublishedLoad load, @Nullable String table) {
        return new LoadLine(
                load.loadId(),
                table,
                load.label(),
                "PUBLISHED",
                null,
                null,
                load.rowCount(),
                null,
                null,
                null,
                null,
                load.epoch());
    }

    private static LoadLine running(RunningLoad running, ClusterStatus status) {
        LoadDescriptor load = running.load();
        long rows = 0;
        boolean merging = false;
        for (ServerStatus server : status.servers()) {
            for (LoadProgress part : server.loads()) {
                if (part.loadId().equals(load.loadId())) {
                    rows += part.rowCount();
                    merging |= part.prepared();
                }
            }
        }
        return new LoadLine(
                load.loadId(),
                load.table().schema().name(),
                load.request().label(),
                running.waiting() ? "UNFINISHED" : "RUNNING",
                merging ? "MERGE" : "LOAD",
                null,
                rows,
                null,
                null,
                null,
                null,
                null);
    }
}
