package dev.penstock.kv.compact;

import dev.penstock.kv.region.FlushSchema;
import dev.penstock.kv.region.Layer;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.kv.storage.SegmentOutput;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.DuplicatePolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Merges layers of one region at a time. The new files are written beside the old ones; one record
 * in the manifest exchanges them; readers that have begun keep the old ones until they are done. A
 * stop at any point leaves either state. Called by one thread.
 */
public final class Compactor {
    private final Duration retention;

    /**
     * @param retention how long readers may stay at an epoch that is no longer the latest
     */
    public Compactor(Duration retention) {
        this.retention = retention;
    }

    /** Merges once if the region has too many layers; false if there was nothing to do. */
    public boolean compact(Region region) {
        try (Region.LayerLease lease = region.leaseLayers()) {
            List<LayerDescriptor> all = lease.layers().stream().map(Layer::descriptor).toList();
            List<LayerDescriptor> chosen =
                    CompactionSelector.select(all, region.context().clock().instant(), retention);
            if (chosen.isEmpty()) {
                return false;
            }
            boolean bottom = chosen.getLast().sequence() == all.getLast().sequence();
            Set<Long> sequences = new HashSet<>();
            chosen.forEach(layer -> sequences.add(layer.sequence()));
            List<Layer> inputs =
                    lease.layers().stream()
                            .filter(layer -> sequences.contains(layer.descriptor().sequence()))
                            .toList();
            region.context().mergePermits().acquireUninterruptibly();
            try {
                merge(region, inputs, bottom);
            } finally {
                region.context().mergePermits().release();
            }
            return true;
        }
    }

    private static void merge(Region region, List<Layer> inputs, boolean bottom) {
        TableSchema schema = region.descriptor().schema();
        boolean anyTombstones = inputs.stream().anyMatch(layer -> layer.descriptor().tombstones());
        boolean keepTombstones = anyTombstones && !bottom;
        MergeLimits limits =
                anyTombstones && bottom
                        ? MergeLimits.DEFAULT.withDropDeletedColumn(schema.columnCount())
                        : MergeLimits.DEFAULT;
        long sequence = region.newSequence();
        SegmentIdentity identity = new SegmentIdentity(region.descriptor().regionId(), sequence, 0);
        SegmentOutput output =
                new SegmentOutput(
                        region.context().storage(),
                        region.files(),
                        region.files().layerPrefix(sequence));
        LayerDescriptor merged;
        try {
            new Merge(keepTombstones ? FlushSchema.of(schema) : schema, limits)
                    .run(runs(inputs), DuplicatePolicy.KEEP_LAST, identity, output);
            merged = descriptor(inputs, sequence, keepTombstones, identity, output.finish());
        } catch (RuntimeException | Error e) {
            output.discard();
            throw e;
        }
        // If this fails, the region knows whether its manifest may name the files.
        List<Long> replaced = inputs.stream().map(layer -> layer.descriptor().sequence()).toList();
        if (!region.replaceLayers(replaced, merged)) {
            output.discard();
        }
    }

    /** The older a layer, the earlier its rows; the newest layer's row of a key stays. */
    private static List<Merge.Run> runs(List<Layer> newestFirst) {
        List<Merge.Run> runs = new ArrayList<>();
        long priority = 0;
        for (Layer layer : newestFirst.reversed()) {
            for (SegmentFile segment : layer.segments()) {
                runs.add(new Merge.Run(segment.reader(), priority));
            }
            priority++;
        }
        return runs;
    }

    private static LayerDescriptor descriptor(
            List<Layer> inputs,
            long sequence,
            boolean tombstones,
            SegmentIdentity identity,
            List<SegmentDescriptor> segments) {
        long epoch = 0;
        long installedMillis = 0;
        for (Layer layer : inputs) {
            epoch = Math.max(epoch, layer.descriptor().epoch());
            installedMillis = Math.max(installedMillis, layer.descriptor().installedMillis());
        }
        return new LayerDescriptor(
                sequence, epoch, installedMillis, true, tombstones, identity, segments);
    }
}
