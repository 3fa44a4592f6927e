package dev.penstock.kv.meta;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadRequest;

import java.util.List;

/**
 * One change of the metadata: what the log holds, in the order it happened. A log that was written
 * anew begins with a snapshot instead of all that happened before: servers, each table with its
 * loads, running loads, loads that have ended, and the {@link SnapshotEnd}.
 */
public sealed interface MetadataRecord {
    /** A server joined for the first time or with a new address. */
    record ServerJoined(ServerDescriptor server) implements MetadataRecord {}

    /** A table with one region that holds all keys. */
    record TableCreated(long tableId, TableSchema schema, long regionId, String serverId)
            implements MetadataRecord {}

    record TableDropped(long tableId) implements MetadataRecord {}

    /** An empty region is replaced by parts that cover the same keys. */
    record RegionSplit(long regionId, List<Part> parts) implements MetadataRecord {
        public RegionSplit {
            parts = List.copyOf(parts);
        }
    }

    /** One part of a split. */
    record Part(long regionId, KeyRange range, String serverId) {}

    record LoadBegun(String loadId, long ordinal, long tableId, LoadRequest request)
            implements MetadataRecord {}

    /**
     * The loader of a load that can be resumed, which may be another than before, and when it was
     * heard of last.
     *
     * @param millis since 1970
     */
    record LoaderHeard(String loadId, long loader, long millis) implements MetadataRecord {}

    /**
     * The commit of a load.
     *
     * @param report the loader's account of it if it has a label, else empty
     */
    record LoadPublished(String loadId, long epoch, long rowCount, String report)
            implements MetadataRecord {}

    record LoadAborted(String loadId) implements MetadataRecord {}

    /** A table of a snapshot, with the regions that it has. */
    record TableSnapshot(long tableId, TableSchema schema, List<Part> regions)
            implements MetadataRecord {
        public TableSnapshot {
            regions = List.copyOf(regions);
        }
    }

    /**
     * A published load of the latest table of a snapshot, after those published before it.
     *
     * @param load without regions if they are those of the table's load before
     * @param report if it is the one that has its label, else empty
     */
    record LoadSnapshot(PublishedLoad load, String report) implements MetadataRecord {}

    /** Some loads of a snapshot that have left nothing, oldest first. */
    record EndedLoads(List<EndedLoad> loads) implements MetadataRecord {
        public EndedLoads {
            loads = List.copyOf(loads);
        }
    }

    /**
     * A load that was aborted, or published into a table that is dropped.
     *
     * @param epoch 0 if it was aborted
     */
    record EndedLoad(String loadId, long epoch) {}

    /**
     * The end of a snapshot.
     *
     * @param lastId of a table or region
     * @param lastOrdinal of a load
     * @param epoch the latest
     * @param unloadedTables that loads have created and none was published into
     */
    record SnapshotEnd(long lastId, long lastOrdinal, long epoch, List<Long> unloadedTables)
            implements MetadataRecord {
        public SnapshotEnd {
            unloadedTables = List.copyOf(unloadedTables);
        }
    }
}
