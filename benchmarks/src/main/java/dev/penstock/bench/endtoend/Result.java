package dev.penstock.bench.endtoend;

import java.util.Arrays;

/**
 * One contender's runs.
 *
 * @param seconds of each run, in the order they ran
 * @param storedBytes of the files it left, after its last run
 * @param rows it counted
 */
record Result(String name, String description, double[] seconds, long storedBytes, long rows) {
    double median() {
        double[] sorted = sorted();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    double min() {
        return sorted()[0];
    }

    double max() {
        return sorted()[seconds.length - 1];
    }

    double megabytesPerSecond(long textBytes) {
        return textBytes / 1e6 / median();
    }

    private double[] sorted() {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
