package dev.penstock.sql;

import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableIntList;

import java.util.ArrayList;
import java.util.List;

/** The rules that move work from above a scan into it, so that region servers do it. */
final class PushDown {
    static final List<RelOptRule> RULES =
            List.of(
                    PushRule.of(
                            "PushCondition",
                            above ->
                                    above.operand(LogicalFilter.class)
                                            .oneInput(scan ->
                                                    scan.operand(StoreScan.class).noInputs()),
                            PushDown::pushConditions),
                    PushRule.of(
                            "PushColumns",
                            above ->
                                    above.operand(LogicalProject.class)
                                            .oneInput(scan ->
                                                    scan.operand(StoreScan.class).noInputs()),
                            PushDown::pushColumns),
                    PushRule.of(
                            "PushOrder",
                            above ->
                                    above.operand(Sort.class)
                                            .oneInput(scan ->
                                                    scan.operand(StoreScan.class).noInputs()),
                            PushDown::pushOrder),
                    PushRule.of(
                            "PushAggregate",
                            above ->
                                    above.operand(LogicalAggregate.class)
                                            .oneInput(scan ->
                                                    scan.operand(StoreScan.class).noInputs()),
                            PushDown::pushAggregate),
                    PushRule.of(
                            "PushAggregateOfExpressions",
                            above ->
                                    above.operand(LogicalAggregate.class)
                                            .oneInput(project ->
                                                    project.operand(LogicalProject.class)
                                                            .oneInput(scan ->
                                                                    scan.operand(StoreScan.class)
                                                                            .noInputs())),
                            PushDown::pushAggregateOfExpressions),
                    PushRule.of(
                            "FactorCondition",
                            filter -> filter.operand(LogicalFilter.class).anyInputs(),
                            PushDown::factorCondition));

    private PushDown() {}

    /** {@code (a AND b) OR (a AND c)} is {@code a AND (b OR c)}: then a join can use {@code a}. */
    private static void factorCondition(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        RexNode condition = filter.getCondition();
        RexNode factored = RexUtil.pullFactors(filter.getCluster().getRexBuilder(), condition);
        if (!factored.equals(condition)) {
            call.transformTo(filter.copy(filter.getTraitSet(), filter.getInput(), factored));
        }
    }

    private static void pushConditions(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        StoreScan scan = call.rel(1);
        if (scan.parts().limited() || RexUtil.containsCorrelation(filter.getCondition())) {
            return;
        }
        ConditionTranslator translator =
                new ConditionTranslator(scan.storeTable().schema(), Parameters.UNKNOWN);
        List<RexNode> pushed = new ArrayList<>();
        List<RexNode> left = new ArrayList<>();
        for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
            RexNode onTable = onTableColumns(condition, scan.parts().columns());
            if (translator.translate(onTable).isPresent()) {
                pushed.add(onTable);
            } else {
                left.add(condition);
            }
        }
        if (!pushed.isEmpty()) {
            call.transformTo(
                    call.builder()
                            .push(scan.with(scan.parts().withConditions(pushed)))
                            .filter(left)
                            .build());
        }
    }

    /** Only a choice of columns; expressions stay above. */
    private static void pushColumns(RelOptRuleCall call) {
        LogicalProject project = call.rel(0);
        StoreScan scan = call.rel(1);
        int[] columns = new int[project.getProjects().size()];
        for (int i = 0; i < columns.length; i++) {
            if (!(project.getProjects().get(i) instanceof RexInputRef input)) {
                return;
            }
            columns[i] = scan.parts().columns().get(input.getIndex());
        }
        StoreScan narrowed = scan.with(scan.parts().withColumns(ImmutableIntList.of(columns)));
        if (columns.length > 0
                && narrowed.parts().columns().stream().distinct().count() == columns.length) {
            call.transformTo(
                    call.builder()
                            .push(narrowed)
                            .rename(project.getRowType().getFieldNames())
                            .build());
        }
    }

    /**
     * An order that the scan has anyway, and a limit in that order or in none; or a limit in the
     * opposite order.
     */
    private static void pushOrder(RelOptRuleCall call) {
        Sort sort = call.rel(0);
        StoreScan scan = call.rel(1);
        if (scan.parts().limited()) {
            return;
        }
        ScanParts limited = scan.parts().withLimit(sort.offset, sort.fetch);
        if (KeyOrder.has(scan, sort.getCollation())) {
            call.transformTo(scan.with(limited).inOrder(sort.getCollation()));
        } else if (sort.fetch != null && KeyOrder.hasBackward(scan, sort.getCollation())) {
            call.transformTo(scan.with(limited.fromTheEnd()).inOrder(sort.getCollation()));
        }
    }

    private static void pushAggregate(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        StoreScan scan = call.rel(1);
        StoreAggregate.of(aggregate, scan.fields(), scan).ifPresent(call::transformTo);
    }

    private static void pushAggregateOfExpressions(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        LogicalProject project = call.rel(1);
        StoreScan scan = call.rel(2);
        StoreAggregate.of(aggregate, project.getProjects(), scan).ifPresent(call::transformTo);
    }

    private static RexNode onTableColumns(RexNode condition, ImmutableIntList columns) {
        return condition.accept(
                new RexShuttle() {
                    @Override
                    public RexNode visitInputRef(RexInputRef input) {
                        return new RexInputRef(columns.get(input.getIndex()), input.getType());
                    }
                });
    }
}
