package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.api.ScanCursor;

import java.util.Arrays;
import java.util.List;

/**
 * Rows of several layers merged by key: the newest layer's version of a key stays, and if that says
 * deleted, none does. Rows that stay and for which the predicate is true are noted as ranges of
 * their batches and copied when a batch runs out or enough have come together.
 */
final class MergedSource implements RowSource {
    private final KeyedCursor[] cursors;
    private final int[] rows;
    private final boolean[] ended;
    private final RowPredicate predicate;
    private final RowGather gather;
    private boolean anyOut;

    /**
     * @param cursors newest first; their first columns are those of the result
     */
    MergedSource(List<KeyedCursor> cursors, RowPredicate predicate) {
        this.cursors = cursors.toArray(KeyedCursor[]::new);
        this.rows = new int[this.cursors.length];
        this.ended = new boolean[this.cursors.length];
        this.predicate = predicate;
        this.gather = new RowGather(this.cursors);
        for (int i = 0; i < this.cursors.length; i++) {
            load(i);
        }
    }

    private void load(int cursor) {
        rows[cursor] = 0;
        ended[cursor] = !cursors[cursor].next();
    }

    @Override
    public boolean next(ColumnBatch out) {
        out.clear();
        while (select()) {
            if (!gather.isEmpty()) {
                gather.copy(out);
                return true;
            }
        }
        return false;
    }

    @Override
    public long count() {
        long count = 0;
        while (select()) {
            count += gather.rowCount();
            gather.clear();
        }
        return count;
    }

    /**
     * Notes rows until a batch has run out or a result is full; false if nothing is left. What was
     * noted must be copied or cleared before the next call, which may load batches.
     */
    private boolean select() {
        anyOut = false;
        for (int i = 0; i < cursors.length; i++) {
            if (!ended[i] && rows[i] == cursors[i].batch().rowCount()) {
                load(i);
            }
        }
        int winner = winner();
        if (winner < 0) {
            return false;
        }
        while (winner >= 0 && !anyOut && gather.rowCount() < ScanCursor.BATCH_ROWS) {
            take(winner);
            winner = anyOut ? -1 : winner();
        }
        return true;
    }

    /** The newest of the cursors whose current key is the smallest, or -1 at the end. */
    private int winner() {
        int best = -1;
        for (int i = 0; i < cursors.length; i++) {
            if (!ended[i] && (best < 0 || compare(i, best) < 0)) {
                best = i;
            }
        }
        return best;
    }

    private int compare(int left, int right) {
        BytesColumn a = cursors[left].keys();
        BytesColumn b = cursors[right].keys();
        return Arrays.compareUnsigned(
                a.data(),
                a.offsets()[rows[left]],
                a.offsets()[rows[left] + 1],
                b.data(),
                b.offsets()[rows[right]],
                b.offsets()[rows[right] + 1]);
    }

    private void take(int winner) {
        for (int i = winner + 1; i < cursors.length; i++) {
            if (!ended[i] && compare(i, winner) == 0) {
                advance(i);
            }
        }
        KeyedCursor cursor = cursors[winner];
        int row = rows[winner];
        if (!cursor.deleted(row) && predicate.test(cursor.batch(), row)) {
            gather.add(winner, row);
        }
        advance(winner);
    }

    private void advance(int cursor) {
        rows[cursor]++;
        anyOut |= rows[cursor] == cursors[cursor].batch().rowCount();
    }
}
