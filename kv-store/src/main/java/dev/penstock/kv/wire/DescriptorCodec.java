package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.HostedRegions;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionStatus;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.SchemaCodec;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LabelledLoad;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The records of {@link dev.penstock.kv.api}, each as the sequence of its components. */
final class DescriptorCodec {
    private DescriptorCodec() {}

    /** Schemas first, each once; regions name theirs by its place among them. */
    static void putRegions(List<RegionDescriptor> regions, ByteBuilder out) {
        Map<TableSchema, Integer> places = new LinkedHashMap<>();
        for (RegionDescriptor region : regions) {
            places.putIfAbsent(region.schema(), places.size());
        }
        Fields.putList(List.copyOf(places.keySet()), out, SchemaCodec::putSchema);
        Fields.putList(
                regions,
                out,
                (region, to) -> {
                    to.putLong(region.regionId()).putLong(region.tableId());
                    to.putInt(places.getOrDefault(region.schema(), 0));
                    SchemaCodec.putRange(region.range(), to);
                });
    }

    static List<RegionDescriptor> getRegions(ByteParser in) {
        List<TableSchema> schemas = Fields.getList(in, 13, SchemaCodec::getSchema);
        return Fields.getList(in, 28, from -> getRegion(schemas, from));
    }

    private static RegionDescriptor getRegion(List<TableSchema> schemas, ByteParser in) {
        long regionId = in.getLong();
        long tableId = in.getLong();
        int place = in.getInt();
        if (place < 0 || place >= schemas.size()) {
            throw PenstockException.corrupt(
                    "a region names schema " + place + " of " + schemas.size());
        }
        return new RegionDescriptor(
                regionId, tableId, schemas.get(place), SchemaCodec.getRange(in));
    }

    static void putTable(TableDescriptor table, ByteBuilder out) {
        out.putLong(table.tableId());
        SchemaCodec.putSchema(table.schema(), out);
    }

    static TableDescriptor getTable(ByteParser in) {
        return new TableDescriptor(in.getLong(), SchemaCodec.getSchema(in));
    }

    static void putServer(ServerDescriptor server, ByteBuilder out) {
        out.putString(server.serverId()).putString(server.address());
    }

    static ServerDescriptor getServer(ByteParser in) {
        return new ServerDescriptor(in.getString(), in.getString());
    }

    static void putAssignment(RegionAssignment region, ByteBuilder out) {
        out.putLong(region.regionId()).putLong(region.tableId());
        SchemaCodec.putRange(region.range(), out);
        putServer(region.server(), out);
    }

    static RegionAssignment getAssignment(ByteParser in) {
        return new RegionAssignment(
                in.getLong(), in.getLong(), SchemaCodec.getRange(in), getServer(in));
    }

    static void putLoad(LoadDescriptor load, ByteBuilder out) {
        out.putString(load.loadId()).putLong(load.ordinal());
        putTable(load.table(), out);
        SchemaCodec.putRequest(load.request(), out);
        Fields.putList(load.regions(), out, DescriptorCodec::putAssignment);
    }

    static LoadDescriptor getLoad(ByteParser in) {
        return new LoadDescriptor(
                in.getString(),
                in.getLong(),
                getTable(in),
                SchemaCodec.getRequest(in),
                Fields.getList(in, 32, DescriptorCodec::getAssignment));
    }

    static void putRunning(RunningLoad load, ByteBuilder out) {
        putLoad(load.load(), out);
        Fields.putBoolean(load.waiting(), out);
        Fields.putBoolean(load.heard().isPresent(), out);
        load.heard().ifPresent(when -> out.putLong(when.toEpochMilli()));
    }

    static RunningLoad getRunning(ByteParser in) {
        return new RunningLoad(
                getLoad(in),
                Fields.getBoolean(in),
                Fields.getBoolean(in)
                        ? Optional.of(Instant.ofEpochMilli(in.getLong()))
                        : Optional.empty());
    }

    static void putScan(ScanRequest scan, ByteBuilder out) {
        out.putLong(scan.regionId()).putLong(scan.epoch());
        SchemaCodec.putRange(scan.range(), out);
        out.putInt(scan.projection().length);
        for (int column : scan.projection()) {
            out.putInt(column);
        }
        PredicateCodec.put(scan.predicate(), out);
        out.putLong(scan.limit());
    }

    static ScanRequest getScan(ByteParser in) {
        long regionId = in.getLong();
        long epoch = in.getLong();
        var range = SchemaCodec.getRange(in);
        int[] projection = new int[in.getCount(4)];
        for (int i = 0; i < projection.length; i++) {
            projection[i] = in.getInt();
        }
        return new ScanRequest(
                regionId, epoch, range, projection, PredicateCodec.get(in), in.getLong());
    }

