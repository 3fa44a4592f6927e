package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Conditions;
import dev.penstock.predicate.Predicate;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Types;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code SELECT count(*) FROM t [WHERE condition]}; every other statement is refused. */
final class PenstockStatement extends UnsupportedStatement {
    private static final Pattern COUNT =
            Pattern.compile(
                    "\\s*SELECT\\s+COUNT\\s*\\(\\s*(?:\\*|1)\\s*\\)\\s*(?:AS\\s+)?(\\w+)?\\s+FROM\\s+"
                        + "(\"[^\"]+\"|\\w+)\\s*(?:WHERE\\s+(.*?))?\\s*;?\\s*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final PenstockConnection connection;
    private @Nullable ResultSet result;
    private boolean closed;
    private boolean closeOnCompletion;
    private int fetchSize;
    private long maxRows;

    PenstockStatement(PenstockConnection connection) {
        this.connection = connection;
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        if (closed) {
            throw new SQLException("the statement is closed", "24000");
        }
        Matcher matcher = COUNT.matcher(sql);
        if (!matcher.matches()) {
            throw Unsupported.statement(sql);
        }
        String label = matcher.group(1) == null ? "count(*)" : matcher.group(1);
        String name = matcher.group(2).replace("\"", "");
        ResultSet rows = count(label, name, matcher.group(3));
        result = rows;
        return rows;
    }

    private ResultSet count(String label, String name, @Nullable String condition)
            throws SQLException {
        try {
            Table table = connection.store().table(name);
            Predicate predicate =
                    condition == null
                            ? Predicate.ALWAYS
                            : Conditions.parse(condition, table.schema());
            long count = table.count(KeyRange.ALL, predicate);
            return new Rows(
                    this, List.of(new Rows.Column(label, Types.BIGINT)), List.of(Rows.row(count)));
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        executeQuery(sql);
        return true;
    }

    @Override
    public @Nullable ResultSet getResultSet() {
        return result;
    }

    @Override
    public int getUpdateCount() {
        return -1;
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        if (result != null) {
            result.close();
            result = null;
        }
        return false;
    }

    @Override
    public void close() throws SQLException {
        closed = true;
        getMoreResults();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public void clearWarnings() {}

    @Override
    public int getMaxRows() {
        return (int) maxRows;
    }

    /** A hint at most: no statement here has more than one row. */
    @Override
    public void setMaxRows(int max) {
        maxRows = max;
    }

    @Override
    public int getQueryTimeout() {
        return 0;
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        if (seconds != 0) {
            throw Unsupported.method("setQueryTimeout");
        }
    }

    @Override
    public int getFetchSize() {
        return fetchSize;
    }

    @Override
    public void setFetchSize(int rows) {
        fetchSize = rows;
    }

    @Override
    public int getFetchDirection() {
        return ResultSet.FETCH_FORWARD;
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        if (direction != ResultSet.FETCH_FORWARD) {
            throw Unsupported.method("setFetchDirection");
        }
    }

    @Override
    public int getResultSetConcurrency() {
        return ResultSet.CONCUR_READ_ONLY;
    }

    @Override
    public int getResultSetType() {
        return ResultSet.TYPE_FORWARD_ONLY;
    }

    @Override
    public int getResultSetHoldability() {
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    @Override
    public int getMaxFieldSize() {
        return 0;
    }

    /** No field is ever cut. */
    @Override
    public void setMaxFieldSize(int max) {}

    /** JDBC escapes are not understood either way. */
    @Override
    public void setEscapeProcessing(boolean enable) {}

    @Override
    public boolean isPoolable() {
        return false;
    }

    @Override
    public void setPoolable(boolean poolable) {}

    @Override
    public void closeOnCompletion() {
        closeOnCompletion = true;
    }

    @Override
    public boolean isCloseOnCompletion() {
        return closeOnCompletion;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Wrappers.unwrap(this, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
