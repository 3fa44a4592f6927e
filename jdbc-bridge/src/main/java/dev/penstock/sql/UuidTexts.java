package dev.penstock.sql;

import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUuidLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.UUID;

/**
 * Makes {@code UUID '…'} a cast of the text. Of two literals Calcite knows which is less before
 * anybody is asked, by Java's order; to it a range may then be empty that is not. Rows that are
 * inserted have no order, and keep their literals.
 */
final class UuidTexts extends SqlShuttle {
    private UuidTexts() {}

    static SqlNode in(SqlNode statement) {
        return Objects.requireNonNull(statement.accept(new UuidTexts()));
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        return call instanceof SqlInsert insert && insert.getSource().getKind() == SqlKind.VALUES
                ? call
                : super.visit(call);
    }

    @Override
    public @Nullable SqlNode visit(SqlLiteral literal) {
        return switch (literal) {
            case SqlUuidLiteral uuid -> cast(uuid.getUuid().toString(), uuid.getParserPosition());
            case SqlUnknownLiteral unknown when isUuid(unknown) ->
                    cast(unknown.getValue(), unknown.getParserPosition());
            default -> literal;
        };
    }

    /** Whether it is one; of others Calcite says what is wrong. */
    private static boolean isUuid(SqlUnknownLiteral literal) {
        if (!literal.tag.equalsIgnoreCase(SqlTypeName.UUID.getName())) {
            return false;
        }
        try {
            UUID.fromString(literal.getValue());
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static SqlNode cast(String text, SqlParserPos at) {
        return SqlStdOperatorTable.CAST.createCall(
                at,
                SqlLiteral.createCharString(text, at),
                new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.UUID, at), at));
    }
}
