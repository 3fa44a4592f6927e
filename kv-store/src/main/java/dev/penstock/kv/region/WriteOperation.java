package dev.penstock.kv.region;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The changes of one call as one record of a write-ahead log: a count, then for each change the key
 * and, after a byte that says whether there is one, the row.
 */
record WriteOperation(List<Change> changes) {
    /**
     * One key's new row.
     *
     * @param row null if the key is deleted
     */
    record Change(byte[] key, byte @Nullable [] row) {}

    void put(ByteBuilder out) {
        out.putInt(changes.size());
        for (Change change : changes) {
            byte[] row = change.row();
            out.putBytes(change.key()).putByte(row == null ? 0 : 1);
            if (row != null) {
                out.putBytes(row);
            }
        }
    }

    static WriteOperation get(ByteParser in) {
        int count = in.getCount(5);
        List<Change> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] key = in.getBytes();
            int kind = in.getByte();
            if (kind > 1) {
                throw PenstockException.corrupt("there is no change of kind " + kind);
            }
            changes.add(new Change(key, kind == 1 ? in.getBytes() : null));
        }
        in.expectEnd();
        return new WriteOperation(changes);
    }
}
