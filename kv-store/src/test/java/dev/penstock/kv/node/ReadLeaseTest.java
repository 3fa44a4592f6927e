package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

@Timeout(60)
class ReadLeaseTest {
    @TempDir private Path folder = Path.of("unset");

    @Test
    void aLeaseHoldsFromItsGrantToItsRevocation() {
        ReadLease lease = new ReadLease();
        assertThat(lease.valid()).isFalse();
        lease.grant(lease.apply());
        assertThat(lease.valid()).isTrue();
        lease.revoke();
        assertThat(lease.valid()).isFalse();
    }

    @Test
    void whatWasGrantedBeforeARevocationIsWorthlessAfterIt() {
        ReadLease lease = new ReadLease();
        ReadLease.Application early = lease.apply();
        lease.revoke();
        lease.grant(early);
        assertThat(lease.valid()).isFalse();
        lease.grant(lease.apply());
        assertThat(lease.valid()).isTrue();
    }

    @Test
    void aLeaseCountsFromItsApplication() {
        ReadLease lease = new ReadLease();
        ReadLease.Application now = lease.apply();
        long longAgo = now.nanos() - ReportReply.LEASE.toNanos() - 1;
        lease.grant(new ReadLease.Application(now.revocations(), longAgo, now.millisOfDay()));
        assertThat(lease.valid()).isFalse();
    }

    /** While a machine is suspended only the time of day goes on. */
    @Test
    void aLeaseDoesNotOutliveASuspendedMachine() {
        ReadLease lease = new ReadLease();
        ReadLease.Application now = lease.apply();
        long longAgo = now.millisOfDay() - ReportReply.LEASE.toMillis() - 1;
        lease.grant(new ReadLease.Application(now.revocations(), now.nanos(), longAgo));
        assertThat(lease.valid()).isFalse();
    }

    /** With a lease the leader is not asked: it may be gone. */
    @Test
    void aReadWithALeaseNeedsNoLeader() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            store.load(DuplicatePolicy.ERROR, TestTable.items(0, 10, 0));
            store.node().heartbeat();
            store.loseQuestions(true);
            assertThat(get(store, 3)).isTrue();
            store.service().revokeLease("load", List.of());
            assertThatThrownBy(() -> get(store, 3)).hasMessageContaining("leader");
        }
    }

    /** Asked for by threads that must not wait for the leader. */
    @Test
    void anEpochIsAtHandIfTheLeaderNeedNotBeAsked() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            long epoch = store.load(DuplicatePolicy.ERROR, TestTable.items(0, 10, 0));
            store.node().heartbeat();
            store.loseQuestions(true);
            RegionService service = store.service();
            assertThat(service.epochAtHand(RegionService.LATEST)).contains(epoch);
            service.revokeLease("load", List.of());
            assertThat(service.epochAtHand(RegionService.LATEST)).isEmpty();
            assertThat(service.epochAtHand(epoch)).contains(epoch);
            assertThat(service.epochAtHand(epoch + 1)).isEmpty();
        }
    }

    @Test
    void aReadAfterPublishingSeesTheLoadOnAServerThatCouldNotBeTold() {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            store.waitForLeases(ReportReply.LEASE.plusMillis(500));
            store.restartLeader();
            store.restartServer();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            store.send(load, 0, TestTable.items(0, 10, 0));
            store.finish(load);
            store.node().heartbeat();
            assertThat(get(store, 3)).isFalse();
            store.loseOrders(true);
            store.publish(load);
            assertThat(get(store, 3)).isTrue();
        }
    }

    private static boolean get(TestStore store, long id) {
        return store.service()
                .get(store.regions().getFirst().regionId(), TestTable.key(id), RegionService.LATEST)
                .isPresent();
    }
}
