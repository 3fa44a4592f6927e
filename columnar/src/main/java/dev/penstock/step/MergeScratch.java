package dev.penstock.step;

import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.BlockSums;

/** What a thread needs to work on a column of a merge, whichever it is. Owned by one at a time. */
final class MergeScratch {
    private final BlockCursor cursor = new BlockCursor();
    private final BlockEncoder encoder = new BlockEncoder();
    private final MergeColumn.Stage stage = new MergeColumn.Stage();
    private final MergeTokens.Stage tokenStage = new MergeTokens.Stage(encoder);
    private final MergeValues values = new MergeValues();
    private final BlockSums.Stage sumStage = new BlockSums.Stage();
    private final PieceWalk waiting = new PieceWalk();
    private final PieceWalk unit = new PieceWalk();

    BlockCursor cursor() {
        return cursor;
    }

    BlockEncoder encoder() {
        return encoder;
    }

    MergeColumn.Stage stage() {
        return stage;
    }

    MergeTokens.Stage tokenStage() {
        return tokenStage;
    }

    MergeValues values() {
        return values;
    }

    BlockSums.Stage sumStage() {
        return sumStage;
    }

    /** Goes over pieces that wait. */
    PieceWalk waiting() {
        return waiting;
    }

    /** Goes over a unit. */
    PieceWalk unit() {
        return unit;
    }

    /** Lets go of the runs. */
    void close() {
        cursor.close();
        values.cursor().close();
        waiting.over(PieceWalk.NONE);
        unit.over(PieceWalk.NONE);
    }
}
