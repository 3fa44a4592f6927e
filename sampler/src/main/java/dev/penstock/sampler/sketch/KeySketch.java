package dev.penstock.sampler.sketch;

import dev.penstock.bytes.ByteBuilder;

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
    /** Keys kept exactly; at 16 bytes a key about 7 MB. */
    static final int EXACT_KEYS = 1 << 18;

    private static final long MAX_EXACT_BYTES = 64 << 20;

    /** Of the heap, for keys that are kept exactly. */
    private static final int HEAP_PART = 16;

    private static final int K = 8192;

    /** Made when it is needed: loading the library takes longer than most samples. */
    private @Nullable KllItemsSketch<byte[]> sketch;

    private final long maxExactBytes;
    private ByteBuilder bytes = new ByteBuilder(1 << 16);
    private int[] ends = new int[1 << 12];
    private long[] weights = new long[1 << 12];
    private int count;
    private long exactWeight;

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

    /** Adds one key, {@code source[from, to)}, with a small weight. */
    public void add(byte[] source, int from, int to, int weight) {
        KllItemsSketch<byte[]> large = sketch;
        if (large != null) {
            update(large, Arrays.copyOfRange(source, from, to), weight);
            return;
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            weights = Arrays.copyOf(weights, 2 * count);
        }
        bytes.write(source, from, to - from);
        ends[count] = bytes.length();
        weights[count++] = weight;
        exactWeight += weight;
        if (count > EXACT_KEYS || bytes.length() > maxExactBytes) {
            sketch = sketchOfAll();
        }
    }

    /**
     * Adds keys that lie one after another.
     *
     * @param source key i is {@code source[newEnds[i - 1] .. newEnds[i])}, the first from 0 on
     * @param newWeights of each of the first {@code newCount} keys
     */
    public void addAll(byte[] source, int[] newEnds, int[] newWeights, int newCount) {
        int length = newCount == 0 ? 0 : newEnds[newCount - 1];
        if (sketch != null
                || count + newCount > EXACT_KEYS
                || (long) bytes.length() + length > maxExactBytes) {
            int from = 0;
            for (int i = 0; i < newCount; i++) {
                add(source, from, newEnds[i], newWeights[i]);
                from = newEnds[i];
            }
            return;
        }
        if (count + newCount > ends.length) {
            int room = Math.max(count + newCount, 2 * count);
            ends = Arrays.copyOf(ends, room);
            weights = Arrays.copyOf(weights, room);
        }
        int base = bytes.length();
        bytes.write(source, 0, length);
        for (int i = 0; i < newCount; i++) {
            ends[count + i] = base + newEnds[i];
            weights[count + i] = newWeights[i];
            exactWeight += newWeights[i];
        }
        count += newCount;
    }

    private KllItemsSketch<byte[]> sketchOfAll() {
        KllItemsSketch<byte[]> large =
                KllItemsSketch.newHeapInstance(K, Arrays::compareUnsigned, new KeyBytesSerDe());
        int from = 0;
        for (int i = 0; i < count; i++) {
            update(large, Arrays.copyOfRange(bytes.array(), from, ends[i]), weights[i]);
            from = ends[i];
        }
        bytes = new ByteBuilder(0);
        ends = new int[0];
        weights = new long[0];
        count = 0;
        return large;
    }

    /** Bytes of the arrays for keys that are kept exactly. */
    long exactRoomBytes() {
        return bytes.array().length
                + (long) Integer.BYTES * ends.length
                + (long) Long.BYTES * weights.length;
    }

    private static void update(KllItemsSketch<byte[]> sketch, byte[] key, long weight) {
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
        return large != null ? large.getN() : exactWeight;
    }

    /** Largest error of a key range's share of the whole, 99 % confidence; 0 while exact. */
    public double shareError() {
        KllItemsSketch<byte[]> large = sketch;
        return large != null && large.isEstimationMode() ? large.getNormalizedRankError(true) : 0;
    }

    /** The retained keys. */
    public SortedKeys keys() {
        KllItemsSketch<byte[]> large = sketch;
        return large == null
                ? SortedKeys.of(bytes.array(), ends, weights, count)
                : sketchedKeys(large.getSortedView());
    }

    private static SortedKeys sketchedKeys(ItemsSketchSortedView<byte[]> view) {
        byte[][] items = view.getQuantiles();
        long[] itemWeights = view.getCumulativeWeights().clone();
        ByteBuilder itemBytes = new ByteBuilder(16 * items.length);
        int[] itemEnds = new int[items.length];
        for (int i = 0; i < items.length; i++) {
            itemBytes.write(items[i], 0, items[i].length);
            itemEnds[i] = itemBytes.length();
        }
        for (int i = items.length - 1; i > 0; i--) {
            itemWeights[i] -= itemWeights[i - 1];
        }
        return SortedKeys.of(itemBytes.array(), itemEnds, itemWeights, items.length);
    }
}
