package dev.penstock.sql;

import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Aggregates that Calcite computes itself. The sum of BIGINT is a decimal here, so that it cannot
 * overflow silently; Calcite's code adds only decimals to decimals, hence the casts.
 */
final class ExactSums {
    /** Calcite's own rule, which the one here stands in for. */
    static final ConverterRule REPLACED = EnumerableRules.ENUMERABLE_AGGREGATE_RULE;

    static final RelOptRule RULE =
            PushRule.of(
                    "RunExactAggregate",
                    aggregate -> aggregate.operand(LogicalAggregate.class).anyInputs(),
                    ExactSums::convert);

    private static final Set<SqlKind> SUMS = Set.of(SqlKind.SUM, SqlKind.SUM0);

    private ExactSums() {}

    private static void convert(RelOptRuleCall call) {
        RelNode converted = REPLACED.convert(withCasts(call.rel(0)));
        if (converted != null) {
            call.transformTo(converted);
        }
    }

    private static Aggregate withCasts(LogicalAggregate aggregate) {
        List<RelDataTypeField> fields = aggregate.getInput().getRowType().getFieldList();
        RexBuilder rex = aggregate.getCluster().getRexBuilder();
        List<RexNode> projects =
                new ArrayList<>(rex.identityProjects(aggregate.getInput().getRowType()));
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateCall each : aggregate.getAggCallList()) {
            if (isLossy(each, fields)) {
                int argument = each.getArgList().getFirst();
                RelDataType decimal =
                        rex.getTypeFactory()
                                .createTypeWithNullability(
                                        each.getType(),
                                        fields.get(argument).getType().isNullable());
                calls.add(each.withArgList(List.of(projects.size())));
                projects.add(rex.makeCast(decimal, projects.get(argument)));
            } else {
                calls.add(each);
            }
        }
        if (projects.size() == fields.size()) {
            return aggregate;
        }
        RelNode input =
                LogicalProject.create(
                        aggregate.getInput(), List.of(), projects, (List<String>) null, Set.of());
        return LogicalAggregate.create(
                input,
                aggregate.getHints(),
                aggregate.getGroupSet(),
                aggregate.getGroupSets(),
                calls);
    }

    private static boolean isLossy(AggregateCall call, List<RelDataTypeField> fields) {
        return SUMS.contains(call.getAggregation().getKind())
                && call.getType().getSqlTypeName() == SqlTypeName.DECIMAL
                && fields.get(call.getArgList().getFirst()).getType().getSqlTypeName()
                        != SqlTypeName.DECIMAL;
    }
}
