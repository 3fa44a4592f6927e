package dev.penstock.loader.pipeline;

import dev.penstock.target.FragmentAck;
import dev.penstock.target.RegionMap;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which columns have too many distinct values for a dictionary, per region, as far as the servers
 * have said. Only ever grows. Thread-safe; reading costs one volatile load.
 */
public final class PlainColumns {
    private final Map<Long, Integer> indexes = new HashMap<>();
    private final AtomicReferenceArray<BitSet> columns;

    public PlainColumns(RegionMap regions) {
        columns = new AtomicReferenceArray<>(regions.size());
        for (int i = 0; i < regions.size(); i++) {
            indexes.put(regions.region(i).regionId(), i);
            columns.set(i, new BitSet());
        }
    }

    public void learn(FragmentAck ack) {
        Integer index = indexes.get(ack.regionId());
        if (index == null || ack.plainColumns().isEmpty()) {
            return;
        }
        columns.updateAndGet(
                index,
                known -> {
                    BitSet more = (BitSet) known.clone();
                    more.or(ack.plainColumns());
                    return more;
                });
    }

    /** The columns known for one region; not to be changed. */
    BitSet of(int regionIndex) {
        return columns.get(regionIndex);
    }
}
