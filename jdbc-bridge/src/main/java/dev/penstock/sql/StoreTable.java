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

import java.util.List;

/** A table of the store as one statement sees it. */
final class StoreTable extends AbstractTable implements TranslatableTable {
    private final Table table;
    private final boolean replacing;

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

    /** Rows and key: what the planner orders joins by. */
    @Override
    public Statistic getStatistic() {
        if (schema().hiddenRowId()) {
            return Statistics.of((double) table.count(), List.of());
        }
        int[] key = schema().key().stream().mapToInt(KeyColumn::columnIndex).toArray();
        return Statistics.of((double) table.count(), List.of(ImmutableBitSet.of(key)));
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relOptTable) {
        return StoreScan.ofAll(context.getCluster(), relOptTable, this);
    }
}
