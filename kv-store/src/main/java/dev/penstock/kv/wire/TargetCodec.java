package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.api.SumsCodec;
import dev.penstock.reject.RejectCodec;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

/** What loads say: fragment headers, acknowledgements and receipts. */
final class TargetCodec {
    private TargetCodec() {}

    static void putHeader(FragmentHeader header, ByteBuilder out) {
        out.putInt(header.chunkId()).putLong(header.regionId());
        Fields.putConstant(header.form(), out);
        out.putInt(header.rowCount());
        SumsCodec.put(header.sums(), out);
    }

    static FragmentHeader getHeader(ByteParser in) {
        return new FragmentHeader(
                in.getInt(),
                in.getLong(),
                Fields.getConstant(FragmentForm.values(), in),
                in.getInt(),
                SumsCodec.get(in));
    }

    static void putAck(FragmentAck ack, ByteBuilder out) {
        out.putInt(ack.chunkId()).putLong(ack.regionId()).putLong(ack.rowsAccepted());
        RejectCodec.put(ack.rejects(), out);
        Fields.putBits(ack.plainColumns(), out);
        SumsCodec.put(ack.parsed(), out);
        Fields.putConstant(ack.outcome(), out);
    }

    static FragmentAck getAck(ByteParser in) {
        return new FragmentAck(
                in.getInt(),
                in.getLong(),
                in.getLong(),
                RejectCodec.get(in),
                Fields.getBits(in),
                SumsCodec.get(in),
                Fields.getConstant(FragmentAck.Outcome.values(), in));
    }

    static void putReceipt(RegionReceipt receipt, ByteBuilder out) {
        out.putLong(receipt.regionId()).putString(receipt.server());
        out.putLong(receipt.rowCount()).putLong(receipt.duplicateRows());
        out.putLong(receipt.replacedRows()).putLong(receipt.bytesStored());
        Fields.putList(receipt.columns(), out, TargetCodec::putOutcome);
        SumsCodec.put(receipt.stored(), out);
        SumsCodec.put(receipt.dropped(), out);
        RejectCodec.put(receipt.rejects(), out);
        putTimes(receipt.times(), out);
    }

    static RegionReceipt getReceipt(ByteParser in) {
        return new RegionReceipt(
                in.getLong(),
                in.getString(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                Fields.getList(in, 24, TargetCodec::getOutcome),
                SumsCodec.get(in),
                SumsCodec.get(in),
                RejectCodec.get(in),
                getTimes(in));
    }

    private static void putOutcome(ColumnOutcome outcome, ByteBuilder out) {
        out.putString(outcome.column()).putString(outcome.encoding());
        out.putLong(outcome.distinct()).putLong(outcome.bytes());
    }

    /** The names are the same in the receipts of all regions, of which there may be many. */
    private static ColumnOutcome getOutcome(ByteParser in) {
        return new ColumnOutcome(
                in.getString().intern(), in.getString().intern(), in.getLong(), in.getLong());
    }

    private static void putTimes(StepTimes times, ByteBuilder out) {
        out.putInt(StepName.values().length);
        for (StepName step : StepName.values()) {
            Fields.putConstant(step, out);
            out.putLong(times.nanos(step));
        }
    }

    private static StepTimes getTimes(ByteParser in) {
        StepTimes times = new StepTimes();
        int count = in.getCount(9);
        for (int i = 0; i < count; i++) {
            times.add(Fields.getConstant(StepName.values(), in), in.getLong());
        }
        return times;
    }
}
