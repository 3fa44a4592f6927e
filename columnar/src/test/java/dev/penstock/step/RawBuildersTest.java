package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Buffers of regions: few large ones or many small ones stay, others are let go. */
final class RawBuildersTest {
    private static final int REGIONS = 50;
    private static final byte[] RECORD = new byte[1000];
    private static final int RECORDS = 2000;
    private static final long CHUNK_BYTES = (long) RECORDS * (RECORD.length + 1);

    private final RawBuilders builders = new RawBuilders(REGIONS);
    private int ordinal;

    private void add(int region) {
        builders.of(region).add(ordinal, 2000L * ordinal, RECORD, 0, RECORD.length);
        ordinal++;
    }

    private interface RegionOfRecord {
        int of(int record);
    }

    private void chunk(RegionOfRecord regions) {
        ordinal = 0;
        builders.begin();
        for (int record = 0; record < RECORDS; record++) {
            add(regions.of(record));
        }
        builders.end();
    }

    private List<RawFragment.Builder> held() {
        List<RawFragment.Builder> held = new ArrayList<>();
        for (int region = 0; region < REGIONS; region++) {
            held.add(builders.of(region));
        }
        return held;
    }

    @Test
    void inTheOrderOfKeysAllBuffersTogetherHaveRoomForAFewChunks() {
        for (int chunk = 0; chunk < 4 * REGIONS; chunk++) {
            int first = chunk / 4;
            chunk(record -> Math.min(REGIONS - 1, first + (record > RECORDS / 2 ? 1 : 0)));
            assertThat(builders.roomBytes()).as("chunk " + chunk).isLessThan(4 * CHUNK_BYTES);
        }
    }

    @Test
    void aRegionThatComesNextTakesTheBufferOfOneThatHasGone() {
        chunk(record -> 0);
        RawFragment.Builder first = builders.of(0);
        chunk(record -> 1);
        RawFragment.Builder second = builders.of(1);
        chunk(record -> 2);
        chunk(record -> 3);
        assertThat(List.of(builders.of(2), builders.of(3))).containsExactly(first, second);
    }

    @Test
    void aLargeRegionThatMovesBetweenSmallOnesLeavesNoLargeBuffers() {
        for (int large = 0; large < REGIONS; large++) {
            int region = large;
            chunk(record -> record < REGIONS ? record : region);
            assertThat(builders.roomBytes()).as("region " + region).isLessThan(4 * CHUNK_BYTES);
        }
    }

    @Test
    void manyRegionsOfAnySizeKeepTheirBuffers() {
        SplittableRandom random = new SplittableRandom(20261122);
        int[] regions = new int[RECORDS];
        for (int record = 0; record < RECORDS; record++) {
            regions[record] =
                    record < REGIONS ? record : random.nextInt(1 + random.nextInt(REGIONS));
        }
        chunk(record -> regions[record]);
        List<RawFragment.Builder> before = held();
        for (int chunk = 0; chunk < 20; chunk++) {
            int turn = chunk;
            chunk(record -> regions[(record + turn) % RECORDS]);
        }
        assertThat(held()).containsExactlyElementsOf(before);
    }

    @Test
    void afterAGiantOfARecordItsBufferIsLetGo() {
        byte[] giant = new byte[20 << 20];
        builders.begin();
        builders.of(7).add(0, 0, giant, 0, giant.length);
        builders.end();
        assertThat(builders.roomBytes()).isGreaterThan(giant.length);
        chunk(record -> record % REGIONS);
        chunk(record -> record % REGIONS);
        chunk(record -> record % REGIONS);
        assertThat(builders.roomBytes()).isLessThan(4 * CHUNK_BYTES);
    }
}
