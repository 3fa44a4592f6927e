package dev.penstock.step;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;

/**
 * Blocks of byte strings of one column of a merge, compressed where that pays: after a block that
 * did not become smaller more and more of the next ones are not tried. Phone numbers and random
 * identifiers do not become smaller, but take as long to find out as texts.
 *
 * <p>Begins anew with each segment, so that what it holds depends on its own blocks alone. Blocks
 * of columns of tokens that stay bytes are few, and are not its business. Owned by one thread at a
 * time.
 */
final class CompressionTrials {
    /**
     * Of a column that never becomes smaller a sixteenth is tried then; of one that does again, no
     * more than 131,072 values stay as they are.
     */
    private static final int MAX_PAUSE = 16;

    private final boolean asked;
    private final long segmentRows;

    /** Rows that the segment has. */
    private long rowsDone;

    /** Blocks to come that are not tried. */
    private int left;

    /** As many are not tried after the next one that does not become smaller. */
    private int pause = 1;

    /**
     * Tries the first block.
     *
     * @param asked whether to compress at all
     * @param segmentRows rows of each segment but the last
     */
    CompressionTrials(boolean asked, long segmentRows) {
        this.asked = asked;
        this.segmentRows = segmentRows;
    }

    /** Starts a merge. */
    void begin() {
        rowsDone = 0;
        left = 0;
        pause = 1;
    }

    /** Makes the next block as {@link BlockEncoder#bytes} does. */
    EncodedBlock encode(
            BlockEncoder encoder,
            int[] offsets,
            byte[] data,
            int from,
            int rows,
            long[] words,
            ByteBuilder out) {
        boolean tries = asked && left == 0;
        EncodedBlock block = encoder.bytes(offsets, data, from, rows, words, from, tries, out);
        note(block, tries);
        rowsDone += rows;
        if (rowsDone == segmentRows) {
            begin();
        }
        return block;
    }

    private void note(EncodedBlock block, boolean tried) {
        if (!tried) {
            left = Math.max(0, left - 1);
        } else if (block.isCompressed()) {
            pause = 1;
        } else if (block.maxLength() > 0) {
            left = pause;
            pause = Math.min(2 * pause, MAX_PAUSE);
        }
    }
}
