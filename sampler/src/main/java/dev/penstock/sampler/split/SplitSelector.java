package dev.penstock.sampler.split;

import dev.penstock.sampler.sketch.KeySketch;
import dev.penstock.sampler.sketch.SortedKeys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses split points so that the regions carry equal weight.
 *
 * <p>A key heavier than an even share gets a region of its own, and what remains is divided evenly
 * over the regions that remain (found by repeating: taking heavy keys out makes the share smaller).
 * Then one walk over the retained keys closes a region where its weight comes closest to what
 * remains of the light keys, divided by the regions that remain for them; without heavy keys that
 * is the i/n quantile. Light keys between heavy ones go to the region of the next heavy key where a
 * region of their own would cost the other light keys more. With fewer distinct keys than regions
 * there are fewer split points than asked for.
 */
public final class SplitSelector {
    private final SortedKeys keys;
    private final List<byte[]> points = new ArrayList<>();
    private double heavy;
    private double lightWeight;
    private int lightRegions;
    private double current;

    private SplitSelector(SortedKeys keys, int regionCount) {
        this.keys = keys;
        findHeavy(regionCount);
    }

    /** At most {@code regionCount - 1} keys, ascending and distinct. */
    public static List<byte[]> choose(KeySketch sketch, int regionCount) {
        SplitSelector selector = new SplitSelector(sketch.keys(), regionCount);
        if (selector.keys.maxWeight() < selector.heavy) {
            selector.leap(regionCount);
        } else {
            selector.walk(regionCount);
        }
        return selector.points;
    }

    /**
     * Split points that make so many regions together with borders that are there already. Each
     * region between those is divided into a number by its weight, in which a key heavier than an
     * even share counts as one.
     *
     * @param borders ascending
     */
    public static List<byte[]> choose(KeySketch sketch, int regionCount, List<byte[]> borders) {
        SortedKeys keys = sketch.keys();
        int parts = borders.size() + 1;
        double share = (double) keys.totalWeight() / Math.max(1, regionCount);
        double[] weights = new double[parts];
        List<KeySketch> sketches = new ArrayList<>();
        int next = 0;
        for (int part = 0; part < parts; part++) {
            KeySketch own = new KeySketch();
            for (; next < keys.size(); next++) {
                byte[] key = keys.key(next);
                if (part < borders.size() && Arrays.compareUnsigned(key, borders.get(part)) >= 0) {
                    break;
                }
                long weight = keys.weight(next);
                own.add(key, 0, key.length, (int) Math.min(weight, Integer.MAX_VALUE));
                weights[part] += Math.min((double) weight, share);
            }
            sketches.add(own);
        }
        int[] counts = counts(weights, regionCount);
        List<byte[]> points = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            points.addAll(choose(sketches.get(part), counts[part]));
        }
        return points;
    }

    /** Shares regions out to parts, each of which has at least one, so that none has much more. */
    private static int[] counts(double[] weights, int regionCount) {
        int[] counts = new int[weights.length];
        Arrays.fill(counts, 1);
        for (int left = regionCount - counts.length; left > 0; left--) {
            int most = 0;
            for (int part = 1; part < counts.length; part++) {
                if (weights[part] / counts[part] > weights[most] / counts[most]) {
                    most = part;
                }
            }
            counts[most]++;
        }
        return counts;
    }

    /** What {@link #walk} does if no key is heavy, without a look at each key. */
    private void leap(int regionCount) {
        int first = 0;
        while (points.size() < regionCount - 1 && lightRegions > 1) {
            int low = first + 1;
            int high = keys.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                current = keys.weightBefore(middle) - keys.weightBefore(first);
                if (closesRegion(keys.weight(middle))) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            if (low >= keys.size()) {
                return;
            }
            points.add(keys.key(low));
            lightWeight -= keys.weightBefore(low) - keys.weightBefore(first);
            lightRegions--;
            first = low;
        }
    }

    /** Finds the weight from which on a key is heavy. */
    private void findHeavy(int regionCount) {
        lightWeight = keys.totalWeight();
        lightRegions = Math.max(1, regionCount);
        heavy = lightWeight / lightRegions;
        double heavyBefore = heavy;
        int countBefore = 0;
        while (keys.maxWeight() >= heavy) {
            int count = 0;
            double light = 0;
            for (int i = 0; i < keys.size(); i++) {
                if (keys.weight(i) >= heavy) {
                    count++;
                } else {
                    light += keys.weight(i);
                }
            }
            if (count >= regionCount) {
                // Nor may they be so many that nothing is left for the others.
                heavy = heavyBefore;
                return;
            }
            lightWeight = light;
            if (count == countBefore) {
                return;
            }
            countBefore = count;
            heavyBefore = heavy;
            lightRegions = Math.max(1, regionCount - count);
            heavy = Math.min(heavy, lightWeight / lightRegions);
        }
    }

    private void walk(int regionCount) {
        boolean afterHeavy = false;
        for (int i = 0; i < keys.size(); i++) {
            long weight = keys.weight(i);
            boolean isHeavy = weight >= heavy;
            boolean borders = afterHeavy || (isHeavy ? isApart(weight) : closesRegion(weight));
            if (borders && current > 0 && points.size() < regionCount - 1) {
                points.add(keys.key(i));
                if (!afterHeavy) {
                    lightWeight -= current;
                    lightRegions--;
                }
                current = 0;
            }
            if (isHeavy && current > 0) {
                lightWeight -= current;
            }
            current += weight;
            afterHeavy = isHeavy;
        }
    }

    /**
     * Whether the light keys before a heavy one of that weight are to be a region of their own: as
     * long as those of the other light keys will not be heavier than both together. The last one
     * that is left for light keys is kept for a run of them that is as heavy as all that follow.
     */
    private boolean isApart(long heavyWeight) {
        double rest = lightWeight - current;
        return lightRegions > 1
                ? rest / (lightRegions - 1) <= heavyWeight + current
                : lightRegions == 1 && current >= rest;
    }

    /** Whether the region is closer to its share without a key of that weight than with it. */
    private boolean closesRegion(long weight) {
        if (lightRegions <= 1) {
            return false;
        }
        double share = lightWeight / lightRegions;
        return Math.abs(share - current) <= Math.abs(current + weight - share);
    }
}
