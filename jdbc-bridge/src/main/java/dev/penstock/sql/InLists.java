package dev.penstock.sql;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql2rel.SqlToRelConverter;

import java.util.HashSet;
import java.util.Set;

/**
 * Whether lists of values after IN become conditions or tables to join with, which Calcite decides
 * by one length for a whole statement. As conditions on columns servers look the values up, in a
 * tenth of the time; where a condition is of an expression it is tested here, by code of a term for
 * each value, which takes long to compile.
 */
final class InLists {
    /** Longer ones are tables in any case: conditions that stay here would not compile. */
    private static final int LONGEST_CONDITION = 1000;

    private InLists() {}

    /** Lists of so many values are tables. */
    static int joinedValues(SqlNode statement) {
        ExpressionFinder finder = new ExpressionFinder();
        statement.accept(finder);
        return finder.found
                ? SqlToRelConverter.DEFAULT_IN_SUB_QUERY_THRESHOLD
                : LONGEST_CONDITION + 1;
    }

    /**
     * Finds a list, too long for a condition by default, of other than alike literals or not of a
     * column.
     */
    private static final class ExpressionFinder extends SqlBasicVisitor<Void> {
        private boolean found;

        @Override
        public Void visit(SqlCall call) {
            SqlKind kind = call.getKind();
            if ((kind == SqlKind.IN || kind == SqlKind.NOT_IN)
                    && call.operand(1) instanceof SqlNodeList list
                    && list.size() >= SqlToRelConverter.DEFAULT_IN_SUB_QUERY_THRESHOLD) {
                found |= !(call.operand(0) instanceof SqlIdentifier) || !areAlike(list);
            }
            return super.visit(call);
        }

        /** Whether all are literals of one kind, but for texts that may stand for UUIDs. */
        private static boolean areAlike(SqlNodeList list) {
            Set<SqlTypeName> kinds = new HashSet<>();
            list.forEach(value -> kinds.add(kind(value)));
            return kinds.size() == 1
                    && !kinds.contains(SqlTypeName.ANY)
                    && UuidCoercion.written(list.get(0)).isEmpty();
        }

        private static SqlTypeName kind(SqlNode value) {
            SqlNode unsigned =
                    value.getKind() == SqlKind.MINUS_PREFIX ? ((SqlCall) value).operand(0) : value;
            return unsigned instanceof SqlLiteral literal ? literal.getTypeName() : SqlTypeName.ANY;
        }
    }
}
