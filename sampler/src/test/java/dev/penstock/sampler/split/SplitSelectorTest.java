package dev.penstock.sampler.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.sampler.sketch.KeySketch;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class SplitSelectorTest {
    private final Random random = new Random(23);

    /** The rule, key by key: a region ends where it is closest to its share of what remains. */
    @Test
    void withoutHeavyKeysRegionsEndWhereTheyAreClosestToTheirShares() {
        for (int round = 0; round < 500; round++) {
            int count = 50 + random.nextInt(400);
            int regions = 1 + random.nextInt(12);
            int most = 1 + random.nextInt(4);
            long[] weights = new long[count];
            KeySketch sketch = new KeySketch();
            byte[] key = new byte[8];
            for (int i = 0; i < count; i++) {
                int weight = 1 + random.nextInt(most);
                weights[i] = weight;
                ByteAccess.putLongBigEndian(key, 0, i);
                sketch.add(key, 0, 8, weight);
            }
            assertThat(places(SplitSelector.choose(sketch, regions)))
                    .isEqualTo(expected(weights, regions));
        }
    }

    @Test
    void aHeavyKeyHasARegionOfItsOwn() {
        KeySketch sketch = new KeySketch();
        byte[] key = new byte[8];
        for (int i = 0; i < 100; i++) {
            ByteAccess.putLongBigEndian(key, 0, i);
            sketch.add(key, 0, 8, i == 50 ? 1000 : 1);
        }
        assertThat(places(SplitSelector.choose(sketch, 4))).containsExactly(33L, 50L, 51L);
    }

    @Test
    void fewKeysBetweenHeavyOnesTakeNoRegionsFromThem() {
        long[] weights = new long[11 * 6 + 5];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = i % 6 == 5 ? 1000 : 2;
        }
        assertThat(heaviest(weights, places(SplitSelector.choose(sketch(weights), 12))))
                .isBetween(1000L, 1010L);
        assertThat(heaviest(weights, places(SplitSelector.choose(sketch(weights), 30))))
                .isEqualTo(1000);
    }

    @Test
    void theHeaviestRegionIsNotMuchHeavierThanItMustBe() {
        for (int round = 0; round < 500; round++) {
            int regions = 2 + random.nextInt(14);
            int heavy = 1 + random.nextInt(regions);
            long[] weights = new long[50 + random.nextInt(200)];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = 1L + random.nextInt(4);
            }
            for (int i = 0; i < heavy; i++) {
                weights[random.nextInt(weights.length)] = 20L + random.nextInt(300);
            }
            long heaviest =
                    heaviest(weights, places(SplitSelector.choose(sketch(weights), regions)));
            double ratio = (double) heaviest / leastHeaviest(weights, regions);
            assertThat(ratio).as("round %s", round).isLessThan(1.6);
        }
    }

    @Test
    void bordersThatAreThereAlreadyAreAmongThoseOfTheRegions() {
        long[] weights = new long[1_000];
        Arrays.fill(weights, 2);
        for (List<Long> borders : List.of(List.of(100L, 150L, 700L), List.of(998L, 2_000L))) {
            List<Long> points = places(SplitSelector.choose(sketch(weights), 10, keys(borders)));
            assertThat(points).hasSize(9 - borders.size()).doesNotContainAnyElementsOf(borders);
            assertThat(points).isSorted().doesNotContain(0L);
            points = new ArrayList<>(points);
            points.addAll(borders);
            assertThat(heaviest(weights, points)).isLessThan(2_000 * 14 / 100);
        }
    }

    @Test
    void aFrequentKeyBetweenBordersTakesNoRegionsFromTheOthers() {
        long[] weights = new long[100];
        Arrays.fill(weights, 4);
        weights[20] = 400;
        List<Long> points =
                new ArrayList<>(
                        places(SplitSelector.choose(sketch(weights), 9, keys(List.of(50L)))));
        points.add(50L);
        assertThat(points).hasSize(8).contains(20L, 21L);
        weights[20] = 0;
        assertThat(heaviest(weights, points)).isLessThanOrEqualTo(80);
    }

    private static List<byte[]> keys(List<Long> places) {
        return places.stream()
                .map(place -> {
                    byte[] key = new byte[8];
                    ByteAccess.putLongBigEndian(key, 0, place);
                    return key;
                })
                .toList();
    }

    @Test
    void fewerKeysThanRegionsGiveFewerSplitPoints() {
        KeySketch sketch = new KeySketch();
        assertThat(SplitSelector.choose(sketch, 4)).isEmpty();
        byte[] key = new byte[8];
        for (int i = 0; i < 3; i++) {
            ByteAccess.putLongBigEndian(key, 0, i);
            sketch.add(key, 0, 8, 2);
        }
        assertThat(places(SplitSelector.choose(sketch, 10))).containsExactly(1L, 2L);
        assertThat(SplitSelector.choose(sketch, 1)).isEmpty();
    }

    private static List<Long> expected(long[] weights, int regions) {
        double left = 0;
        for (long weight : weights) {
            left += weight;
        }
        List<Long> points = new ArrayList<>();
        double current = 0;
        for (int i = 0; i < weights.length; i++) {
            int regionsLeft = regions - points.size();
            double share = left / regionsLeft;
            boolean closer = Math.abs(share - current) <= Math.abs(current + weights[i] - share);
            if (regionsLeft > 1 && current > 0 && closer) {
                points.add((long) i);
                left -= current;
                current = 0;
            }
            current += weights[i];
        }
        return points;
    }

    private static KeySketch sketch(long[] weights) {
        KeySketch sketch = new KeySketch();
        byte[] key = new byte[8];
        for (int i = 0; i < weights.length; i++) {
            ByteAccess.putLongBigEndian(key, 0, i);
            sketch.add(key, 0, 8, (int) weights[i]);
        }
        return sketch;
    }

    private static long heaviest(long[] weights, List<Long> points) {
        long heaviest = 0;
        long current = 0;
        for (int i = 0; i < weights.length; i++) {
            current = points.contains((long) i) ? weights[i] : current + weights[i];
            heaviest = Math.max(heaviest, current);
        }
        return heaviest;
    }

    /** What the heaviest region has if it is as light as can be. */
    private static long leastHeaviest(long[] weights, int regions) {
        for (long most = Arrays.stream(weights).max().orElse(0); ; most++) {
            int used = 1;
            long current = 0;
            for (long weight : weights) {
                used += current + weight > most ? 1 : 0;
                current = current + weight > most ? weight : current + weight;
            }
            if (used <= regions) {
                return most;
            }
        }
    }

    private static List<Long> places(List<byte[]> keys) {
        return keys.stream().map(key -> ByteAccess.getLongBigEndian(key, 0)).toList();
    }
}
