package dev.penstock.sql;

import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Computes constants while a statement is planned, with the meaning of {@link NumberRules}. What
 * cannot be computed stays as it is, and fails when the statement runs.
 */
final class NumberExecutor implements RexExecutor {
    private final RexExecutor calcites;

    private NumberExecutor(RexExecutor calcites) {
        this.calcites = calcites;
    }

    /** Has a planner, which has one of Calcite's, use this one. */
    static void install(RelOptPlanner planner) {
        RexExecutor known = planner.getExecutor();
        if (known != null && !(known instanceof NumberExecutor)) {
            planner.setExecutor(new NumberExecutor(known));
        }
    }

    @Override
    public void reduce(RexBuilder rex, List<RexNode> constants, List<RexNode> reduced) {
        List<RexNode> changed = NumberRules.in(constants, rex);
        List<@Nullable RexNode> values = new ArrayList<>();
        calcites.reduce(rex, changed, values);
        for (int i = 0; i < constants.size(); i++) {
            RexNode value = values.get(i);
            reduced.add(value == null || value.equals(changed.get(i)) ? constants.get(i) : value);
        }
    }
}
