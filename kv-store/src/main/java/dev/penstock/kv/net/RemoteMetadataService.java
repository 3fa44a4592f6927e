package dev.penstock.kv.net;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The leader behind a connection. */
final class RemoteMetadataService implements MetadataService {
    private final ConnectionPool pool;
    private final String address;

    RemoteMetadataService(ConnectionPool pool, String address) {
        this.pool = pool;
        this.address = address;
    }

    @Override
    public TableDescriptor createTable(TableSchema schema) {
        List<TableDescriptor> tables =
                once(new Request.CreateTable(schema), Reply.Tables.class).tables();
        if (tables.size() != 1) {
            throw PenstockException.corrupt(
                    "server " + address + " created " + tables.size() + " tables");
        }
        return tables.getFirst();
    }

    @Override
    public boolean dropTable(String name) {
        return once(new Request.DropTable(name), Reply.Flag.class).value();
    }

    @Override
    public List<TableDescriptor> tables() {
        return again(new Request.Tables(), Reply.Tables.class).tables();
    }

    @Override
    public Optional<TableDescriptor> table(String name) {
        return again(new Request.Table(name), Reply.Tables.class).tables().stream().findFirst();
    }

    @Override
    public List<RegionAssignment> regions(String table) {
        return again(new Request.Regions(table), Reply.Regions.class).regions();
    }

    @Override
    public List<RegionAssignment> preSplit(String table, List<byte[]> points) {
        return once(new Request.PreSplit(table, points), Reply.Regions.class).regions();
    }

    @Override
    public LoadDescriptor beginLoad(LoadRequest request) {
        return once(new Request.BeginLoad(request), Reply.Load.class).load();
    }

    @Override
    public LoadDescriptor load(String loadId) {
        return again(new Request.Load(loadId), Reply.Load.class).load();
    }

    @Override
    public List<RunningLoad> runningLoads(String table, String label) {
        return again(new Request.RunningLoads(table, label), Reply.Loads.class).loads();
    }

    @Override
    public LoadDescriptor resumeLoad(String loadId, long loader) {
        Request request = new Request.ResumeLoad(loadId, loader);
        Reply reply = pool.callAgain(Destination.anyAt(address), request, Deadlines.LONG);
        return RemoteRegionService.expect(address, reply, Reply.Load.class).load();
    }

    @Override
    public void releaseLoad(String loadId, long loader) {
        again(new Request.ReleaseLoad(loadId, loader), Reply.Done.class);
    }

    @Override
    public void checkpoint(String loadId, long loader, byte[] entry) {
        again(new Request.Checkpoint(loadId, loader, entry), Reply.Done.class);
    }

    @Override
    public List<byte[]> checkpoints(String loadId, int from) {
        return again(new Request.Checkpoints(loadId, from), Reply.Checkpoints.class).entries();
    }

    @Override
    public long publish(String loadId, Map<Long, Long> regionRows, String report) {
        return again(new Request.Publish(loadId, regionRows, report), Reply.LongValue.class)
                .value();
    }

    @Override
    public Optional<LabelledLoad> labelled(String table, String label) {
        return again(new Request.Labelled(table, label), Reply.Labelled.class).loads().stream()
                .findFirst();
    }

    @Override
    public void abort(String loadId) {
        again(new Request.Abort(loadId), Reply.Done.class);
    }

    @Override
    public LoadState loadState(String loadId) {
        return again(new Request.LoadState(loadId), Reply.State.class).state();
    }

    @Override
    public LoadState signOfLife(String loadId, long loader) {
        return again(new Request.SignOfLife(loadId, loader), Reply.State.class).state();
    }

    @Override
    public long epoch() {
        return again(new Request.Epoch(), Reply.LongValue.class).value();
    }

    @Override
    public PublishedPage publishedSince(long epoch) {
        return again(new Request.PublishedSince(epoch), Reply.Published.class).page();
    }

    @Override
    public JoinReply join(ServerDescriptor server) {
        return again(new Request.Join(server), Reply.Joined.class).reply();
    }

    @Override
    public ReportReply report(ServerDescriptor server) {
        return again(new Request.Report(server), Reply.Reported.class).reply();
    }

    @Override
    public List<ServerDescriptor> servers() {
        return again(new Request.Servers(), Reply.Servers.class).servers();
    }

    @Override
    public ClusterStatus status() {
        return again(new Request.ClusterStatus(), Reply.Cluster.class).status();
    }

    private <T extends Reply> T once(Request request, Class<T> type) {
        return RemoteRegionService.expect(
                address, pool.call(Destination.anyAt(address), request, Deadlines.SHORT), type);
    }

    /** For requests that may arrive twice without harm. */
    private <T extends Reply> T again(Request request, Class<T> type) {
        return RemoteRegionService.expect(
                address,
                pool.callAgain(Destination.anyAt(address), request, Deadlines.SHORT),
                type);
    }
}
