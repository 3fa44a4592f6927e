package dev.penstock.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * When the vector kernels run that only reads use: sums and selections of packed values, and
 * selections of groups. Usually from the start. Who has a store postpones them, because the first
 * query would wait more than a second for them to be compiled, running them a hundred times slower
 * than a scalar loop meanwhile. Reads begin with scalar loops then. When these have gone over
 * {@link #LATE_VALUES} values, a thread of the store's runs the vector kernels on values of its own
 * until they are compiled, and only then they take over.
 *
 * <p>Readers race for the state, which is not volatile: counts may get lost, and a reader may see
 * late that the kernels are ready.
 */
final class QueryVectors {
    /** A few queries of some million rows: who has asked that much goes on asking. */
    static final int LATE_VALUES = 1 << 26;

    private static final int VALUES_PER_CALL = 1 << 9;

    /** All kernels are compiled after fewer than half of these. */
    private static final int CALLS = 4000;

    private static boolean ready = KernelSelection.VECTOR;
    private static boolean postponed;
    private static long scalarValues;

    /** Takes the task that gets the kernels ready; null once it has. */
    private static @Nullable Consumer<Runnable> background;

    private QueryVectors() {}

    /** Has reads begin with scalar loops, unless that has been asked for before. */
    static synchronized void postpone(Consumer<Runnable> newBackground) {
        if (KernelSelection.VECTOR && !postponed) {
            postponed = true;
            scalarValues = LATE_VALUES;
            background = newBackground;
            ready = false;
        }
    }

    /** Whether vector kernels go over the next values. */
    static boolean run(int count) {
        if (ready || !KernelSelection.VECTOR) {
            return ready;
        }
        long left = scalarValues - count;
        scalarValues = left;
        if (left <= 0) {
            prepareBeside();
        }
        return false;
    }

    private static synchronized void prepareBeside() {
        Consumer<Runnable> thread = background;
        if (thread == null) {
            return;
        }
        background = null;
        // Reads need not ask again.
        scalarValues = Long.MAX_VALUE;
        try {
            thread.accept(QueryVectors::prepare);
        } catch (OutOfMemoryError e) {
            // There may be no more threads now. Reads can do without.
            background = thread;
            scalarValues = LATE_VALUES;
        }
    }

    /** Runs the kernels, and has them taken over. */
    private static void prepare() {
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
        ready = true;
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
