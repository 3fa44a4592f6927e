package dev.penstock.kernel;

import java.util.function.Consumer;

/**
 * When the vector kernels run that only reads use: sums and selections of packed values, and
 * selections of groups. Usually from the start. Who has a store postpones them ({@link
 * LateKernels}), because the first query would wait more than a second for their compilation: reads
 * begin with scalar loops then.
 */
final class QueryVectors {
    /** A few queries of some million rows: who has asked that much goes on asking. */
    static final int LATE_VALUES = 1 << 26;

    private static final int VALUES_PER_CALL = 1 << 9;

    /** All kernels are compiled after fewer than half of these. */
    private static final int CALLS = 4000;

    private static final LateKernels LATE =
            new LateKernels(KernelSelection.VECTOR, QueryVectors::rehearse);

    private QueryVectors() {}

    /** Has reads begin with scalar loops, unless that has been asked for before. */
    static void postpone(Consumer<Runnable> background) {
        LATE.postpone(LATE_VALUES, background);
    }

    /** Whether vector kernels go over the next values. */
    static boolean run(int count) {
        return LATE.run(count);
    }

    /** Runs all of these kernels. */
    static void rehearse() {
        byte[] packed = new byte[Long.BYTES * VALUES_PER_CALL + BitPacking.PACK_SLACK];
        int[] ids = new int[VALUES_PER_CALL];
        long[] selected = new long[VALUES_PER_CALL >> 6];
        for (int call = 0; call < CALLS; call++) {
            if (VectorKernels.AVAILABLE) {
                runWide(packed, 1 + call % PackedValues.MAX_SUM_BITS, selected);
            } else {
                runNarrow(packed, 1 + call % Vector128PackedValues.MAX_BITS, selected);
            }
            VectorGroups.select(ids, VALUES_PER_CALL, call & 1, selected);
        }
    }

    private static void runWide(byte[] packed, int bits, long[] selected) {
        VectorPackedValues.sum(packed, 0, VALUES_PER_CALL, bits);
        VectorPackedValues.sum(packed, 0, VALUES_PER_CALL, bits, selected);
        VectorPackedValues.select(packed, 0, VALUES_PER_CALL, bits, 0, bits & 1, selected);
    }

    private static void runNarrow(byte[] packed, int bits, long[] selected) {
        Vector128PackedValues.sum(packed, 0, VALUES_PER_CALL, bits);
        Vector128PackedValues.sum(packed, 0, VALUES_PER_CALL, bits, selected);
        Vector128PackedValues.select(packed, 0, VALUES_PER_CALL, bits, 0, bits & 1, selected);
    }
}
