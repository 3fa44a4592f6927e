package dev.penstock.loader.resume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.fake.Mutations;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What loaders recorded, changed: it is read or refused as damaged, in little time and memory. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class CheckpointFuzzTest {
    private static List<byte[]> good() {
        List<Reject> rejects = new ArrayList<>();
        List<byte[]> good = new ArrayList<>();
        for (RejectReason reason : RejectReason.values()) {
            good.add(new Checkpoint.Rejected(4, 0, List.copyOf(rejects)).bytes());
            rejects.add(new Reject(reason, 1, 2, 3, "name", "value", "wanted", new byte[9]));
        }
        ChunkLease lease = new ChunkLease(4, 0, 40, 50, true);
        long[] some = {1, 2, 3};
        ChunkTotals totals = new ChunkTotals(1, 7, 6, 0, 10, 20, 2, some, some, new long[8]);
        good.add(new Checkpoint.Done(lease, 1, 1_000, totals).bytes());
        good.add(new Checkpoint.Done(lease, 2, 1_000, ChunkTotals.none(0)).bytes());
        return good;
    }

    @Test
    void checkpoints_are_read_or_refused() {
        List<byte[]> good = good();
        Random random = new Random(Mutations.SEED);
        long refused = 0;
        for (long n = 0; n < Mutations.EXECUTIONS; n++) {
            byte[] bytes = Mutations.of(good.get(random.nextInt(good.size())), random);
            try {
                Checkpoint.parse(bytes);
            } catch (PenstockException e) {
                refused++;
                assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(n + ": " + HexFormat.of().formatHex(bytes), e);
            }
        }
        System.out.printf(
                "fuzz: checkpoints: %d executions, %d refused, seed %d, 0 violations%n",
                Mutations.EXECUTIONS, refused, Mutations.SEED);
        assertThat(refused).isPositive();
    }
}
