package dev.penstock.sql;

import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableLimitSortRule;
import org.apache.calcite.adapter.enumerable.EnumerableRel.Prefer;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.tools.Program;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Type;

/** Prepares statements with a planner that knows what stores can do. */
final class StorePrepare extends CalcitePrepareImpl {
    /**
     * Of rows that have to be sorted it keeps as many as are asked for, not all. Where a parameter
     * says how many it may be negative, which would let it keep all.
     */
    private static final RelOptRule LIMITED_SORT =
            EnumerableLimitSortRule.Config.DEFAULT
                    .withOperandSupplier(sorts ->
                            sorts.operand(LogicalSort.class)
                                    .predicate(sort ->
                                            !(sort.fetch instanceof RexDynamicParam)
                                                    && !(sort.offset instanceof RexDynamicParam))
                                    .anyInputs())
                    .as(EnumerableLimitSortRule.Config.class)
                    .toRule();

    @Override
    protected RelOptPlanner createPlanner(
            Context context,
            org.apache.calcite.plan.@Nullable Context externalContext,
            @Nullable RelOptCostFactory costFactory) {
        RelOptPlanner planner = super.createPlanner(context, externalContext, costFactory);
        PushDown.RULES.forEach(planner::addRule);
        planner.addRule(StoreRead.RULE);
        planner.addRule(StoreModify.RULE);
        planner.removeRule(ExactSums.REPLACED);
        planner.addRule(ExactSums.RULE);
        planner.addRule(LIMITED_SORT);
        NumberExecutor.install(planner);
        return planner;
    }

    @Override
    protected CalcitePreparingStmt getPreparingStmt(
            Context context,
            Type elementType,
            CalciteCatalogReader catalogReader,
            RelOptPlanner planner) {
        JavaTypeFactory types = context.getTypeFactory();
        return new Preparing(
                this,
                context,
                catalogReader,
                elementType == Object[].class ? Prefer.ARRAY : Prefer.CUSTOM,
                createCluster(planner, new RexBuilder(types)));
    }

    /** Preparation of one statement; its plan is watched while it runs. */
    private static final class Preparing extends CalcitePreparingStmt {
        Preparing(
                StorePrepare prepare,
                Context context,
                CalciteCatalogReader catalogReader,
                Prefer prefer,
                RelOptCluster cluster) {
            super(
                    prepare,
                    context,
                    catalogReader,
                    context.getTypeFactory(),
                    context.getRootSchema(),
                    prefer,
                    cluster,
                    EnumerableConvention.INSTANCE,
                    prepare.createConvertletTable());
        }

        @Override
        protected Program getProgram() {
            return JoinOrder.program();
        }

        @Override
        protected PreparedResult implement(RelRoot root) {
            return super.implement(root.withRel(WatchedInputs.in(NumberRules.in(root.rel))));
        }
    }
}
