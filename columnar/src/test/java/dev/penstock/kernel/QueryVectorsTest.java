package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads of a store begin with scalar loops, and get vector kernels once these are compiled. One
 * test, as vectors can be postponed once in a process.
 */
final class QueryVectorsTest {
    private final List<Runnable> tasks = new ArrayList<>();

    @AfterEach
    void finish() {
        tasks.forEach(Runnable::run);
    }

    @Test
    void vector_kernels_take_over_after_they_have_been_run_beside() {
        assumeTrue(KernelSelection.VECTOR, "there are no vectors here");
        assertThat(QueryVectors.run(1)).as("of a process without a store").isTrue();

        boolean[] threads = {false};
        KernelSelection.readVectorsLate(task -> {
            if (!threads[0]) {
                throw new OutOfMemoryError("no more threads");
            }
            tasks.add(task);
        });
        assertThat(QueryVectors.run(QueryVectors.LATE_VALUES)).as("no thread").isFalse();

        threads[0] = true;
        assertThat(QueryVectors.run(QueryVectors.LATE_VALUES - 1)).isFalse();
        assertThat(tasks).isEmpty();
        assertThat(QueryVectors.run(1)).isFalse();
        assertThat(QueryVectors.run(QueryVectors.LATE_VALUES)).as("not ready yet").isFalse();
        assertThat(tasks).hasSize(1);

        tasks.removeFirst().run();
        assertThat(QueryVectors.run(1)).isTrue();
    }
}