    static void putChecksum(RegionChecksum checksum, ByteBuilder out) {
        out.putLong(checksum.regionId());
        out.putLong(checksum.rowCount()).putLong(checksum.provenRows());
        out.putLongs(checksum.columnSums());
    }

    static RegionChecksum getChecksum(ByteParser in) {
        return new RegionChecksum(in.getLong(), in.getLong(), in.getLong(), in.getLongs());
    }

    static void putServerStatus(RegionServerStatus status, ByteBuilder out) {
        putServer(status.server(), out);
        Fields.putList(status.regions(), out, DescriptorCodec::putRegionStatus);
        Fields.putList(status.loads(), out, DescriptorCodec::putProgress);
    }

    static RegionServerStatus getServerStatus(ByteParser in) {
        return new RegionServerStatus(
                getServer(in),
                Fields.getList(in, 44, DescriptorCodec::getRegionStatus),
                Fields.getList(in, 37, DescriptorCodec::getProgress));
    }

    static void putCluster(ClusterStatus status, ByteBuilder out) {
        out.putLong(status.epoch());
        Fields.putList(status.tables(), out, DescriptorCodec::putTable);
        Fields.putList(status.servers(), out, DescriptorCodec::putMember);
        Fields.putList(status.runningLoads(), out, DescriptorCodec::putRunning);
    }

    static ClusterStatus getCluster(ByteParser in) {
        return new ClusterStatus(
                in.getLong(),
                Fields.getList(in, 16, DescriptorCodec::getTable),
                Fields.getList(in, 21, DescriptorCodec::getMember),
                Fields.getList(in, 42, DescriptorCodec::getRunning));
    }

    private static void putMember(ServerStatus status, ByteBuilder out) {
        putServer(status.server(), out);
        Fields.putBoolean(status.reachable(), out);
        out.putInt(status.assignedRegions());
        Fields.putList(status.regions(), out, DescriptorCodec::putRegionStatus);
        Fields.putList(status.loads(), out, DescriptorCodec::putProgress);
    }

    private static ServerStatus getMember(ByteParser in) {
        return new ServerStatus(
                getServer(in),
                Fields.getBoolean(in),
                in.getInt(),
                Fields.getList(in, 44, DescriptorCodec::getRegionStatus),
                Fields.getList(in, 37, DescriptorCodec::getProgress));
    }

    private static void putRegionStatus(RegionStatus status, ByteBuilder out) {
        out.putLong(status.regionId()).putLong(status.tableId()).putLong(status.rowCount());
        out.putLong(status.storedBytes()).putLong(status.memoryBytes()).putInt(status.layers());
    }

    private static RegionStatus getRegionStatus(ByteParser in) {
        return new RegionStatus(
                in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getInt());
    }

    private static void putProgress(LoadProgress progress, ByteBuilder out) {
        out.putString(progress.loadId()).putLong(progress.regionId());
        out.putLong(progress.fragments()).putLong(progress.rowCount());
        out.putLong(progress.stagedBytes());
        Fields.putBoolean(progress.prepared(), out);
    }

    private static LoadProgress getProgress(ByteParser in) {
        return new LoadProgress(
                in.getString(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                Fields.getBoolean(in));
    }

    static void putLabelled(LabelledLoad load, ByteBuilder out) {
        out.putString(load.loadId()).putLong(load.epoch()).putString(load.report());
    }

    static LabelledLoad getLabelled(ByteParser in) {
        return new LabelledLoad(in.getString(), in.getLong(), in.getString());
    }

    static void putHosted(HostedRegions regions, ByteBuilder out) {
        out.putLongs(regions.regionIds());
        out.putLongs(regions.latestEpochs());
        out.putLong(regions.epoch());
    }

    static HostedRegions getHosted(ByteParser in) {
        return new HostedRegions(in.getLongs(), in.getLongs(), in.getLong());
    }

    static void putPage(PublishedPage page, ByteBuilder out) {
        Fields.putList(page.loads(), out, SchemaCodec::putPublished);
        out.putLong(page.upTo());
    }

    static PublishedPage getPage(ByteParser in) {
        List<PublishedLoad> loads = Fields.getList(in, 44, SchemaCodec::getPublished);
        return new PublishedPage(loads, in.getLong());
    }

    static void putReport(ReportReply reply, ByteBuilder out) {
        out.putLong(reply.epoch());
        Fields.putList(reply.runningLoads(), out, Fields::putString);
        Fields.putBoolean(reply.lease(), out);
    }

    static ReportReply getReport(ByteParser in) {
        return new ReportReply(
                in.getLong(), Fields.getList(in, 4, ByteParser::getString), Fields.getBoolean(in));
    }
}
