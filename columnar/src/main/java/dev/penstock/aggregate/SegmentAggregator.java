package dev.penstock.aggregate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.kernel.GroupKernels;
import dev.penstock.predicate.Predicate;
import dev.penstock.segment.BlockCursor;
import dev.penstock.segment.LeftOutRows;
import dev.penstock.segment.RowSelection;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentReader;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Aggregates the rows of one segment, or of some of its blocks, block by block:
 *
 * <ol>
 *   <li>the predicate selects rows, on packed values and codes ({@link RowSelection})
 *   <li>without groups, statistics answer what they can, and sums are taken of packed values where
 *       they lie ({@link BlockFold})
 *   <li>else the selected rows' groups are numbered, by codes if there are dictionaries, and each
 *       column is decoded into an array once and added to its groups
 * </ol>
 *
 * <p>Owned by one thread; one use.
 */
public final class SegmentAggregator {
    /**
     * If more than one in so many rows of a block is selected, all are decoded and the others are
     * thrown away by their group: that costs less than to move the selected ones together.
     */
    private static final int MANY = 4;

    private final SegmentReader reader;
    private final AggregateQuery query;
    private final BlockCursor cursor = new BlockCursor();
    private final RowSelection selection;
    private final QueryFolds folds;
    private final @Nullable Grouping grouping;
    private long[] groupRows = new long[GroupKernels.LANES];

    private final ColumnValues values = new ColumnValues();
    private final int[] selectedRows = new int[SegmentFormat.BLOCK_ROWS];
    private final long[] bits = new long[SegmentFormat.BLOCK_ROWS / 64];
    private final GroupBits groupBits = new GroupBits();
    private final PackedSums sums;
    private final int[][] ids;

    /**
     * Prepares for all blocks.
     *
     * @param predicate on the segment's columns; used instead of the query's, to which the caller
     *     may have to add that rows are not deleted
     */
    public SegmentAggregator(SegmentReader reader, AggregateQuery query, Predicate predicate) {
        this.reader = reader;
        this.query = query;
        this.sums = new PackedSums(reader, cursor);
        this.selection = new RowSelection(reader, cursor, query.range(), predicate);
        this.folds = new QueryFolds(query, this::fold);
        this.ids = new int[query.groupBy().size()][SegmentFormat.BLOCK_ROWS];
        this.grouping = query.groupBy().isEmpty() ? null : grouping();
        if (grouping == null) {
            folds.ensureGroups(1);
        }
    }

    private ColumnFold fold(int column) {
        boolean sum = query.aggregates().contains(Aggregate.sum(column));
        return reader.dictionary(column) instanceof BytesDictionary strings && !sum
                ? new LongFold(strings, column, query.aggregates())
                : ColumnFold.of(reader.schema(), column, query.aggregates());
    }

    private Grouping grouping() {
        List<ColumnIds> columns = new ArrayList<>();
        for (int column : query.groupBy()) {
            Dictionary dictionary = reader.dictionary(column);
            if (dictionary != null) {
                columns.add(new ColumnIds.Codes(dictionary));
            } else {
                columns.add(
                        reader.isLong(column) ? new ColumnIds.Longs() : new ColumnIds.Strings());
            }
        }
        return new Grouping(columns, query.groupTypes(reader.schema()));
    }

    /** Leaves out the rows outside of the blocks [from, to). */
    public void limitBlocks(int from, int to) {
        selection.limitBlocks(from, to);
    }

    /** Leaves rows out. */
    public void leaveOut(LeftOutRows rows) {
        selection.leaveOut(rows);
    }

    /**
     * Aggregates the rows; {@code CORRUPT} naming a damaged block, {@code IO} an unreadable one.
     */
    public PartialResult run() {
        try {
            return aggregate();
        } catch (InternalError e) {
            throw reader.unreadable(e);
        }
    }

    private PartialResult aggregate() {
        Grouping groups = grouping;
        if (groups == null) {
            return runAsOne();
        }
        while (selection.next()) {
            addBlock(groups);
        }
        groupRows = GroupKernels.withRoom(groupRows, groups.size());
        PartialResult result = new PartialResult(query.aggregates());
        for (int group = 0; group < groups.size(); group++) {
            long rows = GroupKernels.total(groupRows, group);
            if (rows > 0) {
                result.add(groups.key(group), folds.values(group, rows));
            }
        }
        return result;
    }

    private PartialResult runAsOne() {
        long rows = 0;
        if (folds.isEmpty()) {
            rows = selection.count();
        } else {
            BlockFold blocks = new BlockFold(reader, cursor, selection, values);
            while (selection.next()) {
                rows += selection.selectedCount();
                for (int i = 0; i < folds.size(); i++) {
                    blocks.add(folds.column(i), folds.fold(i));
                }
                addProducts();
            }
        }
        PartialResult result = new PartialResult(query.aggregates());
        if (rows > 0) {
            result.add(GroupKey.NONE, folds.values(0, rows));
        }
        return result;
    }

