package dev.penstock.kv.wire;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;

import java.util.List;
import java.util.Map;

/**
 * What a client asks: one record for each method of the region server's and the leader's services.
 */
public sealed interface Request {
    record Ping() implements Request {}

    record CreateRegions(List<RegionDescriptor> regions) implements Request {}

    record DropRegion(long regionId) implements Request {}

    record CloseIfEmpty(long regionId) implements Request {}

    record Put(long regionId, long epoch, ColumnBatch rows) implements Request {}

    record Insert(long regionId, long epoch, ColumnBatch rows) implements Request {}

    record Delete(long regionId, long epoch, List<byte[]> keys) implements Request {}

    /**
     * Asks whether a write would be refused.
     *
     * @param removal whether the keys are to be removed
     */
    record CheckWrite(long regionId, long epoch, List<byte[]> keys, boolean removal)
            implements Request {}

    record Get(long regionId, long epoch, byte[] key) implements Request {}

    record FirstPresent(long regionId, long epoch, List<byte[]> keys) implements Request {}

    /**
     * Opens a scan; answered by {@link Reply.Rows} with its first rows.
     *
     * @param kinds for each projected column 1 if it holds byte strings, else 0
     */
    record OpenScan(ScanRequest scan, byte[] kinds) implements Request {}

    record NextRows(long cursorId) implements Request {}

    record CloseScan(long cursorId) implements Request {}

    record Count(long regionId, long epoch, KeyRange range, Predicate predicate)
            implements Request {}

    record Aggregate(long regionId, long epoch, AggregateQuery query) implements Request {}

    record Checksum(long regionId, long epoch) implements Request {}

    record OpenLoad(LoadDescriptor load) implements Request {}

    /**
     * A fragment; its payload is the frame's bulk.
     *
     * @param checksum CRC32C of the payload where its form has none of its own (raw), else 0
     */
    record Fragment(String loadId, FragmentHeader header, int checksum) implements Request {}

    record ForceLoad(String loadId) implements Request {}

    record Finish(String loadId, List<Long> regionIds) implements Request {}

    record Install(String loadId, long epoch) implements Request {}

    record Discard(String loadId) implements Request {}

    record RevokeLease(String loadId, List<Long> regionIds) implements Request {}

    record ServerStatus() implements Request {}

    record CreateTable(TableSchema schema) implements Request {}

    record DropTable(String name) implements Request {}

    record Tables() implements Request {}

    record Table(String name) implements Request {}

    record Regions(String table) implements Request {}

    record PreSplit(String table, List<byte[]> points) implements Request {}

    record BeginLoad(LoadRequest load) implements Request {}

    record Load(String loadId) implements Request {}

    record RunningLoads(String table, String label) implements Request {}

    record ResumeLoad(String loadId, long loader) implements Request {}

    record ReleaseLoad(String loadId, long loader) implements Request {}

    record Checkpoint(String loadId, long loader, byte[] entry) implements Request {}

    record Checkpoints(String loadId, int from) implements Request {}

    record Publish(String loadId, Map<Long, Long> regionRows, String report) implements Request {}

    record Labelled(String table, String label) implements Request {}

    record Abort(String loadId) implements Request {}

    record LoadState(String loadId) implements Request {}

    record SignOfLife(String loadId, long loader) implements Request {}

    record Epoch() implements Request {}

    record PublishedSince(long epoch) implements Request {}

    record Join(ServerDescriptor server) implements Request {}

    record Report(ServerDescriptor server) implements Request {}

    record Servers() implements Request {}

    record ClusterStatus() implements Request {}
}
