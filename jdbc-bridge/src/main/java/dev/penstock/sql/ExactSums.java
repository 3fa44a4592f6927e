package dev.penstock.sql;

import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Aggregates that Calcite computes itself. The sum of BIGINT is a decimal here, so that it cannot
 * overflow silently; Calcite's code adds only decimals to decimals, hence the casts. The least and
 * greatest REAL or DOUBLE are found by their order as BIGINT, in which NaN and infinity have a
 * place.
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
    private static final Set<SqlKind> EXTREMES = Set.of(SqlKind.MIN, SqlKind.MAX);

    private ExactSums() {}

    private static void convert(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        LogicalAggregate changed = changed(aggregate);
        if (changed.getRowType().equals(aggregate.getRowType())) {
            RelNode converted = REPLACED.convert(changed);
            if (converted != null) {
                call.transformTo(converted);
            }
        } else {
            call.transformTo(withFloats(changed, aggregate.getRowType()));
        }
    }

    private static LogicalAggregate changed(LogicalAggregate aggregate) {
        RexBuilder rex = aggregate.getCluster().getRexBuilder();
        List<RexNode> projects =
                new ArrayList<>(rex.identityProjects(aggregate.getInput().getRowType()));
        int fields = projects.size();
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateCall each : aggregate.getAggCallList()) {
            RexNode argument =
                    each.getArgList().isEmpty() ? null : projects.get(each.getArgList().getFirst());
            if (argument != null && isLossy(each, argument)) {
                RelDataType decimal = withNullability(rex, each.getType(), argument.getType());
                calls.add(each.withArgList(List.of(projects.size())));
                projects.add(rex.makeCast(decimal, argument));
            } else if (argument != null && isFloatingExtreme(each)) {
                RelDataType number = rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
                calls.add(
                        ofType(
                                each,
                                withNullability(rex, number, each.getType()),
                                projects.size()));
                projects.add(
                        NumberRules.ordered(
                                rex, withNullability(rex, number, argument.getType()), argument));
            } else {
                calls.add(each);
            }
        }
        if (projects.size() == fields) {
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

    /** Fields of the types that were asked for: what has become BIGINT is a number's order. */
    private static RelNode withFloats(RelNode changed, RelDataType asked) {
        RexBuilder rex = changed.getCluster().getRexBuilder();
        List<RexNode> projects = new ArrayList<>();
        for (RelDataTypeField field : asked.getFieldList()) {
            RexNode value = rex.makeInputRef(changed, field.getIndex());
            projects.add(
                    value.getType().equals(field.getType())
                            ? value
                            : NumberRules.ofOrdered(rex, field.getType(), value));
        }
        return LogicalProject.create(changed, List.of(), projects, asked.getFieldNames(), Set.of());
    }

    private static RelDataType withNullability(RexBuilder rex, RelDataType type, RelDataType of) {
        return rex.getTypeFactory().createTypeWithNullability(type, of.isNullable());
    }

    private static AggregateCall ofType(AggregateCall call, RelDataType type, int argument) {
        return AggregateCall.create(
                call.getAggregation(),
                call.isDistinct(),
                call.isApproximate(),
                call.ignoreNulls(),
                call.rexList,
                List.of(argument),
                call.filterArg,
                call.distinctKeys,
                call.getCollation(),
                type,
                call.getName());
    }

    private static boolean isLossy(AggregateCall call, RexNode argument) {
        return SUMS.contains(call.getAggregation().getKind())
                && call.getType().getSqlTypeName() == SqlTypeName.DECIMAL
                && argument.getType().getSqlTypeName() != SqlTypeName.DECIMAL;
    }

    private static boolean isFloatingExtreme(AggregateCall call) {
        return EXTREMES.contains(call.getAggregation().getKind())
                && SqlTypeUtil.isApproximateNumeric(call.getType());
    }
}
