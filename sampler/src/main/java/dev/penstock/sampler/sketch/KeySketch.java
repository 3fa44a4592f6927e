package dev.penstock.sampler.sketch;

import dev.penstock.bytes.ByteAccess;

import org.apache.datasketches.kll.KllItemsSketch;
import org.apache.datasketches.quantilescommon.ItemsSketchSortedView;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The distribution of encoded keys in bounded space.
 *
 * <p>Two phases. The first {@value #EXACT_KEYS} keys are kept as they come, so that samples of the
 * usual size have no sketch error and the same sample always gives the same split points (a sketch
 * tosses coins). One key more, and all of them move into a KLL sketch whose items are key bytes in
 * unsigned order: with k = 8192 the share of any key range is off by at most 0.05 % of the whole
 * with 99 % confidence (2.446 / k^0.9433), which for 12 regions is 0.6 % of a region; about 28,000
 * keys are retained then. Owned by one thread.
 */
public final class KeySketch {
    /** Keys kept exactly; at 16 bytes a key about 9 MB. */
    static final int EXACT_KEYS = 1 << 18;

    private static final long MAX_EXACT_BYTES = 64 << 20;

    /** Of the heap, for keys that are kept exactly. */
    private static final int HEAP_PART = 16;

    private static final int FIRST_KEYS = 1 << 12;
    private static final int K = 8192;

    /** A key with more weight is put into the sketch's levels, instead of so many times below. */
    private static final int MAX_REPEATED = 16;

    /** Made when it is needed: loading the library takes longer than most samples. */
    private @Nullable KllItemsSketch<byte[]> sketch;

    private final long maxExactBytes;

    /** All keys, as long as there is no {@link #sketch}. */
    private KeyRuns exact = new KeyRuns(FIRST_KEYS);

    /** With room for keys that fits this process's heap. */
    public KeySketch() {
        this(maxExactBytes(Runtime.getRuntime().maxMemory()));
    }

    /**
     * @param maxExactBytes most bytes of keys that are kept as they come
     */
    KeySketch(long maxExactBytes) {
        this.maxExactBytes = maxExactBytes;
    }

    /** Most bytes of keys to keep exactly, once, with a heap of so many bytes. */
    public static long maxExactBytes(long heapBytes) {
        return Math.min(MAX_EXACT_BYTES, heapBytes / HEAP_PART);
    }

    /** Adds one key, {@code source[from, to)}, with a weight. */
    public void add(byte[] source, int from, int to, int weight) {
        KllItemsSketch<byte[]> large = sketch;
        if (large != null) {
            update(large, Arrays.copyOfRange(source, from, to), weight);
            return;
        }
        exact.add(source, from, to, weight);
        if (exact.count() > EXACT_KEYS || exact.keyBytes() > maxExactBytes) {
            sketch = sketchOfAll();
        }
    }

    /**
     * Adds keys [from, to) of those that lie one after another.
     *
     * @param source key i is {@code source[ends[i - 1] .. ends[i])}, the first from 0 on
     * @param weights of each
     * @return whether none of them is less than the one before it
     */
    public boolean addAll(byte[] source, int[] ends, int[] weights, int from, int to) {
        int start = from == 0 ? 0 : ends[from - 1];
        int end = to == 0 ? 0 : ends[to - 1];
        if (sketch == null
                && exact.count() + (to - from) <= EXACT_KEYS
                && exact.keyBytes() + (end - start) <= maxExactBytes) {
            return exact.addAll(source, ends, weights, from, to);
        }
        boolean ascending = true;
        int before = start;
        for (int i = from; i < to; i++) {
            add(source, start, ends[i], weights[i]);
            ascending &= ByteAccess.compare(source, before, start, source, start, ends[i]) <= 0;
            before = start;
            start = ends[i];
        }
        return ascending;
    }

    private KllItemsSketch<byte[]> sketchOfAll() {
        KllItemsSketch<byte[]> large =
                KllItemsSketch.newHeapInstance(K, Arrays::compareUnsigned, new KeyBytesSerDe());
        for (int i = 0; i < exact.count(); i++) {
            update(large, exact.key(i), exact.weight(i));
        }
        exact = new KeyRuns(0);
        return large;
    }

    /** Bytes of the arrays for keys that are kept exactly. */
    long exactRoomBytes() {
        return exact.roomBytes();
    }

    private static void update(KllItemsSketch<byte[]> sketch, byte[] key, long weight) {
        if (weight > MAX_REPEATED) {
            sketch.update(key, weight);
            return;
        }
        for (long i = 0; i < weight; i++) {
            sketch.update(key);
        }
    }

    public boolean isEmpty() {
        return totalWeight() == 0;
    }

    /** Sum of all weights. */
    public long totalWeight() {
        KllItemsSketch<byte[]> large = sketch;
        return large != null ? large.getN() : exact.totalWeight();
    }

    /** Largest error of a key range's share of the whole, 99 % confidence; 0 while exact. */
    public double shareError() {
        KllItemsSketch<byte[]> large = sketch;
        return large != null && large.isEstimationMode() ? large.getNormalizedRankError(true) : 0;
    }

    /** The retained keys; nothing may be added any more. */
    public SortedKeys keys() {
        KllItemsSketch<byte[]> large = sketch;
        return new SortedKeys(large == null ? exact : retained(large.getSortedView()));
    }

    private static KeyRuns retained(ItemsSketchSortedView<byte[]> view) {
        byte[][] items = view.getQuantiles();
        long[] upTo = view.getCumulativeWeights();
        KeyRuns keys = new KeyRuns(items.length);
        for (int i = 0; i < items.length; i++) {
            long weight = i == 0 ? upTo[0] : upTo[i] - upTo[i - 1];
            keys.add(items[i], 0, items[i].length, Math.toIntExact(weight));
        }
        return keys;
    }
}
