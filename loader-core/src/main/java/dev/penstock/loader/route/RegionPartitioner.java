package dev.penstock.loader.route;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.RegionMap;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Brings rows in any order together by region, keeping their order within each: for loads that
 * leave sorting to the server. A key and a binary search per row, a counting sort, one gather per
 * column. Owned by one thread.
 */
public final class RegionPartitioner {
    private final KeyCodec codec;
    private final byte[][] starts;
    private final int[] bounds;
    private final ByteBuilder probe = new ByteBuilder(64);
    private final ColumnBatch gathered;
    private int[] regionOfRow = new int[0];
    private int[] order = new int[0];
    private boolean moved;

    public RegionPartitioner(TableSchema schema, RegionMap regions) {
        codec = new KeyCodec(schema);
        starts = regions.starts().toArray(byte[][]::new);
        bounds = new int[starts.length + 1];
        gathered = ColumnBatch.forColumns(schema.columns(), 0);
    }

    /**
     * The rows by region: rows of region i are {@code [bounds()[i], bounds()[i + 1])} of the
     * result, which is valid until the next call and may be {@code batch} itself.
     */
    public ColumnBatch run(ColumnBatch batch) {
        int rowCount = batch.rowCount();
        Arrays.fill(bounds, 0);
        if (starts.length == 1) {
            bounds[1] = rowCount;
            moved = false;
            return batch;
        }
        if (order.length < rowCount) {
            order = new int[rowCount];
            regionOfRow = new int[rowCount];
        }
        for (int row = 0; row < rowCount; row++) {
            probe.clear();
            codec.encode(batch, row, probe);
            int region = regionOf(probe.array(), probe.length());
            regionOfRow[row] = region;
            bounds[region + 1]++;
        }
        for (int i = 1; i < bounds.length; i++) {
            bounds[i] += bounds[i - 1];
        }
        int[] next = bounds.clone();
        for (int row = 0; row < rowCount; row++) {
            order[next[regionOfRow[row]]++] = row;
        }
        moved = true;
        RowGather.gather(batch, order, 0, rowCount, gathered);
        return gathered;
    }

    /** For each row of the last result its row in the batch; null if they are the same. */
    public int @Nullable [] order() {
        return moved ? order : null;
    }

    public int[] bounds() {
        return bounds;
    }

    private int regionOf(byte[] key, int length) {
        int low = 0;
        int high = starts.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            byte[] start = starts[middle];
            if (Arrays.compareUnsigned(start, 0, start.length, key, 0, length) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
