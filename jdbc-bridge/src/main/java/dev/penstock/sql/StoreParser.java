package dev.penstock.sql;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.parser.impl.SqlParserImpl;
import org.apache.calcite.util.SourceStringReader;

import java.io.Reader;
import java.util.List;

/**
 * Calcite's parser. It reads UPSERT and forgets it while planning, so that here an UPSERT INTO t
 * becomes an INSERT into the table t of another schema, whose tables replace rows.
 */
public final class StoreParser extends SqlParserImpl {
    /** Found by name, see {@link SqlEngine}. */
    public static final SqlParserImplFactory FACTORY = StoreParser::of;

    private static final int TARGET = 1;

    private StoreParser(Reader text) {
        super(text);
    }

    private static SqlAbstractParserImpl of(Reader text) {
        StoreParser parser = new StoreParser(text);
        if (text instanceof SourceStringReader source) {
            parser.setOriginalSql(source.getSourceString());
        }
        return parser;
    }

    @Override
    public SqlNode parseSqlStmtEof() throws Exception {
        SqlNode statement = super.parseSqlStmtEof();
        if (statement instanceof SqlInsert insert
                && insert.isUpsert()
                && insert.getTargetTable() instanceof SqlIdentifier table) {
            insert.setOperand(
                    TARGET,
                    new SqlIdentifier(
                            List.of(SqlEngine.REPLACING_SCHEMA, table.names.getLast()),
                            table.getParserPosition()));
        }
        return statement;
    }
}
