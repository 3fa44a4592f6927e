package dev.penstock.kv.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

class FailedCompactionsTest {
    private static final long REGION = 7;
    private static final long OTHER = 8;

    private final List<String> log = new ArrayList<>();
    private final FailedCompactions failed = new FailedCompactions(log::add);

    private static PenstockException full(String file) {
        return PenstockException.io(
                "cannot write to " + file + ": No space left on device",
                new IOException("No space left on device"));
    }

    /** Rounds until the region is tried. */
    private int passedOver() {
        int rounds = 0;
        while (failed.passOver(REGION)) {
            rounds++;
        }
        return rounds;
    }

    @Test
    void aRegionThatFailsIsTriedAgainAfterPausesThatGrowToAnEnd() {
        List<Integer> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            failed.failed(REGION, full("a" + i));
            pauses.add(passedOver());
            assertThat(failed.passOver(OTHER)).isFalse();
        }
        assertThat(pauses).containsExactly(1, 2, 4, 8, 16, 32, 64, 64, 64);
        failed.succeeded(REGION);
        failed.failed(REGION, full("b"));
        assertThat(passedOver()).isEqualTo(1);
    }

    @Test
    void aCauseIsToldOnceHoweverManyRegionsMeetIt() {
        for (int i = 0; i < 3; i++) {
            failed.failed(REGION, full("a" + i));
            failed.failed(OTHER, full("b" + i));
        }
        assertThat(log)
                .containsExactly(
                        "region 7 cannot be compacted now and is tried again later: cannot write to"
                                + " a0: No space left on device");
        failed.failed(
                OTHER,
                PenstockException.io(
                        "cannot open c",
                        new FileSystemException("c", null, "Too many open files")));
        assertThat(log).hasSize(2);
        failed.succeeded(REGION);
        failed.failed(OTHER, full("d"));
        assertThat(log).as("one region is still behind").hasSize(2);
        failed.succeeded(OTHER);
        failed.failed(OTHER, full("e"));
        assertThat(log).as("the disk is full anew").hasSize(3);
    }

    @Test
    void aDamagedRegionIsLeftAloneAndToldOf() {
        failed.failed(REGION, PenstockException.corrupt("block 3 of x.seg is damaged"));
        for (int round = 0; round < 3 * FailedCompactions.LONGEST_PAUSE_ROUNDS; round++) {
            failed.keepOnly(Set.of(REGION, OTHER));
            assertThat(failed.passOver(REGION)).isTrue();
        }
        assertThat(log)
                .containsExactly(
                        "region 7 is not compacted any more, until the server starts again: block 3"
                                + " of x.seg is damaged");
        failed.keepOnly(Set.of(OTHER));
        assertThat(failed.passOver(REGION)).as("forgotten").isFalse();
    }
}
