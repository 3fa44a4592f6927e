package dev.penstock.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.Routes;
import dev.penstock.kv.client.TableReader;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How long readers wait for a region that is closed, as one is while it is being split. */
final class ReaderPatienceTest {
    /** Routes that were old are asked for at once; a split takes a moment, or some seconds. */
    private static final List<Long> PAUSES_MILLIS = List.of(50L, 200L, 800L, 3_200L);

    private static final int REFUSALS_BORNE = 1 + PAUSES_MILLIS.size();
    private static final TableSchema SCHEMA = Ddl.parseCreateTable("CREATE TABLE t (a INT)");
    private static final TableDescriptor TABLE = new TableDescriptor(1, SCHEMA);
    private static final RegionAssignment REGION =
            new RegionAssignment(7, 1, KeyRange.ALL, new ServerDescriptor("id", "host:1"));

    private final List<Long> pauses = new ArrayList<>();
    private int refusalsLeft;

    /** As fakes answer: what each of their methods that is called does. */
    private static <T> T fake(Class<T> type, Map<String, Supplier<Object>> answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            Supplier<Object> answer = answers.get(method.getName());
                            if (answer == null) {
                                throw new AssertionError("unexpected " + method);
                            }
                            return answer.get();
                        }));
    }

    /** The answer of a region that is closed a few times before. */
    private <T> Supplier<T> closedFirst(T answer) {
        return () -> {
            if (refusalsLeft > 0) {
                refusalsLeft--;
                throw new PenstockException(ErrorCategory.REROUTE, "region 7 is being split");
            }
            return answer;
        };
    }

    /** What reads a table of no rows. */
    enum Reader {
        COUNT,
        KEYS,
        SCAN,
        /** The region is closed between the opening of the scan and its first rows. */
        SCAN_OPENED;

        long rows(ReaderPatienceTest test) {
            ScanCursor empty =
                    fake(ScanCursor.class, Map.of("next", () -> false, "close", () -> 0));
            ScanCursor closing =
                    fake(
                            ScanCursor.class,
                            Map.of("next", test.closedFirst(false)::get, "close", () -> 0));
            RegionService regions =
                    fake(
                            RegionService.class,
                            Map.of(
                                    "count",
                                    test.closedFirst(0L)::get,
                                    "firstPresent",
                                    test.closedFirst(-1L)::get,
                                    "openScan",
                                    this == SCAN_OPENED
                                            ? () -> closing
                                            : test.closedFirst(empty)::get));
            Cluster cluster = fake(Cluster.class, Map.of("locate", () -> regions));
            Routes routes =
                    new Routes(
                            fake(MetadataService.class, Map.of("regions", () -> List.of(REGION))),
                            nanos -> test.pauses.add(TimeUnit.NANOSECONDS.toMillis(nanos)));
            TableReader reader = new TableReader(cluster, routes, TABLE);
            return switch (this) {
                case COUNT -> reader.count(1, KeyRange.ALL, Predicate.ALWAYS);
                case KEYS -> reader.firstPresent(List.of(new byte[] {1})) + 1;
                case SCAN, SCAN_OPENED -> scanned(cluster, routes);
            };
        }

        private static long scanned(Cluster cluster, Routes routes) {
            ScanSpec spec = ScanSpec.all(SCHEMA);
            long[] rows = new long[1];
            try (Scan scan = new Scan(cluster, routes, TABLE, List.of(SCHEMA.column(0)), spec, 1)) {
                scan.forEachBatch(batch -> rows[0] += batch.rowCount());
            }
            return rows[0];
        }
    }

    @ParameterizedTest
    @EnumSource
    void readers_bear_a_region_that_is_closed_for_some_seconds(Reader reader) {
        refusalsLeft = REFUSALS_BORNE;
        assertThat(reader.rows(this)).isZero();
        assertThat(refusalsLeft).isZero();
        assertThat(pauses).isEqualTo(PAUSES_MILLIS);
    }

    @ParameterizedTest
    @EnumSource
    void readers_do_not_wait_for_ever(Reader reader) {
        refusalsLeft = REFUSALS_BORNE + 1;
        assertThatThrownBy(() -> reader.rows(this))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.REROUTE));
        assertThat(refusalsLeft).isZero();
        assertThat(pauses).isEqualTo(PAUSES_MILLIS);
    }

    @Test
    void routes_that_were_old_cost_no_pause() {
        refusalsLeft = 1;
        assertThat(Reader.COUNT.rows(this)).isZero();
        assertThat(refusalsLeft).isZero();
        assertThat(pauses).isEmpty();
    }
}
