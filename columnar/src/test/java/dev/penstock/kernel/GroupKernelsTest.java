package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/** Aggregates by group are those of the rows one by one. */
class GroupKernelsTest {
    private static final int GROUPS = 5;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000, 8192})
    void everyRowCountsForItsGroup(int rows) {
        Random random = new Random(rows);
        int[] ids = random.ints(rows, 0, GROUPS).toArray();
        long[] values = random.longs(rows, -1000, 1000).toArray();
        long[] selected = random.longs((rows + 63) >> 6).toArray();
        long[] counts = GroupKernels.withRoom(new long[0], GROUPS);
        long[] sums = GroupKernels.withRoom(new long[0], GROUPS);
        long[] mins = new long[GROUPS];
        long[] maxs = new long[GROUPS];
        GroupKernels.count(ids, rows, counts);
        GroupKernels.sum(ids, rows, values, sums);
        GroupKernels.min(ids, rows, values, mins);
        GroupKernels.max(ids, rows, values, maxs);
        for (int group = 0; group < GROUPS; group++) {
            long count = 0;
            long sum = 0;
            long min = 0;
            long max = 0;
            long[] bits = new long[(rows + 63) >> 6];
            for (int row = 0; row < rows; row++) {
                if (ids[row] == group) {
                    count++;
                    sum += values[row];
                    min = Math.min(min, values[row]);
                    max = Math.max(max, values[row]);
                    bits[row >> 6] |= 1L << row;
                }
            }
            assertThat(GroupKernels.total(counts, group)).isEqualTo(count);
            assertThat(GroupKernels.total(sums, group)).isEqualTo(sum);
            assertThat(mins[group]).isEqualTo(min);
            assertThat(maxs[group]).isEqualTo(max);
            checkSelection(ids, rows, group, bits);
        }
        checkMask(ids, rows, selected);
    }

    private static void checkSelection(int[] ids, int rows, int group, long[] expected) {
        long[] out = new Random(group).longs(expected.length).toArray();
        GroupKernels.select(ids, rows, group, out);
        assertThat(out).isEqualTo(expected);
        long[] scalar = new Random(group).longs(expected.length).toArray();
        GroupKernels.selectScalar(ids, 0, rows, group, scalar);
        assertThat(scalar).isEqualTo(expected);
    }

    private static void checkMask(int[] ids, int rows, long[] selected) {
        int[] masked = ids.clone();
        GroupKernels.mask(masked, rows, selected, GROUPS);
        for (int row = 0; row < rows; row++) {
            boolean in = (selected[row >> 6] >>> row & 1) != 0;
            assertThat(masked[row]).isEqualTo(in ? ids[row] : GROUPS);
        }
    }
}
