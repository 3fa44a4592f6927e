package dev.penstock.kv.region;

import dev.penstock.kv.storage.SegmentFile;

/** What a prepared load would add to a region, open until it is released. */
record PreparedLayer(String loadId, Layer layer) {
    void release() {
        layer.segments().forEach(SegmentFile::release);
    }
}
