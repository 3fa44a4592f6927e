package dev.penstock.bench.endtoend;

import dev.penstock.bench.contender.Contender;

import java.util.Arrays;
import java.util.List;

/**
 * One contender's runs.
 *
 * @param version of the engine
 * @param textBytes of the file it loaded
 * @param runs in the order they ran, at least one
 */
record Result(
        String name,
        String description,
        String version,
        long textBytes,
        List<Contender.Loaded> runs) {
    Result {
        runs = List.copyOf(runs);
    }

    double[] seconds() {
        return runs.stream().mapToDouble(run -> run.span().seconds()).toArray();
    }

    double median() {
        return median(seconds());
    }

    double min() {
        return runs.stream().mapToDouble(run -> run.span().seconds()).min().orElseThrow();
    }

    double max() {
        return runs.stream().mapToDouble(run -> run.span().seconds()).max().orElseThrow();
    }

    /** Median of the CPU seconds, NaN if unknown. */
    double cpuSeconds() {
        return median(runs.stream().mapToDouble(run -> run.span().cpuSeconds()).toArray());
    }

    /** After the last run. */
    long storedBytes() {
        return runs.getLast().storedBytes();
    }

    long rows() {
        return runs.getLast().rows();
    }

    double speed() {
        return speedOf(median());
    }

    /** Megabytes (10^6 bytes) of text per second of a run that took so long. */
    double speedOf(double seconds) {
        return textBytes / 1e6 / seconds;
    }

    private static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
