package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.PenstockException;
import dev.penstock.segment.SegmentSummary;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class SegmentOutputTest {
    @TempDir Path folder;

    /** The file that was complete when an earlier one failed is removed too. */
    @Test
    void ofFilesThatAreDiscardedForAnEarlierOneNoneIsLeft() throws IOException {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        storage.failCloses();
        SegmentOutput output = new SegmentOutput(storage, new RegionFiles(folder, 1), "layer-1");
        assertThatThrownBy(() -> write(output, 10)).isInstanceOf(PenstockException.class);
        output.discard();
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    private static void write(SegmentOutput output, int segments) {
        for (int i = 0; i < segments; i++) {
            output.open(i).write(new byte[100], 0, 100);
            output.close(
                    i,
                    new SegmentSummary(
                            i, 1, 100, new byte[1], new byte[1], List.of(), ColumnSums.NONE));
        }
    }

    @Test
    void ofFilesThatAreDiscardedAllAreClosedAndRemovedThoughClosingFails() throws IOException {
        FaultyStorage storage = new FaultyStorage(new NioStorage());
        storage.failCloses();
        SegmentOutput output = new SegmentOutput(storage, new RegionFiles(folder, 1), "layer-1");
        write(output, 3);
        output.open(3).write(new byte[100], 0, 100);
        output.discard();
        assertThat(storage.closedFiles()).isEqualTo(4);
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
