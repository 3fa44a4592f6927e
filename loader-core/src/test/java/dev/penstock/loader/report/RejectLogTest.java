package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;
import java.util.List;

/** Limits in percent are of all records, in whatever order chunks end. */
final class RejectLogTest {
    private static final int RECORD_BYTES = 20;
    private static final List<Reject> BAD =
            Collections.nCopies(
                    5_000,
                    new Reject(RejectReason.MISSING_FIELDS, 0, 0, 1, "", "", "", new byte[0]));

    @ParameterizedTest
    @CsvSource({"1%, 2000000", "parse=1%, 2000000", "1%, -1", "0.25%, 2000000"})
    void bad_records_in_a_row_do_not_end_a_load_that_keeps_its_limit(String limit, long records) {
        long bytes = records < 0 ? -1 : records * RECORD_BYTES;
        try (RejectLog log =
                new RejectLog(RejectLimits.parse(limit), null, LocalDisk.SYSTEM, bytes)) {
            log.addRecords(110_000, 110_000 * RECORD_BYTES);
            assertThat(log.add(1, BAD)).isFalse();
            log.addRecords(1_890_000, 1_890_000 * RECORD_BYTES);
            assertThat(log.exceededAtEnd(2_000_000)).isFalse();
        }
    }

    @Test
    void a_load_ends_when_its_limit_cannot_be_kept_any_more() {
        long bytes = 600_000L * RECORD_BYTES;
        try (RejectLog log =
                new RejectLog(RejectLimits.parse("1%"), null, LocalDisk.SYSTEM, bytes)) {
            assertThat(log.add(1, BAD)).isFalse();
            log.addRecords(400_000, 400_000 * RECORD_BYTES);
            assertThat(log.add(2, BAD.subList(0, 1))).isFalse();
            log.addRecords(199_000, 199_000 * RECORD_BYTES);
            assertThat(log.add(3, BAD)).as("600,000 records, or at most 619,000").isTrue();
        }
    }

    @Test
    void without_a_size_the_end_decides() {
        try (RejectLog log = new RejectLog(RejectLimits.parse("1%"), null, LocalDisk.SYSTEM, -1)) {
            assertThat(log.add(1, BAD)).isFalse();
            log.addRecords(499_999, 1);
            assertThat(log.exceededAtEnd(499_999)).isTrue();
        }
    }
}
