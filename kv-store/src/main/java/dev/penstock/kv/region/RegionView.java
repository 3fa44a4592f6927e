package dev.penstock.kv.region;

import dev.penstock.kv.storage.SegmentFile;

import java.util.List;

/**
 * What a region consists of between two changes: rows in memory and layers, both newest first.
 * Counted: it keeps its segment files open until the region has gone on and the last reader is
 * done.
 */
final class RegionView {
    private final List<Delta> deltas;
    private final List<Layer> layers;
    private int holders = 1;

    RegionView(List<Delta> deltas, List<Layer> layers) {
        this.deltas = List.copyOf(deltas);
        this.layers = List.copyOf(layers);
        this.layers.forEach(layer -> layer.segments().forEach(SegmentFile::retain));
    }

    List<Delta> deltas() {
        return deltas;
    }

    List<Layer> layers() {
        return layers;
    }

    synchronized void retain() {
        if (holders == 0) {
            throw new IllegalStateException("the view is closed");
        }
        holders++;
    }

    void release() {
        boolean last;
        synchronized (this) {
            holders--;
            last = holders == 0;
        }
        if (last) {
            layers.forEach(layer -> layer.segments().forEach(SegmentFile::release));
        }
    }
}
