package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.SchemaCodec;
import dev.penstock.schema.TableSchema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests as the message part of a frame. */
public final class RequestCodec {
    private RequestCodec() {}

    public static MessageType typeOf(Request request) {
        return switch (request) {
            case Request.Ping _ -> MessageType.PING;
            case Request.CreateRegions _ -> MessageType.CREATE_REGIONS;
            case Request.DropRegion _ -> MessageType.DROP_REGION;
            case Request.CloseIfEmpty _ -> MessageType.CLOSE_IF_EMPTY;
            case Request.Put _ -> MessageType.PUT;
            case Request.Insert _ -> MessageType.INSERT;
            case Request.Delete _ -> MessageType.DELETE;
            case Request.CheckWrite _ -> MessageType.CHECK_WRITE;
            case Request.Get _ -> MessageType.GET;
            case Request.FirstPresent _ -> MessageType.FIRST_PRESENT;
            case Request.OpenScan _ -> MessageType.OPEN_SCAN;
            case Request.NextRows _ -> MessageType.NEXT_ROWS;
            case Request.CloseScan _ -> MessageType.CLOSE_SCAN;
            case Request.Count _ -> MessageType.COUNT;
            case Request.Aggregate _ -> MessageType.AGGREGATE;
            case Request.Checksum _ -> MessageType.CHECKSUM;
            case Request.OpenLoad _ -> MessageType.OPEN_LOAD;
            case Request.Fragment _ -> MessageType.FRAGMENT;
            case Request.ForceLoad _ -> MessageType.FORCE_LOAD;
            case Request.Finish _ -> MessageType.FINISH;
            case Request.Install _ -> MessageType.INSTALL;
            case Request.Discard _ -> MessageType.DISCARD;
            case Request.RevokeLease _ -> MessageType.REVOKE_LEASE;
            case Request.ServerStatus _ -> MessageType.SERVER_STATUS;
            case Request.CreateTable _ -> MessageType.CREATE_TABLE;
            case Request.DropTable _ -> MessageType.DROP_TABLE;
            case Request.Tables _ -> MessageType.TABLES;
            case Request.Table _ -> MessageType.TABLE;
            case Request.Regions _ -> MessageType.REGIONS;
            case Request.PreSplit _ -> MessageType.PRE_SPLIT;
            case Request.BeginLoad _ -> MessageType.BEGIN_LOAD;
            case Request.Load _ -> MessageType.LOAD;
            case Request.RunningLoads _ -> MessageType.RUNNING_LOADS;
            case Request.ResumeLoad _ -> MessageType.RESUME_LOAD;
            case Request.ReleaseLoad _ -> MessageType.RELEASE_LOAD;
            case Request.Checkpoint _ -> MessageType.CHECKPOINT;
            case Request.Checkpoints _ -> MessageType.CHECKPOINTS;
            case Request.Publish _ -> MessageType.PUBLISH;
            case Request.Labelled _ -> MessageType.LABELLED;
            case Request.Abort _ -> MessageType.ABORT;
            case Request.LoadState _ -> MessageType.LOAD_STATE;
            case Request.SignOfLife _ -> MessageType.SIGN_OF_LIFE;
            case Request.Epoch _ -> MessageType.EPOCH;
            case Request.PublishedSince _ -> MessageType.PUBLISHED_SINCE;
            case Request.Join _ -> MessageType.JOIN;
            case Request.Report _ -> MessageType.REPORT;
            case Request.Servers _ -> MessageType.SERVERS;
            case Request.ClusterStatus _ -> MessageType.CLUSTER_STATUS;
        };
    }

