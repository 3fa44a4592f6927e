package dev.penstock.kv.client;

import dev.penstock.dialect.Dialect;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;

import java.util.List;

/**
 * Hidden ids for rows that are written singly into a table without a key. They begin with a number
 * that is taken from the leader as a load would take one: a load begins and is aborted, and its
 * ordinal, which no other load will ever have, heads the ids that are counted up here. A store has
 * a million ordinals, so that all writers of one process share an instance for each table.
 * Thread-safe.
 */
public final class RowIds {
    /** Bits of a hidden row id below the load's ordinal. */
    private static final int ROW_BITS = 44;

    private final MetadataService metadata;
    private final String table;
    private long nextRowId;
    private boolean begun;

    public RowIds(MetadataService metadata, String table) {
        this.metadata = metadata;
        this.table = table;
    }

    /** The first of so many ids that follow each other. */
    synchronized long take(int count) {
        if (!begun) {
            nextRowId = ordinal() << ROW_BITS;
            begun = true;
        }
        long first = nextRowId;
        nextRowId += count;
        return first;
    }

    private long ordinal() {
        LoadRequest request =
                LoadRequest.intoExisting(
                        table,
                        "",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(),
                        List.of(),
                        false);
        LoadDescriptor load = metadata.beginLoad(request);
        metadata.abort(load.loadId());
        return load.ordinal();
    }
}
