package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.ingest.StagingMemory.Slab;
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

/** Slabs belong to who took them, are kept within limits, and go when nobody stages any more. */
final class StagingMemoryTest {
    private static final long SEED = 99L;
    private static final int KEPT = 8 << 20;

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
        try (StagingMemory memory = new StagingMemory(new StagingLimits(KEPT, 4L * KEPT));
                Staging first = new Staging(memory, new NioStorage(), folder.resolve("1"));
                Staging second = new Staging(memory, new NioStorage(), folder.resolve("2"))) {
            memory.freeUnused(start);
            memory.add(first);
            List<Slab> taken = List.of(memory.take(KEPT), memory.take(KEPT), memory.take(1 << 20));
            memory.remove(first);
            taken.forEach(memory::giveBack);
            assertThat(memory.idleBytes()).isBetween(1L << 20, 2L * KEPT);

            memory.freeUnused(start.plusSeconds(100));
            memory.freeUnused(start.plusSeconds(159));
            memory.add(second);
            memory.freeUnused(start.plusSeconds(160));
            Slab again = memory.take(KEPT);
            assertThat(taken).extracting(Slab::memory).contains(again.memory());
            memory.giveBack(again);
            memory.remove(second);

            memory.freeUnused(start.plusSeconds(200));
            memory.freeUnused(start.plusSeconds(259));
            assertThat(again.memory().scope().isAlive()).isTrue();
            memory.freeUnused(start.plusSeconds(260));
            assertThat(memory.idleBytes()).isZero();
            assertThat(taken).noneMatch(slab -> slab.memory().scope().isAlive());
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
