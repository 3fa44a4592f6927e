package dev.penstock.loader.resume;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;

import java.util.ArrayList;
import java.util.List;

/**
 * What a loader has the target keep of a chunk, as bytes: first its rejects, in parts if they are
 * many, then that it is done. A chunk counts as done with the second; rejects without it are of a
 * loader that did not come so far.
 */
sealed interface Checkpoint {
    int REJECTS = 1;
    int DONE = 2;

    /** Rejects in one part, so that the part fits into a message. */
    int PART_BYTES = 4 << 20;

    int chunkId();

    /**
     * Rejects of a chunk.
     *
     * @param part 0 for the first part, which makes those before it void
     */
    record Rejected(int chunkId, int part, List<Reject> rejects) implements Checkpoint {}

    /**
     * A chunk whose fragments are durable.
     *
     * @param attempt counts the loaders of the load, from 1
     * @param elapsedNanos since that loader began
     */
    record Done(ChunkLease lease, int attempt, long elapsedNanos, ChunkTotals totals)
            implements Checkpoint {
        @Override
        public int chunkId() {
            return lease.chunkId();
        }
    }

    /** The rejects as parts. */
    static List<Rejected> parts(int chunkId, List<Reject> rejects) {
        List<Rejected> parts = new ArrayList<>();
        int from = 0;
        while (from < rejects.size()) {
            int to = from;
            long bytes = 0;
            while (to < rejects.size() && bytes < PART_BYTES) {
                Reject reject = rejects.get(to);
                bytes += 128L + reject.record().length + 4L * reject.value().length();
                to++;
            }
            parts.add(new Rejected(chunkId, parts.size(), rejects.subList(from, to)));
            from = to;
        }
        return parts;
    }

    default byte[] bytes() {
        ByteBuilder out = new ByteBuilder(512);
        switch (this) {
            case Rejected r -> {
                out.putByte(REJECTS).putInt(r.chunkId()).putInt(r.part());
                RejectCodec.put(r.rejects(), out);
            }
            case Done d -> {
                ChunkLease lease = d.lease();
                out.putByte(DONE).putInt(lease.chunkId()).putInt(lease.source());
                out.putLong(lease.from()).putLong(lease.to()).putByte(lease.exact() ? 1 : 0);
                out.putInt(d.attempt()).putLong(d.elapsedNanos());
                put(d.totals(), out);
            }
        }
        return out.toByteArray();
    }

    /** Reads back what {@link #bytes} made. */
    static Checkpoint parse(byte[] bytes) {
        ByteParser in = new ByteParser(bytes, "a checkpoint");
        int kind = in.getByte();
        Checkpoint checkpoint =
                switch (kind) {
                    case REJECTS -> new Rejected(in.getInt(), in.getInt(), RejectCodec.get(in));
                    case DONE -> new Done(lease(in), in.getInt(), in.getLong(), totals(in));
                    default -> throw PenstockException.corrupt("there is no checkpoint " + kind);
                };
        in.expectEnd();
        return checkpoint;
    }

    private static ChunkLease lease(ByteParser in) {
        return new ChunkLease(
                in.getInt(), in.getInt(), in.getLong(), in.getLong(), in.getByte() != 0);
    }

    private static void put(ChunkTotals totals, ByteBuilder out) {
        out.putLong(totals.chunks()).putLong(totals.records()).putLong(totals.rowsSent());
        out.putLong(totals.duplicatesDropped()).putLong(totals.textBytes());
        out.putLong(totals.bytesSent()).putLong(totals.fragments());
        out.putLongs(totals.encodedFragments());
        out.putLongs(totals.sums());
        out.putLongs(totals.stepNanos());
    }

    private static ChunkTotals totals(ByteParser in) {
        return new ChunkTotals(
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLongs(),
                in.getLongs(),
                in.getLongs());
    }
}
