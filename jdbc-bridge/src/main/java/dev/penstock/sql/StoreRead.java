package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** A read of one table as Calcite's generated code calls it. */
final class StoreRead extends TableScan implements EnumerableRel {
    static final RelOptRule RULE =
            PushRule.of(
                    "RunStoreAccess",
                    access -> access.operand(StoreAccess.class).noInputs(),
                    call -> call.transformTo(new StoreRead(call.rel(0))));

    private final StoreAccess access;

    private StoreRead(StoreAccess access) {
        super(
                access.getCluster(),
                access.getTraitSet().replace(EnumerableConvention.INSTANCE),
                List.of(),
                access.getTable());
        this.access = access;
    }

    /** What it reads. */
    StoreAccess access() {
        return access;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new StoreRead(access);
    }

    @Override
    public RelDataType deriveRowType() {
        return access.getRowType();
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        return access.estimateRowCount(metadata);
    }

    @Override
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
        return access.computeSelfCost(planner, metadata);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return access.explainTerms(writer);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer preference) {
        PhysType rows =
                PhysTypeImpl.of(
                        implementor.getTypeFactory(), getRowType(), preference.preferArray());
        var source = implementor.stash(access.read(), RowSource.class);
        return implementor.result(
                rows, Blocks.toBlock(Expressions.call(source, "rows", DataContext.ROOT)));
    }
}
