package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Vector kernels of loads and of reads take over after they have run beside. One test of each, as
 * they can be postponed once in a process.
 */
final class VectorKernelsTest {
    private static final long FIRST = 1000;

    private final List<Runnable> tasks = new ArrayList<>();

    /** Other tests want vector kernels. */
    @AfterEach
    void takeOver() {
        tasks.forEach(Runnable::run);
    }

    @Test
    void kernels_of_loads_take_over() {
        assumeTrue(KernelSelection.VECTOR, "there are no vectors here");
        assertThat(VectorKernels.convert(1)).as("not postponed").isTrue();
        VectorKernels.postpone(FIRST, tasks::add);
        assertThat(VectorKernels.convert(600)).isFalse();
        assertThat(VectorKernels.pack(300)).isFalse();
        byte[] byScalarLoops = packed();
        assertThat(tasks).isEmpty();
        takesOver(() -> VectorKernels.convert(400));
        assertThat(VectorKernels.pack(1)).isEqualTo(VectorKernels.AVAILABLE);
        assertThat(packed()).isEqualTo(byScalarLoops);
    }

    @Test
    void kernels_of_reads_take_over() {
        assumeTrue(KernelSelection.VECTOR, "there are no vectors here");
        assertThat(QueryVectors.run(1)).as("of a process without a store").isTrue();
        KernelSelection.readVectorsLate(tasks::add);
        assertThat(QueryVectors.run(QueryVectors.LATE_VALUES - 1)).isFalse();
        assertThat(tasks).isEmpty();
        takesOver(() -> QueryVectors.run(1));
    }

    /** Few values: kernels do not take over after them. */
    private static byte[] packed() {
        long[] values = new Random(21).longs(64, 0, 1 << 11).toArray();
        byte[] out = new byte[64 * 11 / 8 + BitPacking.PACK_SLACK];
        BitPacking.pack(values, 0, 64, 0, 11, out, 0);
        return Arrays.copyOf(out, 64 * 11 / 8);
    }

    private void takesOver(BooleanSupplier kernel) {
        assertThat(kernel.getAsBoolean()).isFalse();
        assertThat(tasks).hasSize(1);
        tasks.removeFirst().run();
        assertThat(kernel.getAsBoolean()).isTrue();
    }
}
