package dev.penstock.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a statement compares with a UUID. A text that it writes out is one too: of the column's text
 * instead, {@code 'A0…'} would be none, and no server could look for it.
 */
final class UuidCoercion extends TypeCoercionImpl {
    UuidCoercion(RelDataTypeFactory factory, SqlValidator validator) {
        super(factory, validator);
    }

    @Override
    public @Nullable RelDataType commonTypeForBinaryComparison(
            @Nullable RelDataType left, @Nullable RelDataType right) {
        return left != null && right != null && (isWritten(left, right) || isWritten(right, left))
                ? factory.createTypeWithNullability(
                        factory.createSqlType(SqlTypeName.UUID),
                        left.isNullable() || right.isNullable())
                : super.commonTypeForBinaryComparison(left, right);
    }

    /** Columns of text are VARCHAR, see {@link SqlTypes}. */
    private static boolean isWritten(RelDataType text, RelDataType uuid) {
        return text.getSqlTypeName() == SqlTypeName.CHAR
                && uuid.getSqlTypeName() == SqlTypeName.UUID;
    }

    /** Rows of VALUES that are all literals are planned as they are, with nothing to compute. */
    @Override
    protected boolean coerceOperandType(
            @Nullable SqlValidatorScope scope, SqlCall call, int index, RelDataType type) {
        Optional<UUID> value =
                call.getKind() == SqlKind.ROW && type.getSqlTypeName() == SqlTypeName.UUID
                        ? written(call.operand(index))
                        : Optional.empty();
        if (value.isEmpty()) {
            return super.coerceOperandType(scope, call, index, type);
        }
        SqlNode literal =
                SqlLiteral.createUuid(value.get(), call.operand(index).getParserPosition());
        call.setOperand(index, literal);
        updateInferredType(literal, factory.createTypeWithNullability(type, false));
        return true;
    }

    /**
     * Long lists become rows too, and the planner takes UUIDs of these for ordered when they are in
     * Java's order. So their texts are compared.
     */
    @Override
    public boolean inOperationCoercion(SqlCallBinding binding) {
        return binding.getOperandType(0).getSqlTypeName() == SqlTypeName.UUID
                        && binding.operand(1) instanceof SqlNodeList list
                        && list.size() >= SqlToRelConverter.DEFAULT_IN_SUB_QUERY_THRESHOLD
                        && haveOneForm(list)
                ? asTexts(binding, list)
                : super.inOperationCoercion(binding);
    }

    private boolean asTexts(SqlCallBinding binding, SqlNodeList list) {
        RelDataType text = validator.deriveType(binding.getScope(), list.getFirst());
        updateInferredType(list, text);
        return coerceOperandType(binding.getScope(), binding.getCall(), 0, text);
    }

    /** Gives UUIDs the text that each has as a value; false if there is anything else. */
    private static boolean haveOneForm(SqlNodeList list) {
        List<SqlNode> texts = new ArrayList<>();
        for (SqlNode node : list) {
            Optional<UUID> value = written(node);
            if (value.isEmpty()) {
                return false;
            }
            texts.add(
                    SqlLiteral.createCharString(value.get().toString(), node.getParserPosition()));
        }
        for (int i = 0; i < texts.size(); i++) {
            list.set(i, texts.get(i));
        }
        return true;
    }

    /** The UUID that a text is, or a text as a UUID. */
    static Optional<UUID> written(SqlNode node) {
        SqlNode text =
                node instanceof SqlCall cast
                                && cast.getKind() == SqlKind.CAST
                                && cast.operand(1) instanceof SqlDataTypeSpec type
                                && type.getTypeName().toString().equals(SqlTypeName.UUID.getName())
                        ? cast.operand(0)
                        : node;
        if (!(text instanceof SqlCharStringLiteral literal)) {
            return Optional.empty();
        }
        try {
            return Optional.of(UUID.fromString(literal.getValueAs(String.class)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
