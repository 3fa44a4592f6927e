package dev.penstock.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * A value that a statement writes out, as an expression without columns: a form, and the literals
 * and parameters in it, its leaves. Values of one form are computed by one expression.
 *
 * @param form the same text for values that differ in nothing but leaves, of types that have a type
 *     in common which takes in all their values
 * @param leaves from left to right
 * @param isStrict whether it is NULL if its only leaf is
 */
record WrittenValue(RexNode expression, String form, List<RexNode> leaves, boolean isStrict) {
    /** What is around a leaf. The less there is, the more types it may have in one form. */
    private enum Around {
        NOTHING,
        /** Casts to types that take in what any number is. */
        CASTS_TO_FRACTIONS,
        CASTS,
        CALLS
    }

    /** Calls in which whatever is computed may stand where a literal does. */
    private static final Set<SqlKind> COMPUTATIONS =
            EnumSet.of(
                    SqlKind.PLUS,
                    SqlKind.MINUS,
                    SqlKind.TIMES,
                    SqlKind.DIVIDE,
                    SqlKind.MINUS_PREFIX);

    /** Of a row; none if one of them is no such expression. */
    static List<WrittenValue> of(List<? extends RexNode> row) {
        List<WrittenValue> values = new ArrayList<>();
        for (RexNode expression : row) {
            List<RexNode> leaves = new ArrayList<>();
            StringBuilder form = new StringBuilder();
            if (!describe(expression, Around.NOTHING, form, leaves)) {
                return List.of();
            }
            boolean strict = leaves.size() == 1 && isCast(expression);
            values.add(new WrittenValue(expression, form.toString(), leaves, strict));
        }
        return values;
    }

    private static boolean isCast(RexNode expression) {
        return !(expression instanceof RexCall call)
                || call.getKind() == SqlKind.CAST && isCast(call.getOperands().getFirst());
    }

    /** Describes the form and collects the leaves; returns whether it is such an expression. */
    private static boolean describe(
            RexNode node, Around around, StringBuilder form, List<RexNode> leaves) {
        return switch (node) {
            case RexLiteral literal -> {
                boolean leaf = isLeaf(literal);
                form.append(leaf ? kind(literal, around) : literal.toString());
                if (leaf) {
                    leaves.add(literal);
                }
                yield true;
            }
            case RexDynamicParam parameter -> {
                form.append('?').append(type(parameter));
                leaves.add(parameter);
                yield true;
            }
            case RexCall call when call.getClass() == RexCall.class -> {
                form.append(call.getOperator()).append(':').append(type(call)).append('(');
                int leafOperands = leafOperands(call);
                boolean known = true;
                for (int i = 0; i < call.getOperands().size(); i++) {
                    RexNode operand = call.getOperands().get(i);
                    if (i < leafOperands) {
                        known &= describe(operand, within(call, around), form, leaves);
                    } else {
                        known &= describe(operand, around, new StringBuilder(), new ArrayList<>());
                        form.append(operand);
                    }
                    form.append(',');
                }
                form.append(')');
                yield known;
            }
            default -> false;
        };
    }

    /** So many operands of a call may have leaves: CAST has a format behind its value. */
    private static int leafOperands(RexCall call) {
        return call.getKind() == SqlKind.CAST
                ? 1
                : COMPUTATIONS.contains(call.getKind())
                                || call.getOperator().equals(SqlStdOperatorTable.CONCAT)
                        ? call.getOperands().size()
                        : 0;
    }

    private static Around within(RexCall call, Around around) {
        if (call.getKind() != SqlKind.CAST || around == Around.CALLS) {
            return Around.CALLS;
        }
        return switch (call.getType().getSqlTypeName()) {
            case DECIMAL, REAL, FLOAT, DOUBLE -> Around.CASTS_TO_FRACTIONS;
            default -> Around.CASTS;
        };
    }

    /** Others, as the values that SEARCH looks for, belong to a form. */
    private static boolean isLeaf(RexLiteral literal) {
        return switch (literal.getTypeName()) {
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    FLOAT,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    BINARY,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    UUID ->
                    true;
            default -> false;
        };
    }

    private static String type(RexNode node) {
        return node.getType().getFullTypeString();
    }

    /**
     * Of types of which one takes in another's values as they are. What a cast makes of an integer
     * depends on its type.
     */
    private static String kind(RexLiteral literal, Around around) {
        RelDataType type = literal.getType();
        return switch (type.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL ->
                    switch (around) {
                        case NOTHING, CASTS_TO_FRACTIONS -> "number";
                        case CASTS -> type.getSqlTypeName().getName();
                        case CALLS -> type(literal);
                    };
            case CHAR, VARCHAR -> around == Around.CALLS ? type(literal) : "text";
            case BINARY, VARBINARY -> around == Around.CALLS ? type(literal) : "bytes";
            default -> type(literal);
        };
    }

    /** Whether it is NULL as a literal, of whatever type. */
    boolean isNull() {
        return RexUtil.isNullLiteral(expression, true);
    }

    /** NULL in the same form, which is strict. */
    WrittenValue ofNull(RexBuilder rex) {
        RexNode leaf = rex.makeNullLiteral(leaves.getFirst().getType());
        return new WrittenValue(expression, form, List.of(leaf), isStrict);
    }

    /** The expression with other leaves, which are taken from the front of these. */
    RexNode with(Iterator<RexNode> others, RexBuilder rex) {
        return with(expression, others, rex.getTypeFactory());
    }

    private static RexNode with(RexNode node, Iterator<RexNode> others, RelDataTypeFactory types) {
        return switch (node) {
            case RexLiteral literal -> isLeaf(literal) ? others.next() : literal;
            case RexCall call -> {
                int leafOperands = leafOperands(call);
                List<RexNode> operands = new ArrayList<>(call.getOperands());
                for (int i = 0; i < leafOperands; i++) {
                    operands.set(i, with(operands.get(i), others, types));
                }
                boolean nullable =
                        call.getType().isNullable()
                                || call.getKind() == SqlKind.CAST
                                        && operands.getFirst().getType().isNullable();
                yield call.clone(
                        types.createTypeWithNullability(call.getType(), nullable), operands);
            }
            default -> others.next();
        };
    }
}
