package dev.penstock.step;

import dev.penstock.segment.SegmentReader;

/**
 * A place in {@link MergePieces}, from which a column takes rows block by block. Begun anew by
 * {@link #over} for each column. Owned by one thread; others may walk over the same pieces.
 */
final class PieceWalk {
    /** No pieces; nobody adds any. */
    static final MergePieces NONE = new MergePieces();

    private MergePieces pieces = NONE;
    private int next;
    private int taken;
    private int current;
    private int currentFirst;
    private int markedNext;
    private int markedTaken;

    /** Goes before the first row of these pieces. */
    PieceWalk over(MergePieces newPieces) {
        pieces = newPieces;
        rewind();
        return this;
    }

    /** Goes before the first row. */
    void rewind() {
        next = 0;
        taken = 0;
    }

    /** Rows of all pieces. */
    int rowCount() {
        return pieces.rowCount();
    }

    /** Whether the next rows are all of a run's block, and no more. */
    boolean isBlock(int rows) {
        return taken == 0
                && next < pieces.size()
                && pieces.first(next) == 0
                && pieces.count(next) == rows
                && pieces.reader(next).blockRows(pieces.block(next)) == rows;
    }

    /** Remembers the place for {@link #reset}. */
    void mark() {
        markedNext = next;
        markedTaken = taken;
    }

    void reset() {
        next = markedNext;
        taken = markedTaken;
    }

    /** Goes to the next rows, at most {@code limit}, of one block; returns how many. */
    int next(int limit) {
        current = next;
        currentFirst = pieces.first(next) + taken;
        int count = Math.min(limit, pieces.count(next) - taken);
        taken += count;
        if (taken == pieces.count(next)) {
            next++;
            taken = 0;
        }
        return count;
    }

    /** The run of the rows that {@link #next} went to. */
    int run() {
        return pieces.run(current);
    }

    SegmentReader reader() {
        return pieces.reader(current);
    }

    int block() {
        return pieces.block(current);
    }

    /** The first of the rows, in its block. */
    int first() {
        return currentFirst;
    }
}
