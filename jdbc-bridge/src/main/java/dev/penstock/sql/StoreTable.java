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
    private final Use use;
    private volatile @Nullable Statistic statistic;

    /** What a statement does with a table, which it says by the schema in which it looks for it. */
    enum Use {
        /** Reads it or inserts into it. */
        PLAIN,
        /** Inserts into it, replacing rows with equal keys. */
        REPLACE,
        /** Updates or deletes: its rows have the hidden fields of {@link ExactTimes}. */
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
        return SqlTypes.rowTypeWithExactTimes(schema(), factory);
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

    /** Times in a key may be equal in milliseconds, which is all that Calcite sees of them. */
    private List<ImmutableBitSet> keys() {
        List<Integer> key = schema().key().stream().map(KeyColumn::columnIndex).toList();
        return schema().hiddenRowId()
                        || key.stream()
                                .anyMatch(at -> ExactTimes.isTime(schema().column(at).type()))
                ? List.of()
                : List.of(ImmutableBitSet.of(key));
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relOptTable) {
        return StoreScan.ofAll(context.getCluster(), relOptTable, this);
    }
}
