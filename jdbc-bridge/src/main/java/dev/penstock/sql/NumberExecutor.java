package dev.penstock.sql;

import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Computes constants while a statement is planned, with the meaning of {@link NumberRules}. What
 * cannot be computed stays as it is, and fails when the statement runs. So do UUIDs, as Calcite
 * would put them in Java's order.
 */
final class NumberExecutor implements RexExecutor {
    private final RexExecutor calcites;

    private NumberExecutor(RexExecutor calcites) {
        this.calcites = calcites;
    }

    /**
     * Has a planner use this one, with the one of Calcite's that it has been given for its plan.
     */
    static void install(RelOptPlanner planner) {
        if (!(planner.getExecutor() instanceof RexExecutorImpl calcites)) {
            throw new IllegalStateException("there is nobody to compute constants");
        }
        planner.setExecutor(new NumberExecutor(calcites));
    }

    @Override
    public void reduce(RexBuilder rex, List<RexNode> constants, List<RexNode> reduced) {
        List<RexNode> asked = constants.stream().filter(node -> !UuidRules.isUuid(node)).toList();
        List<RexNode> changed = NumberRules.in(asked, rex);
        List<@Nullable RexNode> values = new ArrayList<>();
        if (!asked.isEmpty()) {
            calcites.reduce(rex, changed, values);
        }
        int at = 0;
        for (RexNode constant : constants) {
            if (UuidRules.isUuid(constant)) {
                reduced.add(constant);
            } else {
                RexNode value = values.get(at);
                reduced.add(value == null || value.equals(changed.get(at)) ? constant : value);
                at++;
            }
        }
    }
}
