package dev.penstock.kv.region;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.BatchAggregator;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.SegmentAggregator;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentScanner;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Decides how a range of one snapshot is read: segments and rows in memory are grouped by overlap
 * of their key extents. A group of one segment is scanned straight through, with the predicate
 * pushed down to its encoded blocks; groups of several are merged by key, or, where a predicate
 * selects rows, what it selects of each but for rows whose keys newer layers have. Aggregates need
 * no order: each segment is aggregated where it lies, without such rows.
 */
final class ScanPlan {
    /** Blocks of a segment that are aggregated at a time: about a million rows. */
    private static final int PIECE_BLOCKS = 128;

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

    /** The rows of the range, source after source; each opens its segments when it is begun. */
    List<Supplier<RowSource>> sources() {
        List<Supplier<RowSource>> sources = new ArrayList<>();
        ReadItem.groups(snapshot, range).forEach(group -> sources.add(() -> source(group)));
        return sources;
    }

    /**
     * The aggregation of the rows of the range, in pieces that may run at the same time while the
     * snapshot is open; their results are to be merged.
     */
    List<Supplier<PartialResult>> pieces(AggregateQuery query) {
        List<Supplier<PartialResult>> pieces = new ArrayList<>();
        AggregateQuery here = query.withRange(range);
        for (List<ReadItem> group : ReadItem.groups(snapshot, range)) {
            List<ReadItem> inMemory = group.stream().filter(item -> item.source() == null).toList();
            if (!inMemory.isEmpty()) {
                pieces.add(() -> aggregate(merged(inMemory), here));
            }
            group.forEach(item -> addPieces(item, group, here, pieces));
        }
        return pieces;
    }

    /** Rows of a segment count where they lie, but for those whose keys newer items have. */
    private void addPieces(
            ReadItem item,
            List<ReadItem> group,
            AggregateQuery query,
            List<Supplier<PartialResult>> pieces) {
        Layer layer = item.source();
        SegmentFile segment = item.segment();
        if (layer == null || segment == null) {
            return;
        }
        List<ReadItem> newer = newer(item, group);
        int blocks = segment.reader().blockCount();
        for (int from = 0; from < blocks; from += PIECE_BLOCKS) {
            int start = from;
            int end = Math.min(blocks, start + PIECE_BLOCKS);
            pieces.add(() -> {
                SegmentAggregator piece =
                        new SegmentAggregator(segment.reader(), query, predicate(layer));
                piece.limitBlocks(start, end);
                if (!newer.isEmpty()) {
                    piece.leaveOut(superseded(layer, segment, newer));
                }
                return piece.run();
            });
        }
    }

    private SupersededRows superseded(Layer layer, SegmentFile segment, List<ReadItem> newer) {
        return new SupersededRows(
                NewerKeys.InSegment.of(segment, schemaOf(layer)),
                range,
                () -> newer.stream().map(this::keys).toList());
    }

    private NewerKeys keys(ReadItem item) {
        Layer layer = item.source();
        SegmentFile segment = item.segment();
        return layer == null || segment == null
                ? new NewerKeys.InMemory(snapshot.deltas().get(item.layer()), schema, codec)
                : NewerKeys.InSegment.of(segment, schemaOf(layer));
    }

    private TableSchema schemaOf(Layer layer) {
        return layer.descriptor().tombstones() ? flushSchema : schema;
    }

    private PartialResult aggregate(RowSource source, AggregateQuery query) {
        BatchAggregator aggregator = new BatchAggregator(schema, query);
        List<Column> columns = new ArrayList<>();
        for (int column : query.projection()) {
            columns.add(schema.column(column));
        }
        ColumnBatch batch = ColumnBatch.forColumns(columns, ScanCursor.BATCH_ROWS);
        while (source.next(batch)) {
            aggregator.add(batch);
        }
        return aggregator.result();
    }

    private RowSource source(List<ReadItem> group) {
        ReadItem first = group.getFirst();
        Layer layer = first.source();
        SegmentFile segment = first.segment();
        if (group.size() == 1 && layer != null && segment != null) {
            return new SegmentSource(
                    new SegmentScanner(
                            segment.reader(), range, read.projection(), predicate(layer), false));
        }
        return merged(group);
    }

    /** What rows of a layer must fulfil if no other layer has their keys. */
    private Predicate predicate(Layer layer) {
        return layer.descriptor().tombstones()
                ? new Predicate.And(List.of(notDeleted(), read.predicate()))
                : read.predicate();
    }

    private RowSource merged(List<ReadItem> group) {
        List<KeyedCursor> cursors = new ArrayList<>();
        int ages = snapshot.deltas().size() + snapshot.layers().size();
        for (int age = 0; age < ages; age++) {
            int wanted = age;
            List<ReadItem> items = group.stream().filter(item -> item.layer() == wanted).toList();
            if (!items.isEmpty()) {
                cursors.add(cursor(items, group));
            }
        }
        return new MergedSource(cursors, read.rowPredicate());
    }

    private Predicate notDeleted() {
        return new Predicate.Compare(
                schema.columnCount(), Predicate.Operator.EQUAL, new Literal.LongLiteral(0));
    }

    /** A cursor over items of one layer, which are in key order, of a group. */
    private KeyedCursor cursor(List<ReadItem> items, List<ReadItem> group) {
        ReadItem first = items.getFirst();
        Layer layer = first.source();
        if (layer == null) {
            return new DeltaCursor(
                    snapshot.deltas().get(first.layer()), range, schema, codec, read.read());
        }
        List<SegmentFile> segments =
                items.stream().map(ReadItem::segment).filter(Objects::nonNull).toList();
        if (read.rowPredicate().isAlways()) {
            boolean tombstones = layer.descriptor().tombstones();
            return new SegmentsCursor(segments, range, schemaOf(layer), tombstones, read.read());
        }
        return SegmentsCursor.decided(
                segments,
                range,
                schemaOf(layer),
                read.projection(),
                predicate(layer),
                segment -> superseded(layer, segment, newer(segment, items, group)));
    }

    private static List<ReadItem> newer(
            SegmentFile segment, List<ReadItem> items, List<ReadItem> group) {
        return items.stream()
                .filter(item -> item.segment() == segment)
                .flatMap(item -> newer(item, group).stream())
                .toList();
    }

    /** Those of a group that may have keys of an item and decide about them. */
    private static List<ReadItem> newer(ReadItem item, List<ReadItem> group) {
        return group.stream()
                .filter(other -> other.layer() < item.layer() && other.overlaps(item))
                .toList();
    }
}
