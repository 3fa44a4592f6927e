package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.predicate.KeyRanges;
import dev.penstock.predicate.Predicate;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Runs the scan of one statement. */
final class TableRead implements RowSource {
    private final Table table;
    private final ScanParts parts;

    TableRead(Table table, ScanParts parts) {
        this.table = table;
        this.parts = parts;
    }

    /**
     * Rows as arrays of values, or, of a single column, values. Each enumerator is a scan of its
     * own, of the epoch that the whole statement sees.
     */
    @Override
    public Enumerable<@Nullable Object> rows(DataContext context) {
        Parameters parameters = new Parameters(context);
        Predicate condition =
                new ConditionTranslator(table.schema(), parameters).all(parts.conditions());
        long skipped = number(parts.offset(), 0, parameters);
        long most = number(parts.fetch(), ScanSpec.NO_LIMIT, parameters);
        long limit = most >= ScanSpec.NO_LIMIT - skipped ? ScanSpec.NO_LIMIT : skipped + most;
        ExactFields exactFields = new ExactFields(table.schema());
        int[] fields = parts.columns().toIntArray();
        int[] columns = Arrays.stream(fields).map(exactFields::column).distinct().toArray();
        ScanSpec spec =
                ScanSpec.all(table.schema())
                        .withRange(KeyRanges.of(table.schema(), condition))
                        .withProjection(columns)
                        .withPredicate(condition)
                        .withLimit(limit)
                        .withEpoch(StatementRun.epoch(context, table));
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object> enumerator() {
                RowReader reader = RowReader.ofFields(table.schema(), fields, columns);
                return parts.backward()
                        ? new LastRows(table, spec, reader, skipped, parameters)
                        : new RowEnumerator(table.scan(spec), reader, skipped, parameters);
            }
        };
    }

    private static long number(@Nullable RexNode node, long absent, Parameters parameters) {
        return node == null ? absent : parameters.count(node);
    }

    /** Walks through a scan; owned by the thread that reads the result. */
    private static final class RowEnumerator implements Enumerator<@Nullable Object> {
        private final Scan scan;
        private final Parameters parameters;
        private final ColumnBatch batch;
        private final RowReader reader;
        private long skipped;
        private int row = -1;

        RowEnumerator(Scan scan, RowReader reader, long skipped, Parameters parameters) {
            this.scan = scan;
            this.skipped = skipped;
            this.parameters = parameters;
            this.batch = scan.newBatch();
            this.reader = reader;
        }

        @Override
        public boolean moveNext() {
            do {
                if (++row >= batch.rowCount()) {
                    parameters.checkCancelled();
                    if (!scan.next(batch)) {
                        return false;
                    }
                    row = 0;
                }
            } while (skipped-- > 0);
            return true;
        }

        @Override
        public @Nullable Object current() {
            return reader.row(batch, row);
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException("a scan goes forward only");
        }

        @Override
        public void close() {
            scan.close();
        }
    }
}
