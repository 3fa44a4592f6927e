package dev.penstock.kv.storage;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.api.SumsCodec;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.RegionReceipt;

import java.util.ArrayList;
import java.util.List;

/**
 * Prepared loads as bytes, the last part of a record. Whether they compare what is stored says the
 * record's tag.
 */
final class PreparedLoadCodec {
    private PreparedLoadCodec() {}

    static void put(PreparedLoad load, ByteBuilder out) {
        out.putString(load.loadId());
        out.putLong(load.identity().high()).putLong(load.identity().low());
        out.putInt(load.segments().size());
        for (SegmentDescriptor segment : load.segments()) {
            ManifestRecordCodec.putSegment(segment, out);
        }
        putReceipt(load.receipt(), out);
    }

    static PreparedLoad get(ByteParser in, boolean comparesStored) {
        String loadId = in.getString();
        SegmentIdentity identity = new SegmentIdentity(in.getLong(), in.getLong(), 0);
        int count = in.getCount(20);
        List<SegmentDescriptor> segments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            segments.add(ManifestRecordCodec.getSegment(in));
        }
        PreparedLoad load =
                new PreparedLoad(loadId, identity, comparesStored, segments, getReceipt(in));
        in.expectEnd();
        return load;
    }

    private static void putReceipt(RegionReceipt receipt, ByteBuilder out) {
        out.putLong(receipt.regionId()).putString(receipt.server());
        out.putLong(receipt.rowCount()).putLong(receipt.duplicateRows());
        out.putLong(receipt.replacedRows());
        out.putLong(receipt.bytesStored()).putInt(receipt.columns().size());
        for (ColumnOutcome column : receipt.columns()) {
            out.putString(column.column()).putString(column.encoding());
            out.putLong(column.distinct()).putLong(column.bytes());
        }
        SumsCodec.put(receipt.stored(), out);
        SumsCodec.put(receipt.dropped(), out);
        RejectCodec.put(receipt.rejects(), out);
        for (StepName step : StepName.values()) {
            out.putLong(receipt.times().nanos(step));
        }
    }

    private static RegionReceipt getReceipt(ByteParser in) {
        long regionId = in.getLong();
        String server = in.getString();
        long rowCount = in.getLong();
        long duplicateRows = in.getLong();
        long replacedRows = in.getLong();
        long bytesStored = in.getLong();
        int columnCount = in.getCount(24);
        List<ColumnOutcome> columns = new ArrayList<>(columnCount);
        for (int i = 0; i < columnCount; i++) {
            // The names are the same in the receipts of all regions, of which there may be many.
            columns.add(
                    new ColumnOutcome(
                            in.getString().intern(),
                            in.getString().intern(),
                            in.getLong(),
                            in.getLong()));
        }
        ColumnSums stored = SumsCodec.get(in);
        ColumnSums dropped = SumsCodec.get(in);
        List<Reject> rejects = RejectCodec.get(in);
        StepTimes times = new StepTimes();
        for (StepName step : StepName.values()) {
            times.add(step, in.getLong());
        }
        return new RegionReceipt(
                regionId,
                server,
                rowCount,
                duplicateRows,
                replacedRows,
                bytesStored,
                columns,
                stored,
                dropped,
                rejects,
                times);
    }
}
