package dev.penstock.kv.region;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentScanner;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * Decides how a range of one snapshot is read: segments and rows in memory are grouped by overlap
 * of their key extents. A group of one segment is scanned straight through, with the predicate
 * pushed down to its encoded blocks; only groups of several are merged row by row.
 */
final class ScanPlan {
    /**
     * Something to read.
     *
     * @param layer order of age, 0 = newest
     * @param source the layer of the segment, null for rows in memory
     * @param segment null for rows in memory
     */
    private record Item(
            byte[] first,
            byte[] last,
            int layer,
            @Nullable Layer source,
            @Nullable SegmentFile segment) {}

    private final RegionSnapshot snapshot;
    private final KeyRange range;
    private final ReadSchema read;
    private final TableSchema schema;
    private final TableSchema flushSchema;
    private final RowCodec codec;

    ScanPlan(
            RegionSnapshot snapshot,
            KeyRange range,
            ReadSchema read,
            TableSchema schema,
            TableSchema flushSchema,
            RowCodec codec) {
        this.snapshot = snapshot;
        this.range = range;
        this.read = read;
        this.schema = schema;
        this.flushSchema = flushSchema;
        this.codec = codec;
    }

    /** The rows of the range, source after source. */
    List<RowSource> sources() {
        List<Item> items = items();
        items.sort(Comparator.comparing(Item::first, Arrays::compareUnsigned));
        List<RowSource> sources = new ArrayList<>();
        List<Item> group = new ArrayList<>();
        byte[] groupEnd = new byte[0];
        for (Item item : items) {
            if (!group.isEmpty() && Arrays.compareUnsigned(item.first(), groupEnd) > 0) {
                sources.add(source(group));
                group.clear();
            }
            if (group.isEmpty() || Arrays.compareUnsigned(item.last(), groupEnd) > 0) {
                groupEnd = item.last();
            }
            group.add(item);
        }
        if (!group.isEmpty()) {
            sources.add(source(group));
        }
        return sources;
    }

    private List<Item> items() {
        List<Item> items = new ArrayList<>();
        int age = 0;
        for (Delta.Snapshot delta : snapshot.deltas()) {
            ConcurrentNavigableMap<byte[], Delta.Version> rows = delta.range(range);
            var first = rows.firstEntry();
            var last = rows.lastEntry();
            if (first != null && last != null) {
                items.add(new Item(first.getKey(), last.getKey(), age, null, null));
            }
            age++;
        }
        for (Layer layer : snapshot.layers()) {
            for (SegmentFile segment : layer.overlapping(range)) {
                items.add(
                        new Item(
                                segment.reader().firstKey(),
                                segment.reader().lastKey(),
                                age,
                                layer,
                                segment));
            }
            age++;
        }
        return items;
    }

    private RowSource source(List<Item> group) {
        Item first = group.getFirst();
        Layer layer = first.source();
        SegmentFile segment = first.segment();
        if (group.size() == 1 && layer != null && segment != null) {
            Predicate predicate =
                    layer.descriptor().tombstones()
                            ? new Predicate.And(List.of(notDeleted(), read.predicate()))
                            : read.predicate();
            return new SegmentSource(
                    new SegmentScanner(
                            segment.reader(), range, read.projection(), predicate, false));
        }
        List<KeyedCursor> cursors = new ArrayList<>();
        int ages = snapshot.deltas().size() + snapshot.layers().size();
        for (int age = 0; age < ages; age++) {
            int wanted = age;
            List<Item> items = group.stream().filter(item -> item.layer() == wanted).toList();
            if (!items.isEmpty()) {
                cursors.add(cursor(items));
            }
        }
        return new MergedSource(cursors, read.rowPredicate());
    }

    private Predicate notDeleted() {
        return new Predicate.Compare(
                schema.columnCount(), Predicate.Operator.EQUAL, new Literal.LongLiteral(0));
    }

    /** A cursor over items of one layer, which are in key order. */
    private KeyedCursor cursor(List<Item> items) {
        Item first = items.getFirst();
        Layer layer = first.source();
        if (layer == null) {
            return new DeltaCursor(
                    snapshot.deltas().get(first.layer()), range, schema, codec, read.read());
        }
        List<SegmentFile> segments = new ArrayList<>();
        for (Item item : items) {
            SegmentFile segment = item.segment();
            if (segment != null) {
                segments.add(segment);
            }
        }
        boolean tombstones = layer.descriptor().tombstones();
        return new SegmentsCursor(
                segments, range, tombstones ? flushSchema : schema, tombstones, read.read());
    }
}