    public static void put(Request request, ByteBuilder out) {
        switch (request) {
            case Request.Ping _,
                    Request.ServerStatus _,
                    Request.Tables _,
                    Request.Epoch _,
                    Request.Servers _,
                    Request.ClusterStatus _ -> {}
            case Request.CreateRegions r -> DescriptorCodec.putRegions(r.regions(), out);
            case Request.DropRegion r -> out.putLong(r.regionId());
            case Request.CloseIfEmpty r -> out.putLong(r.regionId());
            case Request.Put r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                BatchCodec.put(r.rows(), out);
            }
            case Request.Insert r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                BatchCodec.put(r.rows(), out);
            }
            case Request.Delete r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                Fields.putList(r.keys(), out, Fields::putBytes);
            }
            case Request.CheckWrite r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                Fields.putList(r.keys(), out, Fields::putBytes);
                Fields.putBoolean(r.removal(), out);
            }
            case Request.FirstPresent r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                Fields.putList(r.keys(), out, Fields::putBytes);
            }
            case Request.Get r -> out.putLong(r.regionId()).putLong(r.epoch()).putBytes(r.key());
            case Request.OpenScan r -> {
                DescriptorCodec.putScan(r.scan(), out);
                out.putBytes(r.kinds());
            }
            case Request.NextRows r -> out.putLong(r.cursorId());
            case Request.CloseScan r -> out.putLong(r.cursorId());
            case Request.Count r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                SchemaCodec.putRange(r.range(), out);
                PredicateCodec.put(r.predicate(), out);
            }
            case Request.Aggregate r -> {
                out.putLong(r.regionId()).putLong(r.epoch());
                AggregateCodec.putQuery(r.query(), out);
            }
            case Request.Checksum r -> out.putLong(r.regionId()).putLong(r.epoch());
            case Request.OpenLoad r -> DescriptorCodec.putLoad(r.load(), out);
            case Request.Fragment r -> {
                out.putString(r.loadId());
                TargetCodec.putHeader(r.header(), out);
                out.putInt(r.checksum());
            }
            case Request.ForceLoad r -> out.putString(r.loadId());
            case Request.Finish r -> {
                out.putString(r.loadId());
                Fields.putList(r.regionIds(), out, (regionId, to) -> to.putLong(regionId));
            }
            case Request.RevokeLease r -> {
                out.putString(r.loadId());
                Fields.putList(r.regionIds(), out, (regionId, to) -> to.putLong(regionId));
            }
            case Request.Install r -> out.putString(r.loadId()).putLong(r.epoch());
            case Request.Discard r -> out.putString(r.loadId());
            case Request.CreateTable r -> SchemaCodec.putSchema(r.schema(), out);
            case Request.DropTable r -> out.putString(r.name());
            case Request.Table r -> out.putString(r.name());
            case Request.Regions r -> out.putString(r.table());
            case Request.PreSplit r -> {
                out.putString(r.table());
                Fields.putList(r.points(), out, Fields::putBytes);
            }
            case Request.BeginLoad r -> SchemaCodec.putRequest(r.load(), out);
            case Request.Load r -> out.putString(r.loadId());
            case Request.RunningLoads r -> out.putString(r.table()).putString(r.label());
            case Request.ResumeLoad r -> out.putString(r.loadId()).putLong(r.loader());
            case Request.ReleaseLoad r -> out.putString(r.loadId()).putLong(r.loader());
            case Request.Checkpoint r ->
                    out.putString(r.loadId()).putLong(r.loader()).putBytes(r.entry());
            case Request.Checkpoints r -> out.putString(r.loadId()).putInt(r.from());
            case Request.Publish r -> putPublish(r, out);
            case Request.Labelled r -> out.putString(r.table()).putString(r.label());
            case Request.Abort r -> out.putString(r.loadId());
            case Request.LoadState r -> out.putString(r.loadId());
            case Request.SignOfLife r -> out.putString(r.loadId()).putLong(r.loader());
            case Request.PublishedSince r -> out.putLong(r.epoch());
            case Request.Join r -> DescriptorCodec.putServer(r.server(), out);
            case Request.Report r -> DescriptorCodec.putServer(r.server(), out);
        }
    }

    /** The request in the message part of a frame; anything else is refused as corrupt. */
    public static Request get(MessageType type, ByteParser in) {
        Request request = read(type, in);
        in.expectEnd();
        return request;
    }

    private static Request read(MessageType type, ByteParser in) {
        return switch (type) {
            case PING -> new Request.Ping();
            case CREATE_REGIONS -> new Request.CreateRegions(DescriptorCodec.getRegions(in));
            case DROP_REGION -> new Request.DropRegion(in.getLong());
            case CLOSE_IF_EMPTY -> new Request.CloseIfEmpty(in.getLong());
            case PUT -> new Request.Put(in.getLong(), in.getLong(), BatchCodec.get(in));
            case INSERT -> new Request.Insert(in.getLong(), in.getLong(), BatchCodec.get(in));
            case DELETE -> new Request.Delete(in.getLong(), in.getLong(), getKeys(in));
            case CHECK_WRITE ->
                    new Request.CheckWrite(
                            in.getLong(), in.getLong(), getKeys(in), Fields.getBoolean(in));
            case FIRST_PRESENT -> new Request.FirstPresent(in.getLong(), in.getLong(), getKeys(in));
            case GET -> new Request.Get(in.getLong(), in.getLong(), in.getBytes());
            case OPEN_SCAN -> getOpenScan(in);
            case NEXT_ROWS -> new Request.NextRows(in.getLong());
            case CLOSE_SCAN -> new Request.CloseScan(in.getLong());
            case COUNT ->
                    new Request.Count(
                            in.getLong(),
                            in.getLong(),
                            SchemaCodec.getRange(in),
                            PredicateCodec.get(in));
            case AGGREGATE ->
                    new Request.Aggregate(in.getLong(), in.getLong(), AggregateCodec.getQuery(in));
            case CHECKSUM -> new Request.Checksum(in.getLong(), in.getLong());
            case OPEN_LOAD -> new Request.OpenLoad(DescriptorCodec.getLoad(in));
            case FRAGMENT ->
                    new Request.Fragment(in.getString(), TargetCodec.getHeader(in), in.getInt());
            case FORCE_LOAD -> new Request.ForceLoad(in.getString());
            case FINISH ->
                    new Request.Finish(in.getString(), Fields.getList(in, 8, ByteParser::getLong));
            case INSTALL -> new Request.Install(in.getString(), in.getLong());
            case DISCARD -> new Request.Discard(in.getString());
            case REVOKE_LEASE ->
                    new Request.RevokeLease(
                            in.getString(), Fields.getList(in, 8, ByteParser::getLong));
            case SERVER_STATUS -> new Request.ServerStatus();
            case CREATE_TABLE -> new Request.CreateTable(SchemaCodec.getSchema(in));
            case DROP_TABLE -> new Request.DropTable(in.getString());
            case TABLES -> new Request.Tables();
            case TABLE -> new Request.Table(in.getString());
            case REGIONS -> new Request.Regions(in.getString());
            case PRE_SPLIT -> new Request.PreSplit(in.getString(), getKeys(in));
            case BEGIN_LOAD -> new Request.BeginLoad(SchemaCodec.getRequest(in));
            case LOAD -> new Request.Load(in.getString());
            case RUNNING_LOADS -> new Request.RunningLoads(in.getString(), in.getString());
            case RESUME_LOAD -> new Request.ResumeLoad(in.getString(), in.getLong());
            case RELEASE_LOAD -> new Request.ReleaseLoad(in.getString(), in.getLong());
            case CHECKPOINT -> new Request.Checkpoint(in.getString(), in.getLong(), in.getBytes());
            case CHECKPOINTS -> new Request.Checkpoints(in.getString(), in.getInt());
            case PUBLISH -> getPublish(in);
            case LABELLED -> new Request.Labelled(in.getString(), in.getString());
            case ABORT -> new Request.Abort(in.getString());
            case LOAD_STATE -> new Request.LoadState(in.getString());
            case SIGN_OF_LIFE -> new Request.SignOfLife(in.getString(), in.getLong());
            case EPOCH -> new Request.Epoch();
            case PUBLISHED_SINCE -> new Request.PublishedSince(in.getLong());
            case JOIN -> new Request.Join(DescriptorCodec.getServer(in));
            case REPORT -> new Request.Report(DescriptorCodec.getServer(in));
            case SERVERS -> new Request.Servers();
            case CLUSTER_STATUS -> new Request.ClusterStatus();
            case HELLO,
                    FAILURE,
                    DONE,
                    FLAG,
                    LONG_VALUE,
                    ROW,
                    ROWS,
                    REGION_CHECKSUM,
                    ACKNOWLEDGED,
                    RECEIPTS,
                    REGION_SERVER_STATUS,
                    TABLE_LIST,
                    REGION_LIST,
                    LOAD_DESCRIPTOR,
                    STATE,
                    PUBLISHED_LOADS,
                    JOINED,
                    SERVER_LIST,
                    CLUSTER,
                    AGGREGATES,
                    LABELLED_LOADS,
                    LOAD_LIST,
                    CHECKPOINT_LIST,
                    REPORTED ->
                    throw PenstockException.corrupt(type + " is no request");
        };
    }

    private static List<byte[]> getKeys(ByteParser in) {
        return Fields.getList(in, 4, ByteParser::getBytes);
    }

    private static Request getOpenScan(ByteParser in) {
        Request.OpenScan request = new Request.OpenScan(DescriptorCodec.getScan(in), in.getBytes());
        int[] projection = request.scan().projection();
        if (projection.length != request.kinds().length
                || projection.length > TableSchema.MAX_COLUMNS) {
            throw PenstockException.corrupt(
                    "a scan asks for "
                            + projection.length
                            + " columns of "
                            + request.kinds().length
                            + " kinds");
        }
        return request;
    }

    private static void putPublish(Request.Publish request, ByteBuilder out) {
        out.putString(request.loadId()).putInt(request.regionRows().size());
        request.regionRows().forEach((region, rows) -> out.putLong(region).putLong(rows));
        out.putString(request.report());
    }

    private static Request getPublish(ByteParser in) {
        String loadId = in.getString();
        int count = in.getCount(16);
        Map<Long, Long> regionRows = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            regionRows.put(in.getLong(), in.getLong());
        }
        return new Request.Publish(loadId, regionRows, in.getString());
    }
}
