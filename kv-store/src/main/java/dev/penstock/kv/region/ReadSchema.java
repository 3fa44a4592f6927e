package dev.penstock.kv.region;

import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which columns one read needs, and where they are.
 *
 * @param projection table columns of the result
 * @param read table columns to read where rows must be merged before the predicate can be applied:
 *     those of the result, then those that only the predicate needs
 * @param predicate on table columns
 * @param rowPredicate the same on batches of the {@code read} columns
 */
record ReadSchema(int[] projection, int[] read, Predicate predicate, RowPredicate rowPredicate) {
    static ReadSchema of(TableSchema schema, int[] projection, Predicate predicate) {
        for (int column : projection) {
            if (column < 0 || column >= schema.columnCount()) {
                throw PenstockException.usage(
                        "table " + schema.name() + " has no column " + column);
            }
        }
        BitSet needed = new BitSet();
        collect(predicate, schema, needed);
        int[] positions = new int[schema.columnCount()];
        Arrays.fill(positions, -1);
        for (int i = 0; i < projection.length; i++) {
            needed.clear(projection[i]);
            positions[projection[i]] = i;
        }
        int[] read = Arrays.copyOf(projection, projection.length + needed.cardinality());
        int at = projection.length;
        for (int column = needed.nextSetBit(0);
                column >= 0;
                column = needed.nextSetBit(column + 1)) {
            positions[column] = at;
            read[at++] = column;
        }
        return new ReadSchema(projection, read, predicate, new RowPredicate(predicate, positions));
    }

    private static void collect(Predicate predicate, TableSchema schema, BitSet needed) {
        switch (predicate) {
            case Predicate.And and -> and.terms().forEach(term -> collect(term, schema, needed));
            case Predicate.Or or -> or.terms().forEach(term -> collect(term, schema, needed));
            case Predicate.Compare compare -> add(compare.columnIndex(), schema, needed);
            case Predicate.In in -> add(in.columnIndex(), schema, needed);
            case Predicate.IsNull isNull -> add(isNull.columnIndex(), schema, needed);
            case Predicate.StartsWith starts -> add(starts.columnIndex(), schema, needed);
        }
    }

    private static void add(int column, TableSchema schema, BitSet needed) {
        if (column < 0 || column >= schema.columnCount()) {
            throw PenstockException.usage("table " + schema.name() + " has no column " + column);
        }
        needed.set(column);
    }
}
