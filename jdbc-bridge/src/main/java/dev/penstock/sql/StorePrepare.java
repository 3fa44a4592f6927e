package dev.penstock.sql;

import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.jspecify.annotations.Nullable;

/** Prepares statements with a planner that knows what stores can do. */
final class StorePrepare extends CalcitePrepareImpl {
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
        return planner;
    }
}
