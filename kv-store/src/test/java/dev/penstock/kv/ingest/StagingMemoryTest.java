package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.ingest.SlabPool.Slab;
import dev.penstock.kv.storage.NioStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Slabs belong to who took them, are kept within limits, and go when nobody stages any more. */
final class StagingMemoryTest {
    private static final long SEED = 99L;
    private static final int KEPT = 8 << 20;
    private static final int THREADS = 3;

    @TempDir Path folder;

    private final Random random = new Random(SEED);

    @Test
    void slabsAreNobodyElsesAndIdleOnesStayWithinTheLimit() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT));
                Staging staging = new Staging(memory, new NioStorage(), folder.resolve("1"))) {
            memory.add(staging);
            List<Slab> taken = new ArrayList<>();
            List<Long> marks = new ArrayList<>();
            List<MemorySegment> seen = new ArrayList<>();
            long used = 0;
            for (int round = 0; round < 4_000; round++) {
                // More of them are taken than are kept, then all come back, and so on.
                boolean more = round % 1000 < 500;
                if (taken.isEmpty() || random.nextInt(10) < (more ? 8 : 2)) {
                    Slab slab = memory.take(1 + random.nextInt(1 << 20));
                    seen.add(slab.memory());
                    taken.add(slab);
                    marks.add(random.nextLong());
                    fill(slab, marks.getLast());
                    used += slab.bytes();
                } else {
                    int index = random.nextInt(taken.size());
                    Slab slab = taken.remove(index);
                    check(slab, marks.remove(index));
                    used -= slab.bytes();
                    memory.giveBack(slab);
                }
                assertThat(memory.usedBytes()).isEqualTo(used);
                assertThat(memory.idleBytes()).as("seed %d", SEED).isBetween(0L, (long) KEPT);
            }
            for (int i = 0; i < taken.size(); i++) {
                check(taken.get(i), marks.get(i));
                memory.giveBack(taken.get(i));
            }
            memory.remove(staging);
            assertThat(memory.idleBytes()).isZero();
            assertThat(seen).noneMatch(segment -> segment.scope().isAlive());
        }
    }

    @Test
    void whatIsStillTakenWhenTheLastStagingGoesStaysUntilItIsGivenBack() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, KEPT));
                Staging staging = new Staging(memory, new NioStorage(), folder.resolve("1"))) {
            memory.add(staging);
            Slab idle = memory.take(1 << 20);
            Slab first = memory.take(1 << 20);
            Slab second = memory.take(KEPT);
            memory.giveBack(idle);
            memory.remove(staging);
            fill(first, 1);
            fill(second, 2);
            check(first, 1);
            memory.giveBack(first);
            check(second, 2);
            memory.giveBack(second);
            assertThat(memory.usedBytes()).isZero();
            assertThat(memory.idleBytes()).isZero();
            assertThat(List.of(idle, first, second))
                    .noneMatch(slab -> slab.memory().scope().isAlive());
        }
    }

    @Test
    void whoIsLookedAfterKeepsMemoryForTheNextLoadButNotForLong() {
        Instant start = Instant.EPOCH;
        try (StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT))) {
            memory.freeUnused(start);
            Slab kept = load(memory);
            assertThat(memory.idleBytes()).isEqualTo(KEPT);
            memory.freeUnused(start.plusSeconds(100));
            // A load between two calls.
            assertThat(load(memory).memory()).isEqualTo(kept.memory());
            memory.freeUnused(start.plusSeconds(160));
            assertThat(memory.idleBytes()).isEqualTo(KEPT);
            // One that is open during a call.
            try (Staging staging = staging(memory)) {
                memory.freeUnused(start.plusSeconds(220));
                memory.remove(staging);
            }
            memory.freeUnused(start.plusSeconds(300));
            memory.freeUnused(start.plusSeconds(359));
            assertThat(kept.memory().scope().isAlive()).isTrue();
            memory.freeUnused(start.plusSeconds(360));
            assertThat(memory.idleBytes()).isZero();
            assertThat(kept.memory().scope().isAlive()).isFalse();
        }
    }

    @Test
    void slabsOfOneSizeMakeRoomForThoseOfAnother() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT))) {
            memory.freeUnused(Instant.EPOCH);
            List<Slab> small = new ArrayList<>();
            while (memory.usedBytes() < KEPT) {
                small.add(memory.take(1 << 18));
            }
            small.forEach(memory::giveBack);
            Slab large = memory.take(KEPT);
            assertThat(small).noneMatch(slab -> slab.memory().scope().isAlive());
            memory.giveBack(large);
            assertThat(memory.take(KEPT).memory()).isEqualTo(large.memory());
        }
    }

    @Test
    void whatIsIdleIsCutAnewWhileTheRestIsTaken() {
        try (StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT))) {
            memory.freeUnused(Instant.EPOCH);
            memory.giveBack(memory.take(KEPT));
            List<Slab> small = new ArrayList<>();
            while (memory.usedBytes() < KEPT) {
                small.add(memory.take(1 << 18));
            }
            // The other half, of which every second one stays taken first.
            for (int i = small.size() / 2; i < small.size(); i += 2) {
                memory.giveBack(small.get(i));
            }
            Slab elsewhere = memory.take(1 << 19);
            assertThat(elsewhere.memory().scope()).isNotEqualTo(small.getFirst().memory().scope());
            for (int i = small.size() / 2 + 1; i < small.size(); i += 2) {
                memory.giveBack(small.get(i));
            }
            Slab large = memory.take(KEPT / 2);
            assertThat(large.memory().scope()).isEqualTo(small.getFirst().memory().scope());
            fill(large, 1);
            fill(elsewhere, 2);
            small.subList(0, small.size() / 2).forEach(slab -> fill(slab, 3));
            check(large, 1);
            check(elsewhere, 2);
        }
    }

    @Test
    void manyTakeWhileLoadsComeAndGo() throws Exception {
        StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT));
        AtomicInteger running = new AtomicInteger(THREADS);
        List<Future<List<MemorySegment>>> takers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1)) {
            for (int i = 0; i < THREADS; i++) {
                long seed = SEED + i;
                takers.add(threads.submit(() -> takeAndGiveBack(memory, seed, running)));
            }
            Future<?> loads = threads.submit(() -> comeAndGo(memory, running));
            loads.get();
            for (Future<List<MemorySegment>> taker : takers) {
                assertThat(taker.get()).isNotEmpty();
            }
        }
        memory.close();
        assertThat(memory.usedBytes()).isZero();
        assertThat(memory.idleBytes()).isZero();
        for (Future<List<MemorySegment>> taker : takers) {
            assertThat(taker.get()).noneMatch(segment -> segment.scope().isAlive());
        }
    }

    private static List<MemorySegment> takeAndGiveBack(
            StagingMemory memory, long seed, AtomicInteger running) {
        Random own = new Random(seed);
        List<MemorySegment> seen = new ArrayList<>();
        try {
            for (int round = 0; round < 300; round++) {
                List<Slab> taken = new ArrayList<>();
                for (int i = own.nextInt(12); i >= 0; i--) {
                    taken.add(memory.take(1 + own.nextInt(1 << 20)));
                    seen.add(taken.getLast().memory());
                    fill(taken.getLast(), seed + taken.size());
                }
                for (int i = 0; i < taken.size(); i++) {
                    check(taken.get(i), seed + i + 1);
                    memory.giveBack(taken.get(i));
                }
            }
            return seen;
        } finally {
            running.decrementAndGet();
        }
    }

    /** Memory is kept and freed again and again. */
    private void comeAndGo(StagingMemory memory, AtomicInteger running) {
        while (running.get() > 0) {
            try (Staging staging = staging(memory)) {
                assertThat(memory.idleBytes()).isBetween(0L, (long) KEPT);
                memory.remove(staging);
            }
        }
    }

    @Test
    void whatComesBackAfterTheEndIsNotKept() {
        StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT));
        memory.freeUnused(Instant.EPOCH);
        Slab late = memory.take(KEPT);
        memory.close();
        assertThat(late.memory().scope().isAlive()).isTrue();
        memory.freeUnused(Instant.EPOCH);
        memory.giveBack(late);
        assertThat(late.memory().scope().isAlive()).isFalse();
    }

    private Staging staging(StagingMemory memory) {
        return new Staging(memory, new NioStorage(), folder.resolve("staging"));
    }

    /** Takes a slab while there is a staging, and gives it back. */
    private Slab load(StagingMemory memory) {
        try (Staging staging = staging(memory)) {
            Slab slab = memory.take(KEPT);
            memory.remove(staging);
            memory.giveBack(slab);
            return slab;
        }
    }

    private static void fill(Slab slab, long mark) {
        slab.memory().set(ValueLayout.JAVA_LONG, 0, mark);
        slab.memory().set(ValueLayout.JAVA_LONG, slab.bytes() - 8L, ~mark);
    }

    private static void check(Slab slab, long mark) {
        assertThat(slab.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(mark);
        assertThat(slab.memory().get(ValueLayout.JAVA_LONG, slab.bytes() - 8L)).isEqualTo(~mark);
    }
}
