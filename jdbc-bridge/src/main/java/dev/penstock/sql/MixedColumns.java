package dev.penstock.sql;

import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Columns of rows that are inserted in which texts stand beside something else, as a text for a
 * date beside NULL. Each would be made what the table has there, but before that Calcite wants all
 * that stand below each other to be of one type. So the others are cast to the table's.
 */
final class MixedColumns {
    private final List<SqlCall> rows;
    private final Prepare.CatalogReader catalog;

    private MixedColumns(List<SqlCall> rows, Prepare.CatalogReader catalog) {
        this.rows = rows;
        this.catalog = catalog;
    }

    /** Changes a statement that is not validated yet, if it inserts such rows. */
    static void cast(SqlNode statement, Prepare.CatalogReader catalog) {
        SqlNode change =
                statement instanceof SqlExplain explain ? explain.getExplicandum() : statement;
        if (change instanceof SqlInsert insert
                && insert.getSource() instanceof SqlCall values
                && values.getKind() == SqlKind.VALUES
                && insert.getTargetTable() instanceof SqlIdentifier name) {
            List<SqlCall> rows = new ArrayList<>();
            for (SqlNode row : values.getOperandList()) {
                if (row.getKind() == SqlKind.ROW) {
                    rows.add((SqlCall) row);
                }
            }
            Prepare.PreparingTable table = catalog.getTable(name.names);
            if (rows.size() > 1 && table != null) {
                new MixedColumns(rows, catalog)
                        .castTo(table.getRowType(), insert.getTargetColumnList());
            }
        }
    }

    private void castTo(RelDataType table, @Nullable SqlNodeList names) {
        int columnCount = rows.stream().mapToInt(SqlCall::operandCount).min().orElse(0);
        List<RelDataTypeField> fields = table.getFieldList();
        columnCount = Math.min(columnCount, names == null ? fields.size() : names.size());
        for (int i = 0; i < columnCount; i++) {
            RelDataTypeField field =
                    names == null
                            ? fields.get(i)
                            : catalog.nameMatcher().field(table, lastName(names.get(i)));
            if (field != null && isMixed(i)) {
                castTo(field.getType(), i);
            }
        }
    }

    private static String lastName(SqlNode column) {
        return ((SqlIdentifier) column).names.getLast();
    }

    private boolean isMixed(int column) {
        long texts = rows.stream().filter(row -> isText(row.operand(column))).count();
        long nulls = rows.stream().filter(row -> SqlUtil.isNull(row.operand(column))).count();
        return texts < rows.size() && nulls < rows.size() && texts + nulls > 0;
    }

    private void castTo(RelDataType type, int column) {
        boolean text = SqlTypeUtil.isCharacter(type);
        for (SqlCall row : rows) {
            SqlNode value = row.operand(column);
            if (isLiteral(value) && isText(value) != text) {
                SqlDataTypeSpec spec = SqlTypeUtil.convertTypeToSpec(type);
                row.setOperand(
                        column,
                        SqlStdOperatorTable.CAST.createCall(
                                value.getParserPosition(), value, Objects.requireNonNull(spec)));
            }
        }
    }

    private static boolean isText(SqlNode value) {
        return value instanceof SqlCharStringLiteral;
    }

    /** Whether it is one, signed or not, other than NULL. */
    private static boolean isLiteral(SqlNode value) {
        return value.getKind() == SqlKind.MINUS_PREFIX || value.getKind() == SqlKind.PLUS_PREFIX
                ? isLiteral(((SqlCall) value).operand(0))
                : value instanceof SqlLiteral && !SqlUtil.isNull(value);
    }
}
