package dev.penstock.sql;

import dev.penstock.error.PenstockException;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Refuses changes in which a number is written that becomes infinite as a REAL, as a load refuses
 * its text. Calcite itself refuses what is too large for a DOUBLE. What is computed while a
 * statement runs may be infinite.
 */
final class FittingNumbers extends RelVisitor {
    private FittingNumbers() {}

    /**
     * The plan, if there is no such number in it.
     *
     * @throws PenstockException of category DATA if there is
     */
    static RelNode in(RelNode plan) {
        if (plan instanceof TableModify modify) {
            new FittingNumbers().go(modify.getInput());
        }
        return plan;
    }

    @Override
    public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        switch (node) {
            case LogicalValues values ->
                    values.getTuples().forEach(row -> row.forEach(FittingNumbers::checkReal));
            case LogicalProject project -> check(project);
            default -> {}
        }
        super.visit(node, ordinal, parent);
    }

    private static void check(LogicalProject project) {
        RexVisitorImpl<Void> casts =
                new RexVisitorImpl<>(true) {
                    @Override
                    @SuppressWarnings("NullAway") // a visitor without a result
                    public Void visitCall(RexCall call) {
                        if (call.getKind() == SqlKind.CAST
                                && call.getType().getSqlTypeName() == SqlTypeName.REAL) {
                            checkCast(call.getOperands().getFirst(), project.getInput());
                        }
                        return super.visitCall(call);
                    }
                };
        for (RexNode field : project.getProjects()) {
            if (field instanceof RexLiteral literal) {
                checkReal(literal);
            }
            field.accept(casts);
        }
    }

    /** Of a literal, or of the literals in a column of VALUES. */
    private static void checkCast(RexNode operand, RelNode input) {
        if (operand instanceof RexLiteral literal) {
            checkNumber(literal);
        } else if (operand instanceof RexInputRef field && input instanceof LogicalValues values) {
            for (List<RexLiteral> row : values.getTuples()) {
                checkNumber(row.get(field.getIndex()));
            }
        }
    }

    private static void checkReal(RexLiteral literal) {
        if (literal.getType().getSqlTypeName() == SqlTypeName.REAL) {
            checkNumber(literal);
        }
    }

    /** What is written as infinite is meant so. */
    private static void checkNumber(RexLiteral literal) {
        if (literal.getValue() instanceof Number number
                && Float.isInfinite(number.floatValue())
                && !(number instanceof Double written && Double.isInfinite(written))) {
            throw PenstockException.data(
                    "a REAL column cannot take " + number + ": expected a number up to 3.4e38");
        }
    }
}
