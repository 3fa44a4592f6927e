package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/** Large frames are admitted in the order in which they came. */
@Timeout(60)
final class InboundBudgetTest {
    private final InboundBudget budget = new InboundBudget(100);
    private final List<String> admitted = new ArrayList<>();

    private static void never() {
        throw new AssertionError("nobody is told of what was taken at once");
    }

    private InboundBudget.Place inLine(String name, long bytes) {
        InboundBudget.Place place = budget.place();
        assertThat(place.take(bytes, () -> admitted.add(name))).as(name).isFalse();
        return place;
    }

    @Test
    void a_large_frame_is_not_passed_by_small_ones() {
        assertThat(budget.place().take(60, InboundBudgetTest::never)).isTrue();
        InboundBudget.Place large = inLine("large", 90);
        for (int i = 0; i < 5; i++) {
            inLine("small " + i, 10);
        }
        budget.giveBack(60);
        assertThat(admitted).containsExactly("large", "small 0");
        assertThat(budget.used()).isEqualTo(100);
        assertThat(large.take(90, InboundBudgetTest::never)).isTrue();
        budget.giveBack(90);
        assertThat(admitted)
                .containsExactly("large", "small 0", "small 1", "small 2", "small 3", "small 4");
        assertThat(budget.used()).isEqualTo(50);
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void who_asks_again_keeps_its_place_and_takes_once() {
        assertThat(budget.place().take(100, InboundBudgetTest::never)).isTrue();
        InboundBudget.Place first = inLine("first", 60);
        inLine("second", 60);
        assertThat(first.take(60, InboundBudgetTest::never)).isFalse();
        budget.giveBack(100);
        assertThat(admitted).containsExactly("first");
        assertThat(first.take(60, InboundBudgetTest::never)).isTrue();
        assertThat(budget.used()).isEqualTo(60);
        budget.giveBack(60);
        assertThat(admitted).containsExactly("first", "second");
    }

    @Test
    void what_is_larger_than_the_whole_goes_alone() {
        InboundBudget.Place small = budget.place();
        assertThat(small.take(1, InboundBudgetTest::never)).isTrue();
        inLine("huge", 1000);
        inLine("next", 1);
        budget.giveBack(1);
        assertThat(admitted).containsExactly("huge");
        budget.giveBack(1000);
        assertThat(admitted).containsExactly("huge", "next");
    }

    @Test
    void who_ends_in_line_holds_up_nobody() {
        assertThat(budget.place().take(60, InboundBudgetTest::never)).isTrue();
        InboundBudget.Place large = inLine("large", 90);
        inLine("small", 10);
        large.leave();
        assertThat(admitted).containsExactly("small");
        assertThat(budget.used()).isEqualTo(70);
    }

    @Test
    void who_ends_before_it_has_heard_that_it_is_admitted_gives_back() {
        assertThat(budget.place().take(100, InboundBudgetTest::never)).isTrue();
        InboundBudget.Place gone = inLine("gone", 80);
        inLine("next", 80);
        budget.giveBack(100);
        assertThat(admitted).containsExactly("gone");
        gone.leave();
        assertThat(admitted).containsExactly("gone", "next");
        assertThat(budget.used()).isEqualTo(80);
    }

    // Over sockets

    private static final int HELD = 1_500_000;
    private static final int LARGE = 1_000_000;
    private static final int SMALL = 100_000;

    /** Permits for what has become of fragments. */
    private static final class Fates implements FragmentListener {
        final Semaphore acknowledged = new Semaphore(0);

        @Override
        public void acknowledged(FragmentAck ack) {
            acknowledged.release();
        }

        @Override
        public void failed(PenstockException failure) {}
    }

    private static NetLimits tight() {
        return new NetLimits(5_000, 10_000, 200, 20_000, 8 << 20, 64 << 20, 2 << 20, 100);
    }

    private static ConnectionPool pool(Endpoints server) {
        return new ConnectionPool(server.transport, tight(), () -> "", ClientSecurity.PLAIN);
    }

    private static void send(
            ConnectionPool pool, Endpoints server, int length, FragmentListener fate) {
        RemoteRegionService.send(
                pool.connection(server.address),
                "load",
                new FragmentHeader(1, 1, FragmentForm.SORTED, 1),
                FakeRegions.payload(1, length),
                length,
                fate);
    }

    /** Sends a frame that the server has begun with, and holds until it gets a permit. */
    private static void hold(ConnectionPool pool, Endpoints server, FragmentListener fate)
            throws InterruptedException {
        server.regions.fragmentPermits.drainPermits();
        send(pool, server, HELD, fate);
        server.regions.fragmentsBegun.acquire();
    }

    private static void awaitWaiting(Endpoints server, int frames) {
        await(server.endpoint::waitingRequests, frames);
    }

    private static void await(LongSupplier number, long wanted) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (number.getAsLong() != wanted && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(number.getAsLong()).isEqualTo(wanted);
    }

    @Test
    void a_small_frame_waits_behind_a_large_one_of_another_connection() throws Exception {
        Fates fates = new Fates();
        try (Endpoints server = new Endpoints(tight());
                ConnectionPool one = pool(server);
                ConnectionPool two = pool(server);
                ConnectionPool three = pool(server)) {
            hold(one, server, fates);
            send(two, server, LARGE, fates);
            awaitWaiting(server, 1);
            send(three, server, SMALL, fates);
            awaitWaiting(server, 2);
            server.regions.fragmentPermits.release(3);
            fates.acknowledged.acquire(3);
        }
    }

    @Test
    void a_connection_that_is_lost_in_line_gives_way() throws Exception {
        Fates fates = new Fates();
        Fates lost = new Fates();
        try (Endpoints server = new Endpoints(tight());
                ConnectionPool one = pool(server);
                ConnectionPool two = pool(server);
                ConnectionPool three = pool(server)) {
            hold(one, server, fates);
            send(two, server, LARGE, lost);
            awaitWaiting(server, 1);
            send(three, server, SMALL, fates);
            awaitWaiting(server, 2);
            two.connection(server.address).close();
            awaitWaiting(server, 0);
            server.regions.fragmentPermits.release(2);
            fates.acknowledged.acquire(2);
            await(server.endpoint::heldBytes, 0);
        }
    }
}
