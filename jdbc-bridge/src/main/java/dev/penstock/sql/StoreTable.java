package dev.penstock.sql;

import dev.penstock.kv.Table;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.BuiltInMetadata.ColumnUniqueness;
import org.apache.calcite.rel.metadata.BuiltInMetadata.UniqueKeys;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A table of the store as one statement sees it. */
final class StoreTable extends AbstractTable implements TranslatableTable {
    private final Table table;
    private final Use use;
    private volatile @Nullable Statistic statistic;

    /** What a statement does with a table, which it says by the schema in which it looks for it. */
    enum Use {
        /** Reads it or inserts into it. */
        PLAIN,
        /** Inserts into it, replacing rows with equal keys. */
        REPLACE,
        /** Updates or deletes: its rows have the hidden fields of {@link ExactFields}. */
        CHANGE
    }

    StoreTable(Table table, Use use) {
        this.table = table;
        this.use = use;
    }

    Use use() {
        return use;
    }

    Table table() {
        return table;
    }

    TableSchema schema() {
        return table.schema();
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        return use == Use.CHANGE ? allFields(factory) : SqlTypes.rowType(schema(), factory);
    }

    /** All that a scan can deliver: the columns, and behind them the hidden fields. */
    RelDataType allFields(RelDataTypeFactory factory) {
        return SqlTypes.rowTypeWithExactFields(schema(), factory);
    }

    /**
     * Rows, which the planner orders joins by. It asks often; the rows are counted once. Not the
     * key: the planner would take its columns for the fields of whatever reads the table.
     */
    @Override
    public Statistic getStatistic() {
        Statistic known = statistic;
        if (known == null) {
            known = Statistics.of((double) table.count(), List.of());
            statistic = known;
        }
        return known;
    }

    /**
     * The columns of the key, if no two rows have them in common as Calcite sees them: times that
     * differ may be equal in milliseconds, and zero may be stored as two keys.
     */
    Optional<List<Integer>> key() {
        return Optional.of(schema().key().stream().map(KeyColumn::columnIndex).toList())
                .filter(key ->
                        !schema().hiddenRowId()
                                && key.stream()
                                        .noneMatch(at ->
                                                ExactFields.isNeededFor(
                                                        schema().column(at).type())));
    }

    /** Says of reads of the table what is unique in their rows. */
    @Override
    public <C> @Nullable C unwrap(Class<C> type) {
        if (type == UniqueKeys.Handler.class) {
            UniqueKeys.Handler keys = (read, _, _) -> keyOf(read).map(Set::of).orElse(null);
            return type.cast(keys);
        }
        if (type == ColumnUniqueness.Handler.class) {
            ColumnUniqueness.Handler uniqueness =
                    (read, _, columns, _) -> keyOf(read).map(columns::contains).orElse(null);
            return type.cast(uniqueness);
        }
        return super.unwrap(type);
    }

    private static Optional<ImmutableBitSet> keyOf(RelNode read) {
        return switch (read) {
            case StoreAccess access -> access.key();
            case StoreRead running -> running.access().key();
            default -> Optional.empty();
        };
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relOptTable) {
        return StoreScan.ofAll(context.getCluster(), relOptTable, this);
    }
}
