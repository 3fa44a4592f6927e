package dev.penstock.kv.region;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.api.ScanCursor;

import java.util.List;

/**
 * Rows of several layers merged by key: the newest layer's version of a key stays, and if that says
 * deleted, none does. A layer's rows are taken up to the next key of the others. Those that stay
 * and for which the predicate is true are noted as ranges of their batches and copied when a batch
 * runs out or enough have come together.
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
        return cursors[left].keys().compare(rows[left], cursors[right].keys(), rows[right]);
    }

    /** Takes the winner's current row, and those after it that come before all other cursors'. */
    private void take(int winner) {
        passOlder(winner);
        int count = anyOut ? 1 : stretch(winner);
        note(winner, count);
        advance(winner, count);
    }

    private void passOlder(int winner) {
        for (int i = winner + 1; i < cursors.length; i++) {
            if (!ended[i] && compare(i, winner) == 0) {
                advance(i, 1);
            }
        }
    }

    /** How many rows of the winner's batch come before the current keys of all others. */
    private int stretch(int winner) {
        int next = -1;
        for (int i = 0; i < cursors.length; i++) {
            if (i != winner && !ended[i] && (next < 0 || compare(i, next) < 0)) {
                next = i;
            }
        }
        int row = rows[winner];
        int room = ScanCursor.BATCH_ROWS - gather.rowCount();
        int most = Math.min(cursors[winner].batch().rowCount(), row + room);
        return next < 0
                ? most - row
                : cursors[winner]
                                .keys()
                                .firstNotLess(row + 1, most, cursors[next].keys(), rows[next])
                        - row;
    }

    private void note(int winner, int count) {
        KeyedCursor cursor = cursors[winner];
        int row = rows[winner];
        if (cursor.isDecided() || predicate.isAlways() && !cursor.mayHaveDeleted()) {
            gather.add(winner, row, count);
            return;
        }
        for (int i = row; i < row + count; i++) {
            if (!cursor.deleted(i) && predicate.test(cursor.batch(), i)) {
                gather.add(winner, i, 1);
            }
        }
    }

    private void advance(int cursor, int count) {
        rows[cursor] += count;
        anyOut |= rows[cursor] == cursors[cursor].batch().rowCount();
    }
}
