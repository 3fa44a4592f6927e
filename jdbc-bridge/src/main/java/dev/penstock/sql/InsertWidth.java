package dev.penstock.sql;

import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.util.Static;

/**
 * Says that an INSERT has more values than its table has columns. Calcite does where the columns
 * are named; where they are not, it ends with an index.
 */
final class InsertWidth {
    private InsertWidth() {}

    /**
     * What validation has failed with, in words.
     *
     * @param validator has validated what is inserted
     */
    static RuntimeException told(
            IndexOutOfBoundsException failure,
            SqlNode statement,
            SqlValidator validator,
            Prepare.CatalogReader catalog) {
        SqlNode change =
                statement instanceof SqlExplain explain ? explain.getExplicandum() : statement;
        if (change instanceof SqlInsert insert
                && insert.getTargetColumnList() == null
                && insert.getTargetTable() instanceof SqlIdentifier name) {
            Prepare.PreparingTable table = catalog.getTable(name.names);
            SqlValidatorNamespace source = validator.getNamespace(insert.getSource());
            if (table != null && source != null) {
                int columns = table.getRowType().getFieldCount();
                int values = source.getRowType().getFieldCount();
                if (values > columns) {
                    return SqlUtil.newContextException(
                            name.getParserPosition(),
                            Static.RESOURCE.unmatchInsertColumn(columns, values));
                }
            }
        }
        return failure;
    }
}
