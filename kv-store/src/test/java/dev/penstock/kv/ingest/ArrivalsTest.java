package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

final class ArrivalsTest {
    private static final long LEAST_BYTES = 100;
    private static final int CHUNKS_OF_REGION = 3;

    private final Arrivals<FilledRegion> arrivals = new Arrivals<>(LEAST_BYTES);
    private final List<FilledRegion> regions = new ArrayList<>();
    private final List<Integer> complete = new ArrayList<>();

    /** A region that gets fragments of 60 bytes. */
    private static final class FilledRegion implements Arrivals.Candidate {
        private final int number;
        private int newestChunk = -1;
        private long bytes;
        private boolean nominated;

        FilledRegion(int number) {
            this.number = number;
        }

        @Override
        public long stagedBytes() {
            return bytes;
        }

        @Override
        public int newestChunk() {
            return newestChunk;
        }

        @Override
        public boolean nominate() {
            boolean first = !nominated;
            nominated = true;
            return first;
        }
    }

    private void makeRegions(int count) {
        for (int i = 0; i < count; i++) {
            regions.add(new FilledRegion(i));
        }
    }

    private void bring(int chunkId, int region) {
        FilledRegion to = regions.get(region);
        to.newestChunk = Math.max(to.newestChunk, chunkId);
        to.bytes += 60;
        arrivals.arrived(chunkId, to).forEach(each -> complete.add(each.number));
    }

    /** Chunks in the order of their numbers, a few of them for each region. */
    private void fillInOrder(int from, int to) {
        for (int region = from; region < to; region++) {
            for (int i = 0; i < CHUNKS_OF_REGION; i++) {
                bring(CHUNKS_OF_REGION * region + i, region);
            }
        }
    }

    @Test
    void regions_that_are_filled_one_after_another_become_complete_in_turn() {
        makeRegions(20);
        fillInOrder(0, 20);
        assertThat(complete).hasSizeBetween(15, 18).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void the_later_fragments_come_the_longer_regions_are_waited_for() {
        makeRegions(20);
        fillInOrder(1, 12);
        int inTime = complete.size();
        // 35 chunks late, it says that any region may wait for as much.
        bring(0, 0);
        fillInOrder(12, 20);
        assertThat(complete).hasSize(inTime);
    }

    @Test
    void no_region_of_an_input_in_no_order_looks_complete() {
        makeRegions(8);
        SplittableRandom random = new SplittableRandom(1);
        for (int chunk = 0; chunk < 200; chunk++) {
            bring(chunk, chunk % 8);
            bring(chunk, random.nextInt(8));
        }
        assertThat(complete).isEmpty();
    }

    @Test
    void regions_of_few_bytes_are_not_worth_it() {
        makeRegions(100);
        for (int region = 0; region < 100; region++) {
            bring(region, region);
        }
        assertThat(complete).isEmpty();
    }

    @Test
    void the_first_wrong_guess_among_few_is_the_last_guess() {
        makeRegions(20);
        fillInOrder(0, 10);
        int before = complete.size();
        assertThat(before).isPositive();
        arrivals.guessedWrong();
        assertThat(arrivals.isOver()).isTrue();
        fillInOrder(10, 20);
        assertThat(complete).hasSize(before);
    }

    @Test
    void one_wrong_guess_among_many_is_no_reason_to_stop() {
        makeRegions(200);
        fillInOrder(0, 50);
        int before = complete.size();
        assertThat(before).isBetween(32, 63);
        arrivals.guessedWrong();
        assertThat(arrivals.isOver()).isFalse();
        fillInOrder(50, 60);
        assertThat(complete).hasSizeGreaterThan(before).hasSizeLessThan(64);
        arrivals.guessedWrong();
        assertThat(arrivals.isOver()).isTrue();
    }

    @Test
    void nothing_is_guessed_once_the_load_ends() {
        makeRegions(20);
        fillInOrder(0, 10);
        arrivals.end();
        int before = complete.size();
        fillInOrder(10, 20);
        assertThat(complete).hasSize(before);
    }
}
