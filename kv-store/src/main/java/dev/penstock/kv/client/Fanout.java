package dev.penstock.kv.client;

import dev.penstock.error.PenstockException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** One call to each of many regions at once. */
public final class Fanout {
    /** Most calls under way at a time. */
    private static final int MAX_PARALLEL = 64;

    private Fanout() {}

    /**
     * The results in the order of the inputs. If calls fail, all others still end before the first
     * failure is thrown.
     *
     * @param parallel most calls at a time; they run on platform threads of their own
     */
    public static <T, R> List<R> map(List<T> inputs, int parallel, Function<T, R> call) {
        int threads = Math.clamp(Math.min(parallel, inputs.size()), 1, MAX_PARALLEL);
        if (threads == 1) {
            List<R> results = new ArrayList<>(inputs.size());
            for (T input : inputs) {
                results.add(call.apply(input));
            }
            return results;
        }
        try (ExecutorService executor =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().name("penstock-fanout").daemon().factory())) {
            List<Future<R>> futures = new ArrayList<>(inputs.size());
            for (T input : inputs) {
                futures.add(executor.submit(() -> call.apply(input)));
            }
            return collect(futures);
        }
    }

    private static <R> List<R> collect(List<Future<R>> futures) {
        List<R> results = new ArrayList<>(futures.size());
        for (Future<R> future : futures) {
            try {
                results.add(future.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                futures.forEach(f -> f.cancel(true));
                throw PenstockException.io("the calls to the regions were interrupted", e);
            } catch (ExecutionException e) {
                futures.forEach(f -> f.cancel(false));
                throw e.getCause() instanceof PenstockException failure
                        ? failure
                        : new IllegalStateException(e.getCause());
            }
        }
        return results;
    }
}
