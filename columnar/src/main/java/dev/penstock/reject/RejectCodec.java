package dev.penstock.reject;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import java.util.ArrayList;
import java.util.List;

/** Rejects as bytes: in logs that outlive the process, in messages and in temporary files. */
public final class RejectCodec {
    /** Least bytes of one reject. */
    private static final int MIN_BYTES = 37;

    private RejectCodec() {}

    public static void put(List<Reject> rejects, ByteBuilder out) {
        out.putInt(rejects.size());
        for (Reject reject : rejects) {
            out.putByte(reject.reason().ordinal());
            out.putInt(reject.sourceIndex()).putLong(reject.bytePosition()).putLong(reject.line());
            out.putString(reject.columnName()).putString(reject.value());
            out.putString(reject.expected()).putBytes(reject.record());
        }
    }

    public static List<Reject> get(ByteParser in) {
        int count = in.getCount(MIN_BYTES);
        List<Reject> rejects = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rejects.add(
                    new Reject(
                            reason(in.getByte()),
                            in.getInt(),
                            in.getLong(),
                            in.getLong(),
                            in.getString(),
                            in.getString(),
                            in.getString(),
                            in.getBytes()));
        }
        return rejects;
    }

    private static RejectReason reason(int ordinal) {
        RejectReason[] reasons = RejectReason.values();
        if (ordinal >= reasons.length) {
            throw PenstockException.corrupt("there is no reason of a reject " + ordinal);
        }
        return reasons[ordinal];
    }
}
