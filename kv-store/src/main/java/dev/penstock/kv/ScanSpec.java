package dev.penstock.kv;

import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What to read of a table.
 *
 * @param range encoded keys; {@link dev.penstock.kv.ddl.Keys} makes them from text
 * @param projection indexes of table columns, in the order of the result's columns
 * @param predicate condition on rows; {@link dev.penstock.kv.ddl.Conditions} makes it from text
 * @param limit most rows, {@link #NO_LIMIT} for all
 * @param epoch snapshot to read, from {@link Scan#epoch} or {@link Table#epoch}, or {@link #LATEST}
 */
public record ScanSpec(
        KeyRange range, int[] projection, Predicate predicate, long limit, long epoch) {
    public static final long NO_LIMIT = ScanRequest.NO_LIMIT;
    public static final long LATEST = -1;

    public ScanSpec {
        if (limit < 0) {
            throw PenstockException.usage("a limit of " + limit + " rows is not possible");
        }
    }

    /** All rows with all columns that a user declared. */
    public static ScanSpec all(TableSchema schema) {
        return new ScanSpec(
                KeyRange.ALL,
                IntStream.range(0, schema.visibleColumnCount()).toArray(),
                Predicate.ALWAYS,
                NO_LIMIT,
                LATEST);
    }

    public ScanSpec withRange(KeyRange value) {
        return new ScanSpec(value, projection, predicate, limit, epoch);
    }

    public ScanSpec withProjection(int... columns) {
        return new ScanSpec(range, columns.clone(), predicate, limit, epoch);
    }

    /** The columns of these names, in that order. */
    public ScanSpec withColumns(TableSchema schema, List<String> names) {
        int[] columns = new int[names.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = schema.indexOf(names.get(i));
            if (columns[i] < 0) {
                throw PenstockException.usage(
                        "table " + schema.name() + " has no column " + names.get(i));
            }
        }
        return withProjection(columns);
    }

    public ScanSpec withPredicate(Predicate value) {
        return new ScanSpec(range, projection, value, limit, epoch);
    }

    public ScanSpec withLimit(long value) {
        return new ScanSpec(range, projection, predicate, value, epoch);
    }

    public ScanSpec withEpoch(long value) {
        return new ScanSpec(range, projection, predicate, limit, value);
    }
}
