package dev.penstock.sql;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;

import java.math.BigDecimal;
import java.util.List;

/**
 * Makes numbers that stand below each other in VALUES doubles if one of them is, as their column's
 * type is DOUBLE then: Calcite fails to compare {@code 5.5}, which it reads as a decimal, with
 * {@code 1e3}.
 */
final class AlikeNumbers extends SqlBasicVisitor<Void> {
    /** Decimals of so many digits are the same after they were doubles; others stay as they are. */
    private static final int MAX_DIGITS = 15;

    @Override
    public Void visit(SqlCall call) {
        if (call.getKind() == SqlKind.VALUES) {
            List<SqlCall> rows =
                    call.getOperandList().stream()
                            .filter(SqlCall.class::isInstance)
                            .map(SqlCall.class::cast)
                            .toList();
            int columns = rows.stream().mapToInt(SqlCall::operandCount).min().orElse(0);
            for (int column = 0; column < columns; column++) {
                align(rows, column);
            }
        }
        return super.visit(call);
    }

    private static void align(List<SqlCall> rows, int column) {
        if (rows.stream().anyMatch(row -> isDouble(row.operand(column)))) {
            for (SqlCall row : rows) {
                row.setOperand(column, asDouble(row.operand(column)));
            }
        }
    }

    private static boolean isDouble(SqlNode node) {
        return isSigned(node)
                ? isDouble(((SqlCall) node).operand(0))
                : node instanceof SqlNumericLiteral number
                        && number.getTypeName() == SqlTypeName.DOUBLE;
    }

    private static SqlNode asDouble(SqlNode node) {
        if (isSigned(node)) {
            SqlCall signed = (SqlCall) node;
            signed.setOperand(0, asDouble(signed.operand(0)));
            return signed;
        }
        if (!(node instanceof SqlNumericLiteral number) || isDouble(number)) {
            return node;
        }
        BigDecimal value = number.bigDecimalValue();
        return value == null || value.precision() > MAX_DIGITS
                ? node
                : SqlLiteral.createApproxNumeric(value.toString(), number.getParserPosition());
    }

    private static boolean isSigned(SqlNode node) {
        return node.getKind() == SqlKind.MINUS_PREFIX || node.getKind() == SqlKind.PLUS_PREFIX;
    }
}
