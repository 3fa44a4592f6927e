package dev.penstock.sql;

import dev.penstock.kv.Table;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** A table of the store as one statement sees it. */
final class StoreTable extends AbstractTable implements TranslatableTable {
    private final Table table;
    private final boolean replacing;
    private volatile @Nullable Statistic statistic;

    StoreTable(Table table, boolean replacing) {
        this.table = table;
        this.replacing = replacing;
    }

    /** Whether an INSERT replaces rows with equal keys. */
    boolean isReplacing() {
        return replacing;
    }

    Table table() {
        return table;
    }

    TableSchema schema() {
        return table.schema();
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        return SqlTypes.rowType(schema(), factory);
    }

    /** Rows and key: what the planner orders joins by. It asks often; the rows are counted once. */
    @Override
    public Statistic getStatistic() {
        Statistic known = statistic;
        if (known == null) {
            known = Statistics.of((double) table.count(), keys());
            statistic = known;
        }
        return known;
    }

    private List<ImmutableBitSet> keys() {
        return schema().hiddenRowId()
                ? List.of()
                : List.of(
                        ImmutableBitSet.of(
                                schema().key().stream().map(KeyColumn::columnIndex).toList()));
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relOptTable) {
        return StoreScan.ofAll(context.getCluster(), relOptTable, this);
    }
}
