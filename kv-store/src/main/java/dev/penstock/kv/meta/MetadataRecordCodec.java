package dev.penstock.kv.meta;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.SchemaCodec;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.meta.MetadataRecord.EndedLoad;
import dev.penstock.kv.meta.MetadataRecord.Part;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.List;

/** Metadata records as bytes: a tag byte, then the components in order. */
final class MetadataRecordCodec {
    private static final int SERVER_JOINED = 1;
    private static final int TABLE_CREATED = 2;
    private static final int TABLE_DROPPED = 3;
    private static final int REGION_SPLIT = 4;
    private static final int LOAD_BEGUN = 5;
    private static final int LOAD_PUBLISHED = 6;
    private static final int LOAD_ABORTED = 7;
    private static final int LOADER_HEARD = 8;
    private static final int TABLE_SNAPSHOT = 9;
    private static final int LOAD_SNAPSHOT = 10;
    private static final int ENDED_LOADS = 11;
    private static final int SNAPSHOT_END = 12;

    private MetadataRecordCodec() {}

    static void put(MetadataRecord metadataRecord, ByteBuilder out) {
        switch (metadataRecord) {
            case MetadataRecord.ServerJoined r -> {
                out.putByte(SERVER_JOINED).putString(r.server().serverId());
                out.putString(r.server().address());
            }
            case MetadataRecord.TableCreated r -> {
                out.putByte(TABLE_CREATED).putLong(r.tableId());
                SchemaCodec.putSchema(r.schema(), out);
                out.putLong(r.regionId()).putString(r.serverId());
            }
            case MetadataRecord.TableDropped r -> out.putByte(TABLE_DROPPED).putLong(r.tableId());
            case MetadataRecord.RegionSplit r -> {
                out.putByte(REGION_SPLIT).putLong(r.regionId());
                putParts(r.parts(), out);
            }
            case MetadataRecord.LoadBegun r -> {
                out.putByte(LOAD_BEGUN).putString(r.loadId()).putLong(r.ordinal());
                out.putLong(r.tableId());
                SchemaCodec.putLastRequest(r.request(), out);
            }
            case MetadataRecord.LoaderHeard r ->
                    out.putByte(LOADER_HEARD)
                            .putString(r.loadId())
                            .putLong(r.loader())
                            .putLong(r.millis());
            case MetadataRecord.LoadPublished r -> {
                out.putByte(LOAD_PUBLISHED).putString(r.loadId()).putLong(r.epoch());
                out.putLong(r.rowCount()).putString(r.report());
            }
            case MetadataRecord.LoadAborted r -> out.putByte(LOAD_ABORTED).putString(r.loadId());
            case MetadataRecord.TableSnapshot r -> {
                out.putByte(TABLE_SNAPSHOT).putLong(r.tableId());
                SchemaCodec.putSchema(r.schema(), out);
                putParts(r.regions(), out);
            }
            case MetadataRecord.LoadSnapshot r -> {
                SchemaCodec.putPublished(r.load(), out.putByte(LOAD_SNAPSHOT));
                out.putString(r.report());
            }
            case MetadataRecord.EndedLoads r -> {
                out.putByte(ENDED_LOADS).putInt(r.loads().size());
                r.loads().forEach(load -> out.putString(load.loadId()).putLong(load.epoch()));
            }
            case MetadataRecord.SnapshotEnd r -> {
                out.putByte(SNAPSHOT_END).putLong(r.lastId()).putLong(r.lastOrdinal());
                out.putLong(r.epoch()).putInt(r.unloadedTables().size());
                r.unloadedTables().forEach(out::putLong);
            }
        }
    }

    private static void putParts(List<Part> parts, ByteBuilder out) {
        out.putInt(parts.size());
        for (Part part : parts) {
            out.putLong(part.regionId());
            SchemaCodec.putRange(part.range(), out);
            out.putString(part.serverId());
        }
    }

    static MetadataRecord get(ByteParser in) {
        int tag = in.getByte();
        MetadataRecord metadataRecord =
                switch (tag) {
                    case SERVER_JOINED ->
                            new MetadataRecord.ServerJoined(
                                    new ServerDescriptor(in.getString(), in.getString()));
                    case TABLE_CREATED -> tableCreated(in);
                    case TABLE_DROPPED -> new MetadataRecord.TableDropped(in.getLong());
                    case REGION_SPLIT -> new MetadataRecord.RegionSplit(in.getLong(), parts(in));
                    case LOAD_BEGUN ->
                            new MetadataRecord.LoadBegun(
                                    in.getString(),
                                    in.getLong(),
                                    in.getLong(),
                                    SchemaCodec.getLastRequest(in));
                    case LOADER_HEARD ->
                            new MetadataRecord.LoaderHeard(
                                    in.getString(), in.getLong(), in.getLong());
                    case LOAD_PUBLISHED ->
                            new MetadataRecord.LoadPublished(
                                    in.getString(), in.getLong(), in.getLong(), in.getString());
                    case LOAD_ABORTED -> new MetadataRecord.LoadAborted(in.getString());
                    case TABLE_SNAPSHOT ->
                            new MetadataRecord.TableSnapshot(
                                    in.getLong(), SchemaCodec.getSchema(in), parts(in));
                    case LOAD_SNAPSHOT ->
                            new MetadataRecord.LoadSnapshot(
                                    SchemaCodec.getPublished(in), in.getString());
                    case ENDED_LOADS -> new MetadataRecord.EndedLoads(endedLoads(in));
                    case SNAPSHOT_END ->
                            new MetadataRecord.SnapshotEnd(
                                    in.getLong(), in.getLong(), in.getLong(), tableIds(in));
                    default ->
                            throw PenstockException.corrupt("there is no metadata record " + tag);
                };
        in.expectEnd();
        return metadataRecord;
    }

    private static MetadataRecord tableCreated(ByteParser in) {
        long tableId = in.getLong();
        TableSchema schema = SchemaCodec.getSchema(in);
        return new MetadataRecord.TableCreated(tableId, schema, in.getLong(), in.getString());
    }

    private static List<Part> parts(ByteParser in) {
        int count = in.getCount(20);
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(new Part(in.getLong(), SchemaCodec.getRange(in), in.getString()));
        }
        return parts;
    }

    private static List<EndedLoad> endedLoads(ByteParser in) {
        int count = in.getCount(12);
        List<EndedLoad> loads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            loads.add(new EndedLoad(in.getString(), in.getLong()));
        }
        return loads;
    }

    private static List<Long> tableIds(ByteParser in) {
        List<Long> ids = new ArrayList<>();
        for (long id : in.getLongs()) {
            ids.add(id);
        }
        return ids;
    }
}
