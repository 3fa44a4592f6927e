package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.predicate.Predicate;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A reader that is interrupted while its scan is opened leaves nothing on the server. */
@Timeout(60)
final class InterruptedScanTest {
    /** More rows than the first answer has, and fewer. */
    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 10})
    void a_scan_that_nobody_waits_for_is_closed_when_the_server_has_opened_it(long rows)
            throws Exception {
        try (Endpoints server = new Endpoints()) {
            server.regions.scanPermits.drainPermits();
            CompletableFuture<String> end = new CompletableFuture<>();
            Thread reader = Thread.ofPlatform().start(() -> read(server, rows, end));
            server.regions.scansBegun.acquire();
            reader.interrupt();
            assertThat(end.get(20, TimeUnit.SECONDS)).contains("was interrupted");
            assertThat(server.regions.openCursors).hasValue(1);
            server.regions.scanPermits.release();
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (server.regions.openCursors.get() > 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(server.regions.openCursors).hasValue(0);
        }
    }

    private static void read(Endpoints server, long rows, CompletableFuture<String> end) {
        ScanRequest scan =
                new ScanRequest(1, 0, KeyRange.ALL, new int[] {0, 1}, Predicate.ALWAYS, rows);
        ColumnBatch batch = new ColumnBatch(List.of(new LongColumn(1), new BytesColumn(1, 1)));
        try (ScanCursor cursor = server.pool.regions(server.address).openScan(scan)) {
            end.complete("it has rows: " + cursor.next(batch));
        } catch (PenstockException e) {
            end.complete(String.valueOf(e.getMessage()));
        }
    }
}
