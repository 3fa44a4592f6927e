package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;

import org.junit.jupiter.api.Test;

import java.util.Random;

final class CompressionTrialsTest {
    private static final int ROWS = 1000;
    private static final long SEGMENT_ROWS = 1000L * ROWS;

    private final BlockEncoder encoder = new BlockEncoder();
    private final BytesColumn noise = strings(new Random(5), 256);
    private final BytesColumn text = strings(new Random(5), 2);

    /** Strings of some different bytes. */
    private static BytesColumn strings(Random random, int letters) {
        BytesColumn column = new BytesColumn(ROWS, 0);
        for (int row = 0; row < ROWS; row++) {
            byte[] value = new byte[20];
            for (int i = 0; i < value.length; i++) {
                value[i] = (byte) random.nextInt(letters);
            }
            column.append(row, value, 0, value.length);
        }
        return column;
    }

    @Test
    void blocksThatBecomeSmallerAreAllCompressed() {
        CompressionTrials trials = new CompressionTrials(true, SEGMENT_ROWS);
        for (int i = 0; i < 100; i++) {
            assertThat(isCompressed(trials, text)).isTrue();
        }
    }

    @Test
    void moreAndMoreBlocksAreNotTriedAfterOnesThatDoNot() {
        for (int failures = 1; failures <= 8; failures++) {
            CompressionTrials trials = new CompressionTrials(true, SEGMENT_ROWS);
            int skipped = 0;
            for (int i = 0; i < failures; i++) {
                for (int j = 0; j < skipped; j++) {
                    assertThat(isCompressed(trials, text)).isFalse();
                }
                assertThat(isCompressed(trials, noise)).isFalse();
                skipped = skipped == 0 ? 1 : Math.min(16, 2 * skipped);
            }
            for (int j = 0; j < skipped; j++) {
                assertThat(isCompressed(trials, text)).isFalse();
            }
            assertThat(isCompressed(trials, text)).isTrue();
            assertThat(isCompressed(trials, text)).isTrue();
        }
    }

    @Test
    void aMergeKnowsNothingOfTheOneBefore() {
        CompressionTrials trials = new CompressionTrials(true, SEGMENT_ROWS);
        assertThat(isCompressed(trials, noise)).isFalse();
        trials.begin();
        assertThat(isCompressed(trials, text)).isTrue();
    }

    @Test
    void aSegmentKnowsNothingOfTheOneBefore() {
        CompressionTrials trials = new CompressionTrials(true, 2 * ROWS);
        for (int segment = 0; segment < 5; segment++) {
            assertThat(isCompressed(trials, noise)).isFalse();
            assertThat(isCompressed(trials, text)).isFalse();
        }
        assertThat(isCompressed(trials, text)).isTrue();
    }

    @Test
    void blocksWithoutBytesSayNothing() {
        CompressionTrials trials = new CompressionTrials(true, SEGMENT_ROWS);
        BytesColumn empty = new BytesColumn(ROWS, 0);
        for (int i = 0; i < 20; i++) {
            assertThat(isCompressed(trials, empty)).isFalse();
        }
        assertThat(isCompressed(trials, text)).isTrue();
    }

    @Test
    void nothingIsCompressedUnlessAsked() {
        CompressionTrials trials = new CompressionTrials(false, SEGMENT_ROWS);
        for (int i = 0; i < 5; i++) {
            assertThat(isCompressed(trials, text)).isFalse();
        }
    }

    private boolean isCompressed(CompressionTrials trials, BytesColumn column) {
        ByteBuilder out = new ByteBuilder(0);
        int[] offsets = column.offsets();
        EncodedBlock block =
                trials.encode(encoder, offsets, column.data(), 0, ROWS, Validity.NO_WORDS, out);
        assertThat(block.length()).isEqualTo(out.length());
        return block.isCompressed();
    }
}
