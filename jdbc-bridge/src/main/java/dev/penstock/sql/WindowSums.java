package dev.penstock.sql;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

import java.util.List;

/**
 * Sums and averages of BIGINT over windows. As in {@link ExactSums} such a sum is a decimal, and
 * Calcite's code adds only decimals to decimals.
 */
final class WindowSums extends RexShuttle {
    private final RexBuilder rex;

    private WindowSums(RexBuilder rex) {
        this.rex = rex;
    }

    /** The plan, with what is summed up over a window as a decimal if its sum is one. */
    static RelNode in(RelNode plan) {
        List<RelNode> inputs = plan.getInputs().stream().map(WindowSums::in).toList();
        RelNode node =
                inputs.equals(plan.getInputs()) ? plan : plan.copy(plan.getTraitSet(), inputs);
        return node.accept(new WindowSums(node.getCluster().getRexBuilder()));
    }

    @Override
    public RexNode visitOver(RexOver call) {
        RexOver over = (RexOver) super.visitOver(call);
        SqlKind kind = over.getAggOperator().getKind();
        boolean sums = kind == SqlKind.SUM || kind == SqlKind.SUM0;
        return sums && isDecimal(over) && !isDecimal(over.getOperands().getFirst())
                ? ofDecimals(over, over.getOperands().getFirst())
                : over;
    }

    private static boolean isDecimal(RexNode node) {
        return node.getType().getSqlTypeName() == SqlTypeName.DECIMAL;
    }

    private RexNode ofDecimals(RexOver over, RexNode summand) {
        RelDataType decimal =
                rex.getTypeFactory()
                        .createTypeWithNullability(over.getType(), summand.getType().isNullable());
        RexWindow window = over.getWindow();
        return rex.makeOver(
                over.getType(),
                over.getAggOperator(),
                List.of(rex.makeCast(decimal, summand)),
                window.partitionKeys,
                window.orderKeys,
                window.getLowerBound(),
                window.getUpperBound(),
                window.getExclude(),
                window.isRows(),
                true,
                false,
                over.isDistinct(),
                over.ignoreNulls());
    }
}
