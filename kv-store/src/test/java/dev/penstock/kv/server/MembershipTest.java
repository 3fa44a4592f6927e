package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A server's reports when some of them fail. */
@Timeout(60)
class MembershipTest {
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final CountDownLatch wentOn = new CountDownLatch(2);

    private static PenstockException silent() {
        return new PenstockException(ErrorCategory.RETRY, "the leader does not answer");
    }

    /** Throws one failure after the other, then notes that it is called still. */
    private Runnable failing(Throwable... failures) {
        Iterator<Throwable> next = List.of(failures).iterator();
        return () -> {
            if (next.hasNext()) {
                switch (next.next()) {
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    case Throwable e -> throw new IllegalStateException(e);
                }
            }
            wentOn.countDown();
        };
    }

    @Test
    void reportsGoOnAfterWhatNobodyExpects() throws InterruptedException {
        Runnable report =
                failing(silent(), silent(), new IllegalStateException("x"), new InternalError("y"));
        try (Membership membership = new Membership(() -> {}, report, 1, log::add)) {
            membership.begin();
            wentOn.await();
        }
        assertThat(log)
                .containsExactly(
                        "this server cannot report to the leader: the leader does not answer",
                        "this server cannot report to the leader: unexpected failure:"
                                + " java.lang.IllegalStateException: x",
                        "this server cannot report to the leader: unexpected failure:"
                                + " java.lang.InternalError: y",
                        "this server has reached the leader again");
    }

    @Test
    void whoEndsTheProcessHearsOfTheEndOfMemory() throws InterruptedException {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        OutOfMemoryError memory = new OutOfMemoryError("Java heap space");
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> told.add(failure));
        try (Membership membership = new Membership(() -> {}, failing(memory), 1, log::add)) {
            membership.begin();
            wentOn.await();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(told).containsExactly(memory);
    }

    @Test
    void aLogThatFailsEndsNoReports() throws InterruptedException {
        Runnable report = failing(silent(), new IllegalStateException("x"));
        try (Membership membership =
                new Membership(
                        () -> {},
                        report,
                        1,
                        line -> {
                            throw new IllegalStateException("the log is full");
                        })) {
            membership.begin();
            wentOn.await();
        }
        assertThat(wentOn.getCount()).isZero();
    }

    @Test
    void aServerThatFailsWhileItJoinsLaterSaysSoAndIsNotJoined() {
        Runnable join = failing(silent(), new IllegalStateException("x"));
        try (Membership membership = new Membership(join, () -> {}, 1, log::add)) {
            membership.begin();
            assertThatThrownBy(() -> membership.joined().join())
                    .hasRootCauseMessage("x")
                    .hasMessageContaining("unexpected failure");
        }
    }
}
