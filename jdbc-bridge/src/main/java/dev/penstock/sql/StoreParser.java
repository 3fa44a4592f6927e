package dev.penstock.sql;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.parser.impl.SqlParserImpl;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.SourceStringReader;

import java.io.Reader;
import java.util.List;

/**
 * Calcite's parser. It reads UPSERT and forgets it while planning, so that here an UPSERT INTO t
 * becomes an INSERT into the table t of another schema, whose tables replace rows. The table that
 * an UPDATE or DELETE changes is looked for in a third, whose rows have hidden fields. Numbers of
 * VALUES become {@link AlikeNumbers}, UUIDs {@link UuidTexts}, and many conditions in a row trees
 * of {@link LongChains}.
 */
public final class StoreParser extends SqlParserImpl {
    /** Found by name, see {@link SqlEngine}. */
    public static final SqlParserImplFactory FACTORY = StoreParser::of;

    private static final int INSERT_TARGET = 1;
    private static final int CHANGE_TARGET = 0;

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
        SqlNode statement = UuidTexts.in(LongChains.in(super.parseSqlStmtEof()));
        statement.accept(new AlikeNumbers());
        switch (statement) {
            case SqlInsert insert when insert.isUpsert() ->
                    move(
                            insert,
                            INSERT_TARGET,
                            insert.getTargetTable(),
                            SqlEngine.REPLACING_SCHEMA);
            case SqlUpdate update ->
                    move(update, CHANGE_TARGET, update.getTargetTable(), SqlEngine.CHANGING_SCHEMA);
            case SqlDelete delete ->
                    move(delete, CHANGE_TARGET, delete.getTargetTable(), SqlEngine.CHANGING_SCHEMA);
            default -> {}
        }
        return statement;
    }

    private static void move(SqlCall statement, int operand, SqlNode target, String schema) {
        if (target instanceof SqlIdentifier table) {
            withoutSchema(statement, table.names.getLast());
            statement.setOperand(
                    operand,
                    new SqlIdentifier(
                            List.of(schema, table.names.getLast()), table.getParserPosition()));
        }
    }

    /** Columns that are named with schema and table would not be found in the other schema. */
    private static void withoutSchema(SqlCall statement, String table) {
        SqlShuttle shorten =
                new SqlShuttle() {
                    @Override
                    public SqlNode visit(SqlIdentifier name) {
                        List<String> names = name.names;
                        return names.size() == 3
                                        && names.getFirst().equalsIgnoreCase(SqlEngine.SCHEMA)
                                        && names.get(1).equalsIgnoreCase(table)
                                ? name.getComponent(1, 3)
                                : name;
                    }
                };
        for (int i = 0; i < statement.operandCount(); i++) {
            SqlNode operand = statement.operand(i);
            if (operand != null) {
                statement.setOperand(i, operand.accept(shorten));
            }
        }
    }
}
