package dev.penstock.sql;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.core.TableScan;

import java.util.List;

/** A read of one table that region servers do, as the planner moves it about. */
abstract sealed class StoreAccess extends TableScan permits StoreScan, StoreAggregate {
    StoreAccess(RelOptCluster cluster, RelTraitSet traits, RelOptTable table) {
        super(cluster, traits, List.of(), table);
    }

    /** What runs it. */
    abstract RowSource read();
}
