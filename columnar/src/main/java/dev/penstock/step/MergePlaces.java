package dev.penstock.step;

import dev.penstock.segment.BlockCursor;

import java.util.Arrays;

/**
 * Where in its block the next byte string of each run begins. A merge takes the rows of a run one
 * slice after the other, and to find out where a slice begins is to add up the lengths of all rows
 * before it. Owned by one thread.
 */
final class MergePlaces {
    /** By run: block and row for which {@link #starts} holds; -1: none. */
    private long[] places = new long[0];

    private int[] starts = new int[0];

    /** Forgets all places. */
    void clear() {
        Arrays.fill(places, -1);
    }

    /** Where the rows begin that {@code piece} is at, whose block {@code cursor} has open. */
    int start(BlockCursor cursor, PieceWalk piece) {
        int run = piece.run();
        boolean known = run < places.length && places[run] == place(piece, piece.first());
        return known ? starts[run] : cursor.start(piece.first());
    }

    /** Says where the rows after the next {@code count} begin. */
    void move(PieceWalk piece, int count, int start) {
        int run = piece.run();
        if (run >= places.length) {
            int known = places.length;
            places = Arrays.copyOf(places, Math.max(run + 1, 2 * known));
            Arrays.fill(places, known, places.length, -1);
            starts = Arrays.copyOf(starts, places.length);
        }
        places[run] = place(piece, piece.first() + count);
        starts[run] = start;
    }

    private static long place(PieceWalk piece, int row) {
        return (long) piece.block() << 32 | row;
    }
}
