package dev.penstock.kv.ingest;

import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;

import java.util.List;

/** Adds keys to a region's rejects, as many as its answer may hold, and says if that is not all. */
final class NamedKeys {
    private final TableSchema schema;
    private final List<Reject> rejects;
    private int count;
    private long bytes;
    private boolean full;

    NamedKeys(TableSchema schema, List<Reject> rejects) {
        this.schema = schema;
        this.rejects = rejects;
    }

    void add(byte[] key, boolean stored) {
        count++;
        bytes += key.length;
        if (full) {
            return;
        }
        full = count > DuplicateKey.MAX_PER_REGION || bytes > DuplicateKey.MAX_BYTES_PER_REGION;
        if (full) {
            rejects.add(DuplicateKey.more());
        } else {
            rejects.add(new DuplicateKey(key, KeyText.unprinted(schema, key), stored).toReject());
        }
    }
}
