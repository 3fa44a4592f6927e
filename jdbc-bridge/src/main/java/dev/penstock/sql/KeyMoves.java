package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Table;
import dev.penstock.sql.Moves.Move;
import dev.penstock.sql.Moves.RowKey;
import dev.penstock.target.RegionMap;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Runs an UPDATE that sets columns of the key: rows are stored under their new keys first, then
 * removed under those that no row has afterwards. Nothing is changed if a new key is that of
 * another row, or if a load keeps one of the rows where it is. What others do in between may stop
 * it halfway: then {@link MoveBack} undoes it. Owned by one thread.
 */
final class KeyMoves {
    /** The rows of a table. Keys are encoded. */
    interface Rows {
        /** A number of the region that holds the key. */
        int regionOf(byte[] key);

        /** The index of the first of these keys that has a row, or -1. */
        int firstPresent(List<byte[]> keys);

        /** Fails as {@link #put} of these keys, or {@link #delete}, would; changes nothing. */
        void checkPut(List<byte[]> keys);

        void checkDelete(List<byte[]> keys);

        /** Stores all rows, or none and returns the index of the first whose key has one. */
        int insert(ColumnBatch rows);

        void put(ColumnBatch rows);

        void delete(List<byte[]> keys);

        /** The row of that key as a batch of one. */
        Optional<ColumnBatch> get(byte[] key);

        /** Those of a table in a store; its regions are taken to stay as they are now. */
        static Rows of(Table table) {
            return new TableRows(table, table.regions());
        }
    }

    private record TableRows(Table table, RegionMap regions) implements Rows {
        @Override
        public int regionOf(byte[] key) {
            return regions.indexOf(key);
        }

        @Override
        public int firstPresent(List<byte[]> keys) {
            return table.firstPresent(keys);
        }

        @Override
        public void checkPut(List<byte[]> keys) {
            table.checkPut(keys);
        }

        @Override
        public void checkDelete(List<byte[]> keys) {
            table.checkDelete(keys);
        }

        @Override
        public int insert(ColumnBatch rows) {
            return table.insert(rows);
        }

        @Override
        public void put(ColumnBatch rows) {
            table.put(rows);
        }

        @Override
        public void delete(List<byte[]> keys) {
            table.delete(keys);
        }

        @Override
        public Optional<ColumnBatch> get(byte[] key) {
            return table.get(key);
        }
    }

    private final Rows rows;
    private final Moves moves;
    private final List<List<Move>> toAdded;
    private final List<List<Move>> toKept;
    private final List<List<Move>> fromGone;
    private final MoveBack back;

    KeyMoves(Rows rows, Moves moves) {
        this.rows = rows;
        this.moves = moves;
        ToIntFunction<RowKey> region = key -> rows.regionOf(key.bytes());
        this.toAdded = moves.toAddedKeys(region);
        this.toKept = moves.toKeptKeys(region);
        this.fromGone = moves.fromGoneKeys(region);
        this.back = new MoveBack(rows, moves);
    }

    /**
     * Changes the rows.
     *
     * @throws DuplicateKey if a new key is that of another row
     * @throws HalfMoved if it failed halfway and not all could be undone
     */
    void run() {
        check();
        try {
            toAdded.forEach(this::insert);
            toKept.forEach(this::put);
            fromGone.forEach(this::remove);
        } catch (RuntimeException e) {
            throw back.run(e);
        }
    }

    private void check() {
        List<byte[]> added = keys(toAdded, Move::to);
        int present = rows.firstPresent(added);
        if (present >= 0) {
            throw DuplicateKey.updated(moves.schema(), added.get(present));
        }
        rows.checkPut(added);
        rows.checkPut(keys(toKept, Move::to));
        rows.checkDelete(keys(fromGone, Move::from));
    }

    private void insert(List<Move> part) {
        back.adding(part);
        int present = rows.insert(moves.after(part));
        if (present >= 0) {
            back.notAdded(part);
            throw DuplicateKey.updated(moves.schema(), part.get(present).to().bytes());
        }
        back.stored(part);
    }

    private void put(List<Move> part) {
        back.replacing(part);
        rows.put(moves.after(part));
        back.stored(part);
    }

    private void remove(List<Move> part) {
        back.removing(part);
        rows.delete(keys(List.of(part), Move::from));
        back.removed(part);
    }

    static List<byte[]> keys(List<List<Move>> parts, Function<Move, RowKey> key) {
        return parts.stream().flatMap(List::stream).map(move -> key.apply(move).bytes()).toList();
    }
}
