package dev.penstock.sql;

import org.apache.calcite.plan.RelOptLattice;
import org.apache.calcite.plan.RelOptMaterialization;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.JoinPushThroughJoinRule;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;

import java.util.List;

/**
 * The order of a statement's joins. Calcite's cost-based planner would try every order, and takes
 * many seconds over six tables; so where there are many joins, their order is first chosen by
 * estimated rows, and the planner does not turn them any more.
 */
final class JoinOrder {
    /** Fewer joins than this have few orders, which the planner may try. */
    private static final int MANY_JOINS = 3;

    private static final List<RelOptRule> TURNING_RULES =
            List.of(
                    CoreRules.JOIN_COMMUTE,
                    CoreRules.JOIN_ASSOCIATE,
                    JoinPushThroughJoinRule.LEFT,
                    JoinPushThroughJoinRule.RIGHT);

    private static final Program BY_ROWS =
            Programs.of(
                    HepProgram.builder()
                            .addRuleInstance(CoreRules.FILTER_INTO_JOIN)
                            .addMatchOrder(HepMatchOrder.BOTTOM_UP)
                            .addRuleInstance(CoreRules.JOIN_TO_MULTI_JOIN)
                            .addRuleInstance(CoreRules.MULTI_JOIN_OPTIMIZE)
                            .build(),
                    false,
                    DefaultRelMetadataProvider.INSTANCE);

    private JoinOrder() {}

    /**
     * Calcite's standard program, with the joins put in order as soon as all of them are there.
     * Before that, while nodes are still plain, copies of columns and sums are made exact.
     */
    static Program program() {
        return Programs.sequence(
                (planner, plan, _, _, _) -> {
                    // Calcite has given the planner another one since it was made.
                    NumberExecutor.install(planner);
                    return plan;
                },
                Programs.subQuery(DefaultRelMetadataProvider.INSTANCE),
                Programs.decorrelate(),
                (_, plan, _, _, _) -> WindowSums.in(ExactCopies.in(plan)),
                JoinOrder::order,
                Programs.standard());
    }

    private static RelNode order(
            RelOptPlanner planner,
            RelNode plan,
            RelTraitSet traits,
            List<RelOptMaterialization> materializations,
            List<RelOptLattice> lattices) {
        if (RelOptUtil.countJoins(plan) < MANY_JOINS) {
            return plan;
        }
        TURNING_RULES.forEach(planner::removeRule);
        return BY_ROWS.run(planner, plan, traits, materializations, lattices);
    }
}
