package dev.penstock.sampler.sketch;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;
import dev.penstock.batch.Validity;
import dev.penstock.bytes.ByteAccess;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;

/**
 * Estimates how many distinct values a column has, by HyperLogLog with the HIP estimator (Shared
 * Loading, section 4.4). With 2^12 registers the standard error is 0.8326 / sqrt(4096) = 1.3 %.
 *
 * <p>Byte strings are hashed to 64 bits here, so that ranges of a column need no copy; the sketch
 * hashes that number again. Owned by one thread; NULLs are not counted.
 */
public final class DistinctEstimator {
    private static final int LOG2_REGISTERS = 12;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final HllSketch sketch = new HllSketch(LOG2_REGISTERS, TgtHllType.HLL_8);

    public void add(long value) {
        sketch.update(value);
    }

    public void add(byte[] bytes, int from, int to) {
        sketch.update(hash(bytes, from, to));
    }

    /** Adds every {@code step}th of the rows [from, to) of a column. */
    public void addAll(LongColumn column, int from, int to, int step) {
        long[] values = column.values();
        Validity validity = column.validity();
        boolean nulls = validity.hasNulls();
        long previous = 0;
        boolean any = false;
        for (int row = from; row < to; row += step) {
            long value = values[row];
            if (nulls && !validity.isValid(row) || any && value == previous) {
                continue;
            }
            sketch.update(value);
            previous = value;
            any = true;
        }
    }

    /** Adds every {@code step}th of the rows [from, to) of a column. */
    public void addAll(BytesColumn column, int from, int to, int step) {
        int[] offsets = column.offsets();
        byte[] data = column.data();
        Validity validity = column.validity();
        boolean nulls = validity.hasNulls();
        for (int row = from; row < to; row += step) {
            if (!nulls || validity.isValid(row)) {
                sketch.update(hash(data, offsets[row], offsets[row + 1]));
            }
        }
    }

    /** The estimated number of distinct values added since the last {@link #reset}. */
    public long estimate() {
        return Math.round(sketch.getEstimate());
    }

    public void reset() {
        sketch.reset();
    }

    /** A 64-bit hash of a byte range: eight bytes a step, multiply and fold. */
    static long hash(byte[] bytes, int from, int to) {
        long hash = (to - from) * MULTIPLIER;
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = fold(hash ^ ByteAccess.getLong(bytes, at));
        }
        long tail = 0;
        for (; at < to; at++) {
            tail = tail << 8 | (bytes[at] & 0xFF);
        }
        return fold(hash ^ tail ^ MULTIPLIER);
    }

    private static long fold(long value) {
        long low = value * MULTIPLIER;
        return low ^ Math.unsignedMultiplyHigh(value, MULTIPLIER) ^ (value >>> 29);
    }
}
