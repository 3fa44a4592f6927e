package dev.penstock.kv.ingest;

import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;

import java.util.function.Consumer;

/** Adds keys to a region's rejects, as many as its answer may hold, and says if that is not all. */
final class NamedKeys {
    private final TableSchema schema;
    private final Consumer<Reject> rejects;
    private int count;
    private long bytes;
    private boolean full;

    NamedKeys(TableSchema schema, Consumer<Reject> rejects) {
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
            rejects.accept(DuplicateKey.more());
        } else {
            rejects.accept(
                    new DuplicateKey(key, KeyText.unprinted(schema, key), stored).toReject());
        }
    }
}
