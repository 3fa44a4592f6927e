package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.Table;
import dev.penstock.schema.TableSchema;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rows of an UPDATE that get another key: stored under it first, then removed under the one
 * that they had. Nothing is changed if a new key is that of another row. If a load keeps rows where
 * they are, what was changed is changed back. Owned by one thread.
 */
final class KeyMoves {
    /** Keys that are asked for at a time. */
    private static final int BATCH_KEYS = 4096;

    /** The rows of a table. */
    interface Rows {
        void put(ColumnBatch rows);

        void delete(List<byte[]> keys);

        /** Whether one of the keys has a row. */
        boolean has(List<byte[]> keys);

        /** Those of a table in a store. */
        static Rows of(Table table) {
            return new Rows() {
                @Override
                public void put(ColumnBatch rows) {
                    table.put(rows);
                }

                @Override
                public void delete(List<byte[]> keys) {
                    table.delete(keys);
                }

                @Override
                public boolean has(List<byte[]> keys) {
                    return table.firstPresent(keys) >= 0;
                }
            };
        }
    }

    private final TableSchema schema;
    private final Rows rows;
    private final KeyCodec keys;
    private final List<ColumnBatch> before;
    private final List<ColumnBatch> after;
    private final Set<ByteBuffer> gone = new HashSet<>();
    private final Set<ByteBuffer> added = new HashSet<>();

    /** Of rows as they are and, in the same order, as they shall be. */
    KeyMoves(TableSchema schema, Rows rows, List<ColumnBatch> before, List<ColumnBatch> after) {
        this.schema = schema;
        this.rows = rows;
        this.keys = new KeyCodec(schema);
        this.before = before;
        this.after = after;
    }

    /**
     * Moves the rows.
     *
     * @throws DuplicateKey if two rows would have the same key
     */
    void run() {
        before.forEach(batch -> addKeys(batch, gone));
        for (ColumnBatch batch : after) {
            if (addKeys(batch, added) < batch.rowCount()) {
                throw new DuplicateKey(schema.name());
            }
        }
        Set<ByteBuffer> kept = new HashSet<>(gone);
        kept.retainAll(added);
        gone.removeAll(kept);
        added.removeAll(kept);
        checkFree();
        try {
            after.forEach(rows::put);
            rows.delete(encoded(gone));
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.CONFLICT) {
                moveBack(e);
            }
            throw e;
        }
    }

    private long addKeys(ColumnBatch batch, Set<ByteBuffer> found) {
        long count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            count += found.add(ByteBuffer.wrap(keys.encode(batch, row))) ? 1 : 0;
        }
        return count;
    }

    private void checkFree() {
        List<byte[]> wanted = encoded(added);
        for (int from = 0; from < wanted.size(); from += BATCH_KEYS) {
            int to = Math.min(from + BATCH_KEYS, wanted.size());
            if (rows.has(wanted.subList(from, to))) {
                throw new DuplicateKey(schema.name());
            }
        }
    }

    private void moveBack(PenstockException because) {
        try {
            before.forEach(rows::put);
            rows.delete(encoded(added));
        } catch (PenstockException e) {
            because.addSuppressed(e);
        }
    }

    private static List<byte[]> encoded(Set<ByteBuffer> keys) {
        return keys.stream().map(ByteBuffer::array).toList();
    }
}
