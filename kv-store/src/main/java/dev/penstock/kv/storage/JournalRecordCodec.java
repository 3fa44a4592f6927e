package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

/** Journal records as bytes: a tag byte, the region, then the other components in order. */
final class JournalRecordCodec {
    private static final int CHANGED = 1;
    private static final int GROWN = 2;
    private static final int DROPPED = 3;
    private static final int PREPARED = 4;
    private static final int ENDED = 5;

    /** A load whose rows are the same whatever else is stored. */
    private static final int PREPARED_INDEPENDENT = 6;

    private JournalRecordCodec() {}

    static void put(JournalRecord journalRecord, ByteBuilder out) {
        switch (journalRecord) {
            case JournalRecord.Changed r -> {
                out.putByte(CHANGED).putLong(r.regionId());
                ManifestRecordCodec.put(r.change(), out);
            }
            case JournalRecord.Grown r -> out.putByte(GROWN).putLong(r.regionId());
            case JournalRecord.Dropped r -> out.putByte(DROPPED).putLong(r.regionId());
            case JournalRecord.Prepared r -> {
                out.putByte(r.load().comparesStored() ? PREPARED : PREPARED_INDEPENDENT)
                        .putLong(r.regionId());
                PreparedLoadCodec.put(r.load(), out);
            }
            case JournalRecord.Ended r ->
                    out.putByte(ENDED).putLong(r.regionId()).putString(r.loadId());
        }
    }

    static JournalRecord get(ByteParser in) {
        int tag = in.getByte();
        long regionId = in.getLong();
        JournalRecord journalRecord =
                switch (tag) {
                    case CHANGED ->
                            new JournalRecord.Changed(regionId, ManifestRecordCodec.get(in));
                    case GROWN -> new JournalRecord.Grown(regionId);
                    case DROPPED -> new JournalRecord.Dropped(regionId);
                    case PREPARED ->
                            new JournalRecord.Prepared(regionId, PreparedLoadCodec.get(in, true));
                    case PREPARED_INDEPENDENT ->
                            new JournalRecord.Prepared(regionId, PreparedLoadCodec.get(in, false));
                    case ENDED -> new JournalRecord.Ended(regionId, in.getString());
                    default -> throw PenstockException.corrupt("there is no journal record " + tag);
                };
        in.expectEnd();
        return journalRecord;
    }
}
