package dev.penstock.step;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;

/**
 * Blocks of byte strings of one column of a merge, compressed where that pays: after a block that
 * did not become smaller more and more of the next ones are not tried. Phone numbers and random
 * identifiers do not become smaller, but take as long to find out as texts. Depends on the blocks
 * of the merge alone. Owned by one thread at a time.
 */
final class CompressionTrials {
    private static final int MAX_SKIPPED = 16;

    private final boolean asked;

    /** Blocks to come that are not tried. */
    private int left;

    /** As many are not tried after the next one that does not become smaller. */
    private int skipped = 1;

    /**
     * Tries all blocks first.
     *
     * @param asked whether to compress at all
     */
    CompressionTrials(boolean asked) {
        this.asked = asked;
    }

    /** Starts a merge. */
    void begin() {
        left = 0;
        skipped = 1;
    }

    /** Makes a block as {@link BlockEncoder#bytes} does. */
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
        if (!tries) {
            left = Math.max(0, left - 1);
        } else if (block.isCompressed()) {
            skipped = 1;
        } else if (block.nullCount() < rows) {
            left = skipped;
            skipped = Math.min(2 * skipped, MAX_SKIPPED);
        }
        return block;
    }
}
