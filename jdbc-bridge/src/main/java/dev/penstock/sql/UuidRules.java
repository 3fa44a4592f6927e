package dev.penstock.sql;

import org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.calcite.adapter.enumerable.EnumerableValues;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What Calcite's code computes with UUIDs, which are {@link OrderedUuid} there: comparisons, casts
 * and literals become calls of {@link UuidFunctions}, as {@link NumberRules} has it for numbers.
 */
final class UuidRules {
    private static final Map<String, SqlOperator> FUNCTIONS =
            NumberRules.functions(UuidFunctions.class);

    private static final int TEXT_LENGTH = 36;

    private final RexBuilder rex;

    UuidRules(RexBuilder rex) {
        this.rex = rex;
    }

    static boolean isUuid(RexNode node) {
        return isUuid(node.getType());
    }

    private static boolean isUuid(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.UUID;
    }

    /** A call whose operands have been changed, or the same if it computes nothing with UUIDs. */
    RexNode of(RexCall call) {
        if (call.getOperands().isEmpty()) {
            return call;
        }
        RexNode operand = call.getOperands().getFirst();
        if (call.getKind() == SqlKind.CAST && isUuid(operand) != isUuid(call)) {
            return cast(call, operand);
        }
        String comparison = comparison(call.getKind());
        return !comparison.isEmpty() && call.getOperands().stream().allMatch(UuidRules::isUuid)
                ? call(comparison, call.getType(), call.getOperands())
                : call;
    }

    /** Of those that ask for an order; Calcite's code finds what is equal. */
    private static String comparison(SqlKind kind) {
        return switch (kind) {
            case LESS_THAN -> "less";
            case LESS_THAN_OR_EQUAL -> "lessOrEqual";
            case GREATER_THAN -> "greater";
            case GREATER_THAN_OR_EQUAL -> "greaterOrEqual";
            default -> "";
        };
    }

    private RexNode cast(RexCall cast, RexNode operand) {
        if (isUuid(cast)) {
            return SqlTypeUtil.isCharacter(operand.getType())
                    ? call("ofText", cast.getType(), List.of(operand))
                    : SqlTypeUtil.isBinary(operand.getType())
                            ? call("ofBytes", cast.getType(), List.of(operand))
                            : cast;
        }
        return SqlTypeUtil.isCharacter(cast.getType())
                ? as(cast.getType(), "text", text(operand.getType()), operand)
                : SqlTypeUtil.isBinary(cast.getType())
                        ? as(cast.getType(), "bytes", bytes(operand.getType()), operand)
                        : cast;
    }

    /** The type that was asked for may be shorter. */
    private RexNode as(RelDataType asked, String function, RelDataType whole, RexNode operand) {
        RexNode value = call(function, whole, List.of(operand));
        return asked.equals(whole) ? value : rex.makeAbstractCast(asked, value, false);
    }

    private RelDataType text(RelDataType uuid) {
        return like(uuid, SqlTypeName.VARCHAR, TEXT_LENGTH);
    }

    private RelDataType bytes(RelDataType uuid) {
        return like(uuid, SqlTypeName.VARBINARY, OrderedUuid.BYTES);
    }

    private RelDataType like(RelDataType nullable, SqlTypeName name, int length) {
        RelDataTypeFactory factory = rex.getTypeFactory();
        return factory.createTypeWithNullability(
                factory.createSqlType(name, length), nullable.isNullable());
    }

    private RexNode call(String function, RelDataType type, List<RexNode> operands) {
        return rex.makeCall(type, Objects.requireNonNull(FUNCTIONS.get(function)), operands);
    }

    /** A literal that is not NULL. */
    RexNode literal(RexLiteral literal) {
        return call("ofText", literal.getType(), List.of(textOf(literal)));
    }

    private RexLiteral textOf(RexLiteral literal) {
        UUID value = Objects.requireNonNull(literal.getValueAs(UUID.class));
        return rex.makeLiteral(value.toString());
    }

    /** Rows of literals, whose UUIDs are made of texts. */
    RelNode values(Values values) {
        List<RelDataTypeField> fields = values.getRowType().getFieldList();
        if (fields.stream().noneMatch(field -> isUuid(field.getType()))) {
            return values;
        }
        RelDataTypeFactory.Builder types = rex.getTypeFactory().builder();
        for (RelDataTypeField field : fields) {
            types.add(
                    field.getName(),
                    isUuid(field.getType()) ? text(field.getType()) : field.getType());
        }
        RelDataType type = types.build();
        List<List<RexLiteral>> rows =
                values.getTuples().stream()
                        .map(row -> row.stream().map(this::written).toList())
                        .toList();
        Values texts = texts(values.getCluster(), type, rows);
        List<RexNode> projects = new ArrayList<>();
        for (RelDataTypeField field : fields) {
            RexNode value = rex.makeInputRef(texts, field.getIndex());
            projects.add(
                    isUuid(field.getType())
                            ? call("ofText", field.getType(), List.of(value))
                            : value);
        }
        return EnumerableCalc.create(
                texts, RexProgram.create(type, projects, null, values.getRowType(), rex));
    }

    private static Values texts(
            RelOptCluster cluster, RelDataType type, List<List<RexLiteral>> rows) {
        Values plain =
                (Values)
                        RelFactories.LOGICAL_BUILDER
                                .create(cluster, null)
                                .values(rows, type)
                                .build();
        return EnumerableValues.create(cluster, type, plain.getTuples());
    }

    private RexLiteral written(RexLiteral literal) {
        return !isUuid(literal)
                ? literal
                : literal.isNull() ? rex.makeNullLiteral(text(literal.getType())) : textOf(literal);
    }
}
