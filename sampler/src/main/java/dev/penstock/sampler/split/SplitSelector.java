package dev.penstock.sampler.split;

import dev.penstock.sampler.sketch.KeySketch;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses split points so that the regions carry equal weight.
 *
 * <p>Walks the retained keys once, closing a region at the key where its weight comes closest to
 * what remains, divided by the regions that remain. For keys without heavy duplicates that is the
 * i/n quantile. A key too heavy for one region gets a region of its own, and what remains is
 * divided evenly again, so that one heavy key does not make its neighbours small. With fewer
 * distinct keys than regions there are fewer split points than asked for.
 */
public final class SplitSelector {
    private SplitSelector() {}

    /** At most {@code regionCount - 1} keys, ascending and distinct. */
    public static List<byte[]> choose(KeySketch sketch, int regionCount) {
        List<byte[]> points = new ArrayList<>();
        long remaining = sketch.totalWeight();
        long current = 0;
        int regionsLeft = regionCount;
        for (KeySketch.WeightedKey item : sketch.keys()) {
            if (regionsLeft > 1 && current > 0) {
                double share = (double) remaining / regionsLeft;
                double before = Math.abs(share - current);
                double after = Math.abs(current + item.weight() - share);
                if (before <= after) {
                    points.add(item.key());
                    remaining -= current;
                    current = 0;
                    regionsLeft--;
                }
            }
            current += item.weight();
        }
        return points;
    }
}
