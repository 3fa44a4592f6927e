package dev.penstock.loader.resume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.loader.RejectLimit;
import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What loaders recorded, read back by the next one. */
final class ChunkHistoryTest {
    private static final int LARGE = 1 << 20;

    private final RejectLog rejects =
            new RejectLog(RejectLimits.of(RejectLimit.ofCount(100)), null, LocalDisk.SYSTEM, -1);
    private final ChunkHistory history = new ChunkHistory(rejects, 2);

    private static ChunkLease lease(int chunkId) {
        return new ChunkLease(chunkId, 0, chunkId * 10L, chunkId * 10L + 10, true);
    }

    private static Reject reject(int chunkId, int number, int bytes) {
        byte[] record = "x".repeat(bytes).getBytes(StandardCharsets.UTF_8);
        return new Reject(
                RejectReason.values()[number % RejectReason.values().length],
                0,
                chunkId * 10L + number,
                Reject.LINE_UNKNOWN,
                "column",
                "value",
                "expected",
                record);
    }

    @Test
    void chunks_recorded_twice_count_once() {
        ChunkTotals four =
                new ChunkTotals(
                        1, 7, 6, 0, 10, 20, 2, new long[] {1, 2}, new long[] {3, 4}, steps());
        for (int i = 0; i < 2; i++) {
            history.restore(new Checkpoint.Done(lease(4), 1, 1_000, four).bytes());
        }
        assertThat(history.done()).containsOnlyKeys(4);
        assertThat(history.done().get(4)).isEqualTo(lease(4));
        assertThat(history.totals().records()).isEqualTo(7);
        assertThat(history.totals().encodedFragments()).containsExactly(1, 2);
    }

    private static long[] steps() {
        return new long[dev.penstock.step.StepName.values().length];
    }

    @Test
    void rejects_of_chunks_that_were_not_done_are_forgotten_and_of_others_counted_once() {
        List<Reject> many = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            many.add(reject(1, i, LARGE));
        }
        List<Checkpoint.Rejected> parts = Checkpoint.parts(1, many);
        assertThat(parts).hasSizeGreaterThan(2);
        // The first loader died in between; the second one's connection was lost in between.
        history.restore(parts.get(0).bytes());
        history.restore(parts.get(1).bytes());
        history.restore(parts.get(0).bytes());
        for (Checkpoint.Rejected part : parts.subList(1, parts.size())) {
            history.restore(part.bytes());
            history.restore(part.bytes());
        }
        history.restore(
                new Checkpoint.Done(
                                lease(1),
                                2,
                                5,
                                new ChunkTotals(
                                        1, 20, 11, 0, 1, 1, 1, new long[2], new long[2], steps()))
                        .bytes());
        history.restore(new Checkpoint.Rejected(2, 0, List.of(reject(2, 0, 3))).bytes());
        history.begin();
        assertThat(rejects.count()).isEqualTo(9);
        assertThat(history.done()).containsOnlyKeys(1);
    }

    @Test
    void time_is_that_of_all_loaders_together() {
        long[] steps = steps();
        for (long[] entry : new long[][] {{0, 1, 5}, {1, 1, 9}, {2, 2, 4}}) {
            ChunkTotals totals =
                    new ChunkTotals(1, 1, 1, 0, 1, 1, 1, new long[2], new long[2], steps);
            ChunkLease lease = lease((int) entry[0]);
            long nanos = entry[2] * 1_000_000_000;
            history.restore(new Checkpoint.Done(lease, (int) entry[1], nanos, totals).bytes());
        }
        assertThat(history.seconds()).isEqualTo(13);
    }
}
