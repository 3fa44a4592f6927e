package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.security.TestCertificates;
import dev.penstock.predicate.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a peer may do is asked for each request, whatever the request names. */
@Timeout(60)
final class RightsOnTheWayTest {
    @TempDir private Path folder;

    private static Endpoints start(TestCertificates certificates, Path access) {
        return new Endpoints(
                Endpoints.limits(),
                new ServerSecurity(
                        Optional.of(certificates.server("db", "127.0.0.1")),
                        Optional.of(access),
                        false),
                new ClientSecurity(
                        Optional.of(certificates.client("anna")), Optional.empty(), false));
    }

    @Test
    void a_scan_ends_when_its_table_may_not_be_read_any_more() throws IOException {
        TestCertificates certificates = new TestCertificates(folder);
        try (Endpoints server =
                start(certificates, certificates.access("grant read on t to anna"))) {
            ColumnBatch batch = new ColumnBatch(List.of(new LongColumn(1), new BytesColumn(1, 1)));
            ScanRequest all =
                    new ScanRequest(
                            1, 0, KeyRange.ALL, new int[] {0, 1}, Predicate.ALWAYS, Long.MAX_VALUE);
            try (ScanCursor cursor = server.pool.regions(server.address).openScan(all)) {
                assertThat(cursor.next(batch)).isTrue();
                certificates.access("grant read on other to anna");
                assertThatThrownBy(() -> readOn(cursor, batch))
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                e -> assertThat(e.category()).isEqualTo(ErrorCategory.DENIED))
                        .hasMessage("anna has not the role read for table t");
            }
            assertThat(server.regions.openCursors).hasValue(0);
        }
    }

    private static void readOn(ScanCursor cursor, ColumnBatch batch) {
        while (cursor.next(batch)) {
            assertThat(batch.rowCount()).isPositive();
        }
    }

    @Test
    void requests_that_name_no_region_or_a_load_of_another_table_do_nothing() throws IOException {
        TestCertificates certificates = new TestCertificates(folder);
        try (Endpoints server =
                start(certificates, certificates.access("grant admin on other to anna"))) {
            RegionService regions = server.pool.regions(server.address);
            assertThatThrownBy(() -> regions.finish("load", List.of()))
                    .hasMessage("a request to finish load load names no region");
            assertThatThrownBy(() -> regions.forceLoad("load"))
                    .hasMessage("anna has not the role write for the table of load load");
            assertThatThrownBy(() -> regions.delete(1, List.of(), 0))
                    .hasMessage("anna has not the role write for the table of region 1");
            assertThatThrownBy(() -> regions.checkWrite(1, List.of(), true, 0))
                    .hasMessage("anna has not the role write for the table of region 1");
        }
    }
}
