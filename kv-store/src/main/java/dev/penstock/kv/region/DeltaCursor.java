package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.AscendingKeys;
import dev.penstock.key.KeyRange;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Rows in memory, as a reader sees them. */
final class DeltaCursor implements KeyedCursor {
    private static final int BATCH_ROWS = 1024;

    private final Delta.Snapshot snapshot;
    private final Iterator<Map.Entry<byte[], Delta.Version>> entries;
    private final RowCodec codec;
    private final int[] projection;
    private final ColumnBatch batch;
    private final BytesColumn keyBytes = new BytesColumn(BATCH_ROWS, 16 * BATCH_ROWS);
    private final AscendingKeys keys = new AscendingKeys();
    private final BitSet deleted = new BitSet();

    DeltaCursor(
            Delta.Snapshot snapshot,
            KeyRange range,
            TableSchema schema,
            RowCodec codec,
            int[] projection) {
        this.snapshot = snapshot;
        this.entries = snapshot.range(range).entrySet().iterator();
        this.codec = codec;
        this.projection = projection;
        List<Column> columns = new ArrayList<>();
        for (int column : projection) {
            columns.add(schema.column(column));
        }
        this.batch = ColumnBatch.forColumns(columns, BATCH_ROWS);
    }

    @Override
    public boolean next() {
        batch.clear();
        deleted.clear();
        int row = 0;
        while (row < BATCH_ROWS && entries.hasNext()) {
            Map.Entry<byte[], Delta.Version> entry = entries.next();
            Delta.Version version = snapshot.at(entry.getValue());
            if (version == null) {
                continue;
            }
            keyBytes.append(row, entry.getKey(), 0, entry.getKey().length);
            byte[] stored = version.row();
            if (stored == null) {
                deleted.set(row);
                EmptyRow.append(batch, projection.length, row);
            } else if (projection.length > 0) {
                codec.decode(stored, projection, batch, row);
            }
            row++;
        }
        batch.setRowCount(row);
        keys.set(keyBytes, row);
        return row > 0;
    }

    @Override
    public ColumnBatch batch() {
        return batch;
    }

    @Override
    public AscendingKeys keys() {
        return keys;
    }

    @Override
    public boolean isDecided() {
        return false;
    }

    @Override
    public boolean mayHaveDeleted() {
        return !deleted.isEmpty();
    }

    @Override
    public boolean deleted(int row) {
        return deleted.get(row);
    }
}
