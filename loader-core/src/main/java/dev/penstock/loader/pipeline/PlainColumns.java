package dev.penstock.loader.pipeline;

import dev.penstock.target.FragmentAck;
import dev.penstock.target.RegionMap;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which columns have too many distinct values for a dictionary, per region, as far as the servers
 * have said. Only ever grows. Thread-safe; reading costs one volatile load.
 */
public final class PlainColumns {
    private final Map<Long, Integer> indexes = new HashMap<>();
    private final AtomicReferenceArray<BitSet> columns;
    private final AtomicReferenceArray<@Nullable BitSet> expected;

    public PlainColumns(RegionMap regions) {
        columns = new AtomicReferenceArray<>(regions.size());
        expected = new AtomicReferenceArray<>(regions.size());
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

    /**
     * The columns that one region is expected to turn out to have: those of most regions that had
     * any when this was asked first, which is before anything is sent there. An input in key order
     * comes to one region after the other. Not to be changed.
     */
    BitSet expected(int regionIndex) {
        BitSet known = expected.get(regionIndex);
        if (known == null) {
            expected.compareAndSet(regionIndex, null, ofMost());
            known = Objects.requireNonNull(expected.get(regionIndex));
        }
        return known;
    }

    private BitSet ofMost() {
        Map<Integer, Integer> counts = new HashMap<>();
        int regions = 0;
        for (int i = 0; i < columns.length(); i++) {
            BitSet of = columns.get(i);
            regions += of.isEmpty() ? 0 : 1;
            of.stream().forEach(column -> counts.merge(column, 1, Integer::sum));
        }
        BitSet most = new BitSet();
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            most.set(entry.getKey(), 2 * entry.getValue() > regions);
        }
        return most;
    }
}
