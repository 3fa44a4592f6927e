package dev.penstock.sampler.split;

import java.util.List;

/**
 * Predicts how even the regions will be, from the sample that chose them.
 *
 * <p>In the sample the regions are even by construction; in the whole they differ by the sample's
 * error. The sample consists of blocks, one from each of many equal strata of the input. If rows
 * lie in random order, the share of a region among m rows has the standard deviation sqrt(p (1 - p)
 * / m); if the input is ordered or clustered, neighbouring rows say less, but strata say more. Both
 * show in how much a region's share differs between neighbouring blocks, so the variance is taken
 * from there (successive differences): {@code sum((x[b] - x[b-1])^2) / (2 B (B - 1))}.
 *
 * <p>The largest of P regions is expected at the mean of the largest of P normal deviates, and the
 * bound at its 99 % quantile.
 */
public final class BalancePredictor {
    private static final double CONFIDENCE = 0.99;

    private BalancePredictor() {}

    /**
     * @param blockCounts for each block its sampled rows in each region
     * @param shareError error of the sketch in shares of the whole, added to the bound
     */
    public static BalanceEstimate predict(
            List<int[]> blockCounts, int regionCount, double shareError) {
        double[] share = new double[regionCount];
        double[] variance = new double[regionCount];
        long total = shares(blockCounts, share);
        if (total == 0) {
            return new BalanceEstimate(1, regionCount, 1.0 / regionCount);
        }
        int blocks = blockCounts.size();
        for (int region = 0; region < regionCount; region++) {
            double plain = share[region] * (1 - share[region]) / total;
            variance[region] =
                    blocks < 8 ? plain : successiveDifferences(blockCounts, region, total);
        }
        double middle = normalQuantile((regionCount - 0.375) / (regionCount + 0.25));
        return estimate(share, variance, middle, shareError);
    }

    /**
     * The same for regions that are equal parts of an input in the order of its keys, divided by
     * the length of its text: they differ only where rows are longer or shorter than elsewhere.
     *
     * @param densities rows in a byte of text, at places of equal distances, in order; at least one
     */
    public static BalanceEstimate predictEven(double[] densities, int regionCount) {
        double[] share = new double[regionCount];
        double[] variance = new double[regionCount];
        int places = densities.length;
        double squares = 0;
        for (int place = 1; place < places; place++) {
            double difference = densities[place] - densities[place - 1];
            squares += difference * difference;
        }
        double placeVariance = squares / (2.0 * Math.max(1, places - 1));
        double total = 0;
        for (int region = 0; region < regionCount; region++) {
            int from = (int) ((long) region * places / regionCount);
            int to = Math.max(from + 1, (int) ((region + 1L) * places / regionCount));
            for (int place = from; place < to; place++) {
                share[region] += densities[place] / (to - from);
            }
            variance[region] = placeVariance / (to - from);
            total += share[region];
        }
        for (int region = 0; region < regionCount; region++) {
            share[region] /= total;
            variance[region] /= total * total;
        }
        return estimate(share, variance, 0, 0);
    }

    /**
     * @param middle how many standard deviations more than in the sample the largest region is
     *     expected to have
     */
    private static BalanceEstimate estimate(
            double[] share, double[] variance, double middle, double shareError) {
        int regionCount = share.length;
        double expected = 1;
        double bound = 1;
        double heaviest = 0;
        double high = normalQuantile(Math.pow(CONFIDENCE, 1.0 / regionCount));
        for (int region = 0; region < regionCount; region++) {
            double deviation = Math.sqrt(variance[region]);
            heaviest = Math.max(heaviest, share[region]);
            expected = Math.max(expected, regionCount * (share[region] + middle * deviation));
            bound = Math.max(bound, regionCount * (share[region] + high * deviation + shareError));
        }
        return new BalanceEstimate(
                Math.min(expected, regionCount), Math.min(bound, regionCount), heaviest);
    }

    private static long shares(List<int[]> blockCounts, double[] share) {
        long total = 0;
        for (int[] counts : blockCounts) {
            for (int region = 0; region < share.length; region++) {
                share[region] += counts[region];
                total += counts[region];
            }
        }
        for (int region = 0; region < share.length; region++) {
            share[region] /= Math.max(1, total);
        }
        return total;
    }

    private static double successiveDifferences(List<int[]> blockCounts, int region, long total) {
        int blocks = blockCounts.size();
        double mean = (double) total / blocks;
        double sum = 0;
        for (int block = 1; block < blocks; block++) {
            double difference =
                    (blockCounts.get(block)[region] - blockCounts.get(block - 1)[region]) / mean;
            sum += difference * difference;
        }
        return sum / (2.0 * blocks * (blocks - 1));
    }

    /**
     * The quantile of the normal distribution, by the approximation of Abramowitz and Stegun
     * 26.2.23 (absolute error below 4.5e-4).
     */
    static double normalQuantile(double probability) {
        if (probability < 0.5) {
            return -normalQuantile(1 - probability);
        }
        double t = Math.sqrt(-2 * Math.log(Math.max(1e-12, 1 - probability)));
        return t
                - (2.515517 + 0.802853 * t + 0.010328 * t * t)
                        / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t);
    }
}
