package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Cuts a batch in key order into one slice per region: a binary search for each region's start, so
 * the cost is regions × log(rows) keys, whatever the number of rows. Owned by one thread.
 */
public final class RegionSlices {
    private final KeyCodec codec;
    private final byte[][] starts;
    private final int[] bounds;
    private final ByteBuilder probe = new ByteBuilder(64);

    /**
     * @param regionStarts the first key of each region, in order
     */
    public RegionSlices(TableSchema schema, List<byte[]> regionStarts) {
        codec = new KeyCodec(schema);
        starts = regionStarts.toArray(byte[][]::new);
        bounds = new int[starts.length + 1];
    }

    /**
     * Rows of region i are {@code [result[i], result[i + 1])}. The array is valid until the next
     * call.
     */
    public int[] of(ColumnBatch sorted) {
        return of(sorted, null);
    }

    /** The same of rows whose order is {@code order}, or that are in order if that is null. */
    public int[] of(ColumnBatch batch, int @Nullable [] order) {
        int rowCount = batch.rowCount();
        int from = 0;
        for (int region = 1; region < starts.length; region++) {
            from = lowerBound(batch, order, starts[region], from, rowCount);
            bounds[region] = from;
        }
        bounds[starts.length] = rowCount;
        return bounds;
    }

    private int lowerBound(ColumnBatch batch, int @Nullable [] rows, byte[] key, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            probe.clear();
            codec.encode(batch, rows == null ? middle : rows[middle], probe);
            int order =
                    Arrays.compareUnsigned(probe.array(), 0, probe.length(), key, 0, key.length);
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
