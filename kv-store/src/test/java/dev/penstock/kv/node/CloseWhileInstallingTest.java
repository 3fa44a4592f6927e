package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.region.TestTable.Item;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** A server closes regions, or drops them, while it installs what was published. */
final class CloseWhileInstallingTest {
    private static final List<Item> ROWS = TestTable.items(0, 3000, 1);

    @TempDir Path home;
    private TestStore store;
    private LoadDescriptor load;
    private long epoch;

    @BeforeEach
    void publish() {
        store = StoreCheck.open(home, StoreCheck.disk(home, false), StoreCheck.STAGING, 0);
        store.createItems();
        load = store.prepare(DuplicatePolicy.REPLACE, ROWS);
        store.loseOrders(true);
        epoch = store.publish(load);
        store.loseOrders(false);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void install() {
        store.service().install(load.loadId(), epoch);
    }

    @Test
    void whatAClosedRegionCouldNotInstallIsThereWhenItIsOpenedAgain() {
        for (Region region : store.node().regions()) {
            region.close();
            assertThatThrownBy(this::install)
                    .isInstanceOf(PenstockException.class)
                    .extracting(e -> ((PenstockException) e).category())
                    .isEqualTo(ErrorCategory.REROUTE);
        }
        store.restartServer();
        assertThat(store.scan()).isEqualTo(ROWS);
    }

    @Test
    void whatWasInstalledBeforeARegionWasClosedIsThereOnce() {
        store.node().regions().getLast().close();
        assertThatThrownBy(this::install).hasMessageContaining("not on this server any more");
        store.restartServer();
        assertThat(store.scan()).isEqualTo(ROWS);
        store.restartServer();
        assertThat(store.scan()).isEqualTo(ROWS);
    }

    @Test
    void aRegionThatWasDroppedHindersNoOther() {
        long gone = store.regions().getFirst().regionId();
        store.service().dropRegion(gone);
        install();
        for (long regionId : store.regions().stream().mapToLong(r -> r.regionId()).toArray()) {
            if (regionId != gone) {
                assertThat(store.service().checksum(regionId, epoch).rowCount()).isPositive();
            }
        }
    }
}
