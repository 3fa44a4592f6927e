package dev.penstock.kv.meta;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadRequest;

import java.util.List;

/** One change of the metadata: what the log holds, in the order it happened. */
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
}
