package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Vector kernels that are postponed take over late, and keep nobody waiting. */
final class LateKernelsTest {
    private static final int FIRST = 1000;

    private final List<String> events = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private final LateKernels kernels = new LateKernels(true, () -> events.add("rehearsed"));

    @Test
    void kernels_run_from_the_start_unless_they_are_postponed() {
        assertThat(kernels.run(1)).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void kernels_take_over_once_they_have_been_rehearsed_beside() {
        kernels.postpone(FIRST, tasks::add);
        assertThat(kernels.run(FIRST - 1)).isFalse();
        assertThat(tasks).isEmpty();
        assertThat(kernels.run(1)).isFalse();
        assertThat(kernels.run(FIRST)).as("not ready yet").isFalse();
        assertThat(tasks).hasSize(1);
        assertThat(events).isEmpty();

        tasks.getFirst().run();
        assertThat(events).containsExactly("rehearsed");
        assertThat(kernels.run(1)).isTrue();
    }

    @Test
    void kernels_are_postponed_once() {
        kernels.postpone(FIRST, tasks::add);
        kernels.postpone(2 * FIRST, task -> events.add("another"));
        kernels.run(FIRST);
        tasks.getFirst().run();
        kernels.postpone(FIRST, tasks::add);
        assertThat(kernels.run(1)).isTrue();
        assertThat(events).containsExactly("rehearsed");
    }

    @Test
    void without_a_thread_scalar_loops_go_on_and_ask_again() {
        boolean[] threads = {false};
        Consumer<Runnable> background =
                task -> {
                    if (!threads[0]) {
                        throw new OutOfMemoryError("no more threads");
                    }
                    tasks.add(task);
                };
        kernels.postpone(FIRST, background);
        assertThat(kernels.run(FIRST)).isFalse();
        threads[0] = true;
        assertThat(kernels.run(FIRST - 1)).isFalse();
        assertThat(tasks).isEmpty();
        assertThat(kernels.run(1)).isFalse();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void kernels_that_a_process_does_not_have_never_run() {
        LateKernels none = new LateKernels(false, () -> events.add("rehearsed"));
        assertThat(none.run(1)).isFalse();
        none.postpone(1, tasks::add);
        assertThat(none.run(FIRST)).isFalse();
        assertThat(tasks).isEmpty();
    }
}
