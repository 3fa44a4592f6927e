package dev.penstock.sql;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.util.ImmutableBitSet;

import java.util.List;
import java.util.Optional;

/** A read of one table that region servers do, as the planner moves it about. */
abstract sealed class StoreAccess extends TableScan permits StoreScan, StoreAggregate {
    StoreAccess(RelOptCluster cluster, RelTraitSet traits, RelOptTable table) {
        super(cluster, traits, List.of(), table);
    }

    /**
     * Fields of it that no two of its rows have in common; empty if that is not known. Not those of
     * the table, of which it may deliver some, in another order, or groups.
     */
    abstract Optional<ImmutableBitSet> key();

    /** What runs it. */
    abstract RowSource read();
}
