package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.SchemaCodec;
import dev.penstock.kv.api.SumsCodec;
import dev.penstock.segment.SegmentIdentity;

import java.util.ArrayList;
import java.util.List;

/** Manifest records as bytes: a tag byte, then the components in order. */
final class ManifestRecordCodec {
    private static final int CREATED = 1;
    private static final int FLUSHED = 2;
    private static final int INSTALLED = 3;
    private static final int COMPACTED = 4;
    private static final int SNAPSHOT = 5;

    private ManifestRecordCodec() {}

    static void put(ManifestRecord manifestRecord, ByteBuilder out) {
        switch (manifestRecord) {
            case ManifestRecord.Created r -> {
                out.putByte(CREATED).putLong(r.region().regionId()).putLong(r.region().tableId());
                SchemaCodec.putSchema(r.region().schema(), out);
                SchemaCodec.putRange(r.region().range(), out);
            }
            case ManifestRecord.Flushed r -> {
                out.putByte(FLUSHED).putLong(r.logFloor());
                putLayer(r.layer(), out);
            }
            case ManifestRecord.Installed r -> {
                out.putByte(INSTALLED);
                putLayer(r.layer(), out);
            }
            case ManifestRecord.Compacted r -> {
                out.putByte(COMPACTED).putInt(r.sequences().size());
                r.sequences().forEach(out::putLong);
                putLayer(r.layer(), out);
            }
            case ManifestRecord.Snapshot r -> {
                out.putByte(SNAPSHOT).putInt(r.layers().size());
                r.layers().forEach(layer -> putLayer(layer, out));
                out.putLong(r.logFloor()).putLong(r.installedEpoch()).putLong(r.lastSequence());
            }
        }
    }

    static ManifestRecord get(ByteParser in) {
        int tag = in.getByte();
        ManifestRecord manifestRecord =
                switch (tag) {
                    case CREATED ->
                            new ManifestRecord.Created(
                                    new RegionDescriptor(
                                            in.getLong(),
                                            in.getLong(),
                                            SchemaCodec.getSchema(in),
                                            SchemaCodec.getRange(in)));
                    case FLUSHED -> {
                        long logFloor = in.getLong();
                        yield new ManifestRecord.Flushed(getLayer(in), logFloor);
                    }
                    case INSTALLED -> new ManifestRecord.Installed(getLayer(in));
                    case COMPACTED -> compacted(in);
                    case SNAPSHOT -> snapshot(in);
                    default ->
                            throw PenstockException.corrupt("there is no manifest record " + tag);
                };
        in.expectEnd();
        return manifestRecord;
    }

    private static ManifestRecord compacted(ByteParser in) {
        int count = in.getCount(8);
        List<Long> sequences = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sequences.add(in.getLong());
        }
        return new ManifestRecord.Compacted(sequences, getLayer(in));
    }

    private static ManifestRecord snapshot(ByteParser in) {
        int count = in.getCount(50);
        List<LayerDescriptor> layers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            layers.add(getLayer(in));
        }
        return new ManifestRecord.Snapshot(layers, in.getLong(), in.getLong(), in.getLong());
    }

    static void putLayer(LayerDescriptor layer, ByteBuilder out) {
        out.putLong(layer.sequence()).putLong(layer.epoch()).putLong(layer.installedMillis());
        out.putByte(layer.merged() ? 1 : 0).putByte(layer.tombstones() ? 1 : 0);
        out.putLong(layer.identity().high()).putLong(layer.identity().low());
        out.putInt(layer.segments().size());
        for (SegmentDescriptor segment : layer.segments()) {
            putSegment(segment, out);
        }
    }

    static void putSegment(SegmentDescriptor segment, ByteBuilder out) {
        out.putString(segment.name()).putLong(segment.bytes()).putLong(segment.rowCount());
        SumsCodec.put(segment.sums(), out);
    }

    static SegmentDescriptor getSegment(ByteParser in) {
        return new SegmentDescriptor(in.getString(), in.getLong(), in.getLong(), SumsCodec.get(in));
    }

    static LayerDescriptor getLayer(ByteParser in) {
        long sequence = in.getLong();
        long epoch = in.getLong();
        long installedMillis = in.getLong();
        boolean merged = in.getByte() != 0;
        boolean tombstones = in.getByte() != 0;
        SegmentIdentity identity = new SegmentIdentity(in.getLong(), in.getLong(), 0);
        int count = in.getCount(20);
        List<SegmentDescriptor> segments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            segments.add(getSegment(in));
        }
        return new LayerDescriptor(
                sequence, epoch, installedMillis, merged, tombstones, identity, segments);
    }
}