    /** Adds the block's products to the only group. */
    private void addProducts() {
        if (folds.products().isEmpty()) {
            return;
        }
        int count = selection.selectedCount();
        int @Nullable [] chosen = selection.wholeBlock() ? null : selectedRows;
        if (chosen != null) {
            selection.rows(chosen);
        }
        for (ProductFold product : folds.products()) {
            add(product, null, count, chosen, ProductFold.NO_GROUP);
        }
    }

    private void add(
            ProductFold product,
            int @Nullable [] groups,
            int count,
            int @Nullable [] rows,
            int spare) {
        int block = selection.block();
        product.begin(count);
        for (Product.Term term : product.terms()) {
            int column = term.column();
            cursor.open(reader, column, block);
            long[] valid = cursor.nullCount() > 0 ? cursor.validityWords() : null;
            BlockExtremes extremes = BlockExtremes.of(reader, column, block);
            product.multiply(
                    values.longs(cursor, rows, count),
                    extremes.min(),
                    extremes.max(),
                    valid,
                    (cursor.rows() + 63) >> 6);
        }
        product.add(groups, rows, spare);
    }

    private void addBlock(Grouping groups) {
        int blockRows = reader.blockRows(selection.block());
        int selected = selection.selectedCount();
        if (selected == blockRows) {
            addRows(groups, blockRows, null, false);
        } else if (groups.isIndex() && (long) selected * MANY >= blockRows) {
            addRows(groups, blockRows, null, true);
        } else {
            selection.rows(selectedRows);
            addRows(groups, selected, selectedRows, false);
        }
    }

    /**
     * Adds rows of the block.
     *
     * @param rows which, null if all
     * @param masked whether those that are not selected go to a group of their own, the last
     */
    private void addRows(Grouping groups, int count, int @Nullable [] rows, boolean masked) {
        for (int i = 0; i < ids.length; i++) {
            number(groups.column(i), query.groupBy().get(i), count, rows, ids[i]);
        }
        groups.combine(ids, count);
        int size = groups.size();
        if (masked) {
            selection.bits(bits);
            GroupKernels.mask(ids[0], count, bits, size);
        }
        groupRows = GroupKernels.withRoom(groupRows, size + 1);
        boolean few = groupBits.count(ids[0], count, size, groupRows) && rows == null;
        folds.ensureGroups(size + 1);
        for (int i = 0; i < folds.size(); i++) {
            if (!few || !addPacked(folds.fold(i), folds.column(i))) {
                add(folds.fold(i), folds.column(i), count, rows);
            }
        }
        for (ProductFold product : folds.products()) {
            add(product, ids[0], count, rows, masked ? size : ProductFold.NO_GROUP);
        }
    }

    /** Adds the sums of a block whose rows stand where they are; false if that is not possible. */
    private boolean addPacked(ColumnFold fold, int column) {
        int block = selection.block();
        boolean possible =
                fold instanceof LongFold longs
                        && longs.summed()
                        && !longs.lowest()
                        && !longs.greatest()
                        && reader.blockNullCount(column, block) == 0
                        && sums.open(column, block, longs);
        if (possible) {
            groupBits.addSums(sums, (LongFold) fold);
        }
        return possible;
    }

    private void number(
            ColumnIds numbers, int column, int count, int @Nullable [] rows, int[] out) {
        cursor.open(reader, column, selection.block());
        long[] validity = cursor.nullCount() > 0 ? cursor.validityWords() : null;
        switch (numbers) {
            case ColumnIds.Codes codes -> {
                values.codes(cursor, rows, count, out);
                codes.ids(out, count, validity, rows);
            }
            case ColumnIds.Longs longs ->
                    longs.ids(values.longs(cursor, rows, count), count, validity, rows, out);
            case ColumnIds.Strings strings ->
                    strings.ids(values.strings(cursor), count, validity, rows, out);
        }
    }

    private void add(ColumnFold fold, int column, int count, int @Nullable [] rows) {
        if (fold.countsOnly() && reader.blockNullCount(column, selection.block()) == 0) {
            return;
        }
        cursor.open(reader, column, selection.block());
        long[] validity = cursor.nullCount() > 0 ? cursor.validityWords() : null;
        switch (fold) {
            case LongFold longs ->
                    longs.add(
                            ids[0],
                            count,
                            longs.ofCodes()
                                    ? values.codesAsLongs(cursor, rows, count)
                                    : values.longs(cursor, rows, count),
                            validity,
                            rows,
                            bound(reader, column, selection.block()));
            case BytesFold strings -> {
                BytesColumn decoded = values.strings(cursor);
                strings.add(ids[0], count, decoded, validity, rows);
            }
        }
    }

    /** What no value of a block exceeds in distance from 0; negative if that is no long. */
    static long bound(SegmentReader reader, int column, int block) {
        BlockExtremes extremes = BlockExtremes.of(reader, column, block);
        if (extremes.isEmpty()) {
            return 0;
        }
        long low = Math.abs(extremes.min());
        long high = Math.abs(extremes.max());
        return low < 0 || high < 0 ? -1 : Math.max(low, high);
    }
}
