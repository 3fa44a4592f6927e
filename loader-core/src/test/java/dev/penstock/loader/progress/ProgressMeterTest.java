package dev.penstock.loader.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadProgress;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

class ProgressMeterTest {
    private final AtomicLong nanos = new AtomicLong(5);
    private final AtomicLong bytes = new AtomicLong();
    private final List<LoadProgress> reports = new ArrayList<>();
    private final ProgressMeter meter = new ProgressMeter(reports::add, nanos::get);

    private void pass(double seconds) {
        nanos.addAndGet((long) (seconds * 1e9));
    }

    @Test
    void ticksAreReportedAtABoundedRate() {
        meter.enter(LoadPhase.LOAD);
        for (int i = 0; i < 1_000; i++) {
            pass(0.001);
            meter.tick();
        }
        assertThat(reports).hasSizeBetween(5, 7);
    }

    @Test
    void ratesAndTheTimeLeftComeFromTheLoadPhaseAlone() {
        pass(100);
        meter.input(bytes::get, 1_000);
        meter.enter(LoadPhase.LOAD);
        pass(1);
        bytes.set(200);
        meter.add(50, 10);
        meter.tick();
        pass(1);
        bytes.set(500);
        meter.add(50, 10);
        meter.tick();
        LoadProgress last = reports.get(reports.size() - 1);
        assertThat(last.bytesPerSecond()).isCloseTo(250, within(0.01));
        assertThat(last.bytesPerSecondNow()).isCloseTo(300, within(0.01));
        assertThat(last.rowsPerSecond()).isCloseTo(50, within(0.01));
        assertThat(last.etaSeconds()).isCloseTo(2, within(0.01));
        assertThat(last.seconds()).isCloseTo(102, within(0.01));
        assertThat(last.bytesSent()).isEqualTo(20);
    }

    @Test
    void bytesThatAreDoneDoNotBecomeFewer() {
        meter.input(bytes::get, 1_000);
        meter.enter(LoadPhase.LOAD);
        for (long done : new long[] {-3, 200, 150, 300}) {
            bytes.set(done);
            pass(1);
            meter.tick();
        }
        assertThat(reports.stream().map(LoadProgress::bytesDone))
                .containsExactly(0L, 0L, 200L, 200L, 300L);
    }

    @Test
    void anotherThreadTellsTheListenerUntilItIsClosed() throws Exception {
        CompletableFuture<Thread> teller = new CompletableFuture<>();
        AtomicLong told = new AtomicLong();
        ProgressMeter other =
                new ProgressMeter(
                        progress -> {
                            told.incrementAndGet();
                            teller.complete(Thread.currentThread());
                        },
                        nanos::get);
        other.tickAside();
        assertThat(told).hasValue(0);
        pass(1);
        other.tickAside();
        assertThat(teller.get(30, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
        other.close();
        long before = told.get();
        pass(1);
        other.tick();
        other.end();
        assertThat(told).hasValue(before);
    }

    @Test
    void whatTheListenerThrowsToAnotherThreadEndsTheLoad() {
        ProgressMeter other =
                new ProgressMeter(
                        _ -> {
                            throw new IllegalStateException("no more");
                        },
                        nanos::get);
        pass(1);
        other.tickAside();
        assertThat(ForkJoinPool.commonPool().awaitQuiescence(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> other.enter(LoadPhase.MERGE)).hasMessage("no more");
    }

    @Test
    void aLoadThatBeginsAgainCountsFromNothing() {
        meter.input(bytes::get, 1_000);
        meter.enter(LoadPhase.LOAD);
        bytes.set(700);
        meter.add(50, 10);
        meter.addRejects(3);
        meter.beginAgain();
        LoadProgress last = reports.get(reports.size() - 1);
        assertThat(last.phase()).isEqualTo(LoadPhase.PLAN);
        assertThat(last.bytesDone()).isZero();
        assertThat(last.bytesTotal()).isEqualTo(-1);
        assertThat(last.rows()).isZero();
        assertThat(last.rejects()).isZero();
        assertThat(last.bytesSent()).isZero();
    }

    @Test
    void phasesAreTimed() {
        pass(1);
        meter.enter(LoadPhase.SAMPLE);
        pass(2);
        meter.enter(LoadPhase.LOAD);
        pass(3);
        meter.end();
        assertThat(meter.phaseNanos())
                .containsEntry(LoadPhase.PLAN, 1_000_000_000L)
                .containsEntry(LoadPhase.SAMPLE, 2_000_000_000L)
                .containsEntry(LoadPhase.LOAD, 3_000_000_000L);
    }
}
