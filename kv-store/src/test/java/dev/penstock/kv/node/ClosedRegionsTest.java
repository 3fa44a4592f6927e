package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.region.TestTable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Regions that were closed for a change of which nothing more is heard. */
final class ClosedRegionsTest {
    @TempDir Path home;
    private TestStore store;
    private long closed;

    @BeforeEach
    void closeARegion() {
        store = StoreCheck.open(home, StoreCheck.disk(home, false), StoreCheck.STAGING, 0);
        store.createItems();
        closed = store.regions().getFirst().regionId();
        assertThat(store.service().closeIfEmpty(closed)).isTrue();
        assertTakesNoRows();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void assertTakesNoRows() {
        assertThatThrownBy(this::put)
                .isInstanceOf(PenstockException.class)
                .extracting(e -> ((PenstockException) e).category())
                .isEqualTo(ErrorCategory.REROUTE);
    }

    private void put() {
        store.service().put(closed, TestTable.batch(TestTable.items(0, 10, 0)), 0);
    }

    @Test
    void aRegionThatStaysIsOpenedAgain() {
        store.restartLeader();
        store.node().heartbeat();
        put();
        assertThat(store.scan()).isEqualTo(TestTable.items(0, 10, 0));
    }

    @Test
    void aRegionStaysClosedWhileTheLeaderCannotSayWhatBecameOfIt() {
        store.loseQuestions(true);
        assertThatThrownBy(() -> store.node().heartbeat()).hasMessageContaining("leader");
        assertTakesNoRows();
        store.loseQuestions(false);
        store.node().heartbeat();
        put();
    }

    @Test
    void aRegionThatWasDroppedGoes() {
        store.loseOrders(true);
        store.metadata().dropTable("items");
        store.node().heartbeat();
        assertThatThrownBy(this::put).hasMessage("region " + closed + " is not on this server");
        assertThat(store.node().regions())
                .as("those that were not closed go at the next start")
                .hasSize(2);
    }

    @Test
    void whatTheLeaderSaidBeforeARegionWasClosedOnceMoreCountsNoMore() {
        RegionTable regions = store.node().regionTable();
        Map<Long, Long> before = regions.closings();
        Set<Long> assigned =
                Set.copyOf(store.regions().stream().map(RegionAssignment::regionId).toList());
        assertThat(store.service().closeIfEmpty(closed)).isTrue();
        regions.settle(before, assigned);
        assertTakesNoRows();
        regions.settle(before, Set.of());
        assertThat(store.node().regions()).hasSize(3);
        regions.settle(regions.closings(), assigned);
        put();
        assertThat(regions.closings()).isEmpty();
    }

    @Test
    void aRegionThatIsCreatedAgainWasNotClosedAnyMore() {
        store.service()
                .createRegions(
                        List.of(
                                store.regions()
                                        .getFirst()
                                        .of(store.metadata().table("items").orElseThrow())));
        assertThat(store.node().regionTable().closings()).isEmpty();
        put();
    }
}
