package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.client.RowWriter;
import dev.penstock.kv.wire.BatchCodec;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The rows of an UPDATE that sets columns of the key, as they are and as they shall be. A row may
 * get the key that another gives up: such rows form lines, that end with a row whose new key nobody
 * had, and circles.
 */
final class Moves {
    /** In {@link #distance}: of a circle. */
    private static final int CIRCLE = Integer.MAX_VALUE;

    /** An encoded key. */
    record RowKey(byte[] bytes) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof RowKey key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /**
     * One row.
     *
     * @param index number of the row among all
     * @param from its key as it is
     * @param to its key as it shall be
     * @param batch index of the batch that it is in, before and after
     * @param row its index there
     */
    record Move(int index, RowKey from, RowKey to, int batch, int row) {
        /** Whether it keeps its key. */
        boolean stays() {
            return from.equals(to);
        }
    }

    private final TableSchema schema;
    private final List<ColumnBatch> before;
    private final List<ColumnBatch> after;
    private final List<Move> all = new ArrayList<>();
    private final Map<RowKey, Move> byFrom = new HashMap<>();
    private final Map<RowKey, Move> byTo = new HashMap<>();

    /** For each row how many of its line come after it, or {@link #CIRCLE}. */
    private final int[] distance;

    /**
     * Of rows as they are and, in the same order and in batches of the same sizes, as they shall
     * be.
     *
     * @throws DuplicateKey if two of them would have the same key
     */
    Moves(TableSchema schema, List<ColumnBatch> before, List<ColumnBatch> after) {
        this.schema = schema;
        this.before = before;
        this.after = after;
        KeyCodec keys = new KeyCodec(schema);
        for (int batch = 0; batch < before.size(); batch++) {
            for (int row = 0; row < before.get(batch).rowCount(); row++) {
                add(
                        new Move(
                                all.size(),
                                new RowKey(keys.encode(before.get(batch), row)),
                                new RowKey(keys.encode(after.get(batch), row)),
                                batch,
                                row));
            }
        }
        distance = new int[all.size()];
        Arrays.fill(distance, CIRCLE);
        for (Move last : all) {
            if (owner(last.to()) == null) {
                int count = 0;
                for (Move move = last; move != null; move = byTo.get(move.from())) {
                    distance[move.index()] = count++;
                }
            }
        }
    }

    private void add(Move move) {
        all.add(move);
        byFrom.put(move.from(), move);
        if (byTo.put(move.to(), move) != null) {
            throw DuplicateKey.updatedTwice(schema, move.to().bytes());
        }
    }

    TableSchema schema() {
        return schema;
    }

    /** The row that has this key as it is. */
    @Nullable Move owner(RowKey key) {
        return byFrom.get(key);
    }

    /** The row that shall have it. */
    @Nullable Move comer(RowKey key) {
        return byTo.get(key);
    }

    /** Whether it takes part in a circle; a row that keeps its key is one alone. */
    boolean inCircle(Move move) {
        return distance[move.index()] == CIRCLE;
    }

    /** Rows that get a key which none of these has now, to be written together. */
    List<List<Move>> toAddedKeys(ToIntFunction<RowKey> region) {
        return parts(move -> owner(move.to()) == null, Move::to, _ -> 0, region);
    }

    /**
     * Rows that get a key which one of these has now, to be written together, in an order in which
     * none is overwritten before it is written itself: but for circles of several regions.
     */
    List<List<Move>> toKeptKeys(ToIntFunction<RowKey> region) {
        int[] levels = levels(region);
        return parts(
                move -> owner(move.to()) != null, Move::to, move -> levels[move.index()], region);
    }

    /**
     * What is written together with others of its level, region and batch, or after all lower
     * levels, comes after whatever it would overwrite: along a line the level grows only from one
     * region or batch to another, so that lines beside each other cost few calls.
     */
    private int[] levels(ToIntFunction<RowKey> region) {
        int[] levels = new int[all.size()];
        Arrays.fill(levels, CIRCLE);
        for (Move last : all) {
            if (owner(last.to()) == null) {
                int level = -1;
                int nextRegion = 0;
                int nextBatch = 0;
                for (Move move = comer(last.from()); move != null; move = comer(move.from())) {
                    int own = region.applyAsInt(move.to());
                    boolean together = own == nextRegion && move.batch() == nextBatch;
                    level += together && level >= 0 ? 0 : 1;
                    levels[move.index()] = level;
                    nextRegion = own;
                    nextBatch = move.batch();
                }
            }
        }
        return levels;
    }

    /** Rows whose key none of these has afterwards, to be removed together. */
    List<List<Move>> fromGoneKeys(ToIntFunction<RowKey> region) {
        return parts(move -> comer(move.from()) == null, Move::from, _ -> 0, region);
    }

    private List<List<Move>> parts(
            Predicate<Move> chosen,
            Function<Move, RowKey> key,
            ToIntFunction<Move> rank,
            ToIntFunction<RowKey> region) {
        List<Move> moves = all.stream().filter(chosen).toList();
        int[] regions = new int[all.size()];
        moves.forEach(move -> regions[move.index()] = region.applyAsInt(key.apply(move)));
        ToIntFunction<Move> regionOf = move -> regions[move.index()];
        Comparator<Move> order =
                Comparator.comparingInt(rank)
                        .thenComparingInt(regionOf)
                        .thenComparingInt(Move::batch)
                        .thenComparingInt(move -> distance[move.index()]);
        return cut(moves.stream().sorted(order).toList(), regionOf);
    }

    /** Cuts where the region or the batch is another: what is written by one call or not at all. */
    static List<List<Move>> cut(List<Move> moves, ToIntFunction<Move> region) {
        List<List<Move>> parts = new ArrayList<>();
        int from = 0;
        for (int to = 1; to <= moves.size(); to++) {
            if (to == moves.size()
                    || to - from == RowWriter.MAX_ROWS
                    || moves.get(to).batch() != moves.get(from).batch()
                    || region.applyAsInt(moves.get(to)) != region.applyAsInt(moves.get(from))) {
                parts.add(moves.subList(from, to));
                from = to;
            }
        }
        return parts;
    }

    /** Rows of one batch as they are. */
    ColumnBatch before(List<Move> part) {
        return pick(before, part);
    }

    /** Rows of one batch as they shall be. */
    ColumnBatch after(List<Move> part) {
        return pick(after, part);
    }

    private static ColumnBatch pick(List<ColumnBatch> batches, List<Move> part) {
        int[] rows = part.stream().mapToInt(Move::row).toArray();
        return BatchCodec.pick(batches.get(part.getFirst().batch()), rows, 0, rows.length);
    }
}
