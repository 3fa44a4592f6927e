package dev.penstock.aggregate;

import dev.penstock.kernel.GroupKernels;
import dev.penstock.segment.SegmentFormat;

import java.util.Arrays;

/**
 * The rows of each group of one block as bits, if the block has rows of a few groups only: then
 * sums are taken group by group of packed values where they lie. Owned by one thread.
 */
final class GroupBits {
    /** With more groups it is cheaper to decode the values and add each to its group. */
    private static final int MAX_PRESENT = 6;

    /** Most groups that there may be at all. */
    private static final int MAX_GROUPS = 256;

    private final int[] groups = new int[MAX_PRESENT];
    private final int[] counts = new int[MAX_PRESENT];
    private final long[][] bits = new long[MAX_PRESENT][SegmentFormat.BLOCK_ROWS / 64];
    private final long[] blockRows = new long[GroupKernels.LANES * (MAX_GROUPS + 1)];
    private int present;

    /**
     * Counts the rows of a block by group.
     *
     * @param size groups there are; a row with this number belongs to none
     * @param groupRows the block's rows are added to it
     * @return whether {@link #addSums} can be asked
     */
    boolean count(int[] ids, int rows, int size, long[] groupRows) {
        present = 0;
        if (size > MAX_GROUPS) {
            GroupKernels.count(ids, rows, groupRows);
            return false;
        }
        Arrays.fill(blockRows, 0, GroupKernels.LANES * (size + 1), 0);
        GroupKernels.count(ids, rows, blockRows);
        boolean few = true;
        for (int group = 0; group < size; group++) {
            long count = GroupKernels.total(blockRows, group);
            groupRows[GroupKernels.LANES * group] += count;
            if (count > 0 && present < MAX_PRESENT) {
                groups[present] = group;
                counts[present++] = (int) count;
            } else if (count > 0) {
                few = false;
            }
        }
        for (int i = 0; few && i < present; i++) {
            GroupKernels.select(ids, rows, groups[i], bits[i]);
        }
        return few;
    }

    /** Adds the values of the opened block, none of them NULL, to their groups. */
    void addSums(PackedSums sums, LongFold fold) {
        for (int i = 0; i < present; i++) {
            sums.add(fold, groups[i], bits[i], counts[i]);
        }
    }
}
