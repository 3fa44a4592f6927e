package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A result whose rows are all in memory; values are Integer, Long, Short, Boolean or String. */
final class Rows extends ForwardResultSet implements SelfWrapper {
    private final @Nullable Statement statement;
    private final List<Column> columns;
    private final List<List<@Nullable Object>> rows;
    private int at = -1;
    private boolean closed;
    private boolean wasNull;

    Rows(@Nullable Statement statement, List<Column> columns, List<List<@Nullable Object>> rows) {
        this.statement = statement;
        this.columns = List.copyOf(columns);
        this.rows = rows;
    }

    /**
     * A column of a result.
     *
     * @param type from {@link java.sql.Types}
     */
    record Column(String label, int type) {}

    static List<@Nullable Object> row(@Nullable Object... values) {
        List<@Nullable Object> row = new ArrayList<>();
        Collections.addAll(row, values);
        return row;
    }

    @Override
    public boolean next() throws SQLException {
        checkOpen();
        at = Math.min(at + 1, rows.size());
        return at < rows.size();
    }

    @Override
    public int findColumn(String label) throws SQLException {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).label().equalsIgnoreCase(label)) {
                return i + 1;
            }
        }
        throw new SQLException("the result has no column " + label, "42703");
    }

    @Override
    public @Nullable Object getObject(int column) throws SQLException {
        checkOpen();
        if (at < 0 || at >= rows.size()) {
            throw new SQLException("the result is not at a row; call next()", "24000");
        }
        if (column < 1 || column > columns.size()) {
            throw new SQLException("the result has no column number " + column, "42703");
        }
        Object value = rows.get(at).get(column - 1);
        wasNull = value == null;
        return value;
    }

    @Override
    public boolean wasNull() {
        return wasNull;
    }

    @Override
    public @Nullable String getString(int column) throws SQLException {
        Object value = getObject(column);
        return value == null ? null : value.toString();
    }

    @Override
    public long getLong(int column) throws SQLException {
        return switch (getObject(column)) {
            case null -> 0;
            case Number number -> number.longValue();
            case Boolean truth -> truth ? 1 : 0;
            case Object other -> parse(other.toString()).longValue();
        };
    }

    private static BigDecimal parse(String text) throws SQLException {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new SQLException("'" + text + "' is no number", "22018", e);
        }
    }

    @Override
    public boolean getBoolean(int column) throws SQLException {
        return getLong(column) != 0;
    }

    @Override
    public double getDouble(int column) throws SQLException {
        return getLong(column);
    }

    @Override
    public float getFloat(int column) throws SQLException {
        return getLong(column);
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
        long value = getLong(column);
        return wasNull ? null : BigDecimal.valueOf(value);
    }

    @Override
    public ResultSetMetaData getMetaData() {
        return new RowsMetaData(columns);
    }

    @Override
    public boolean isBeforeFirst() {
        return at < 0 && !rows.isEmpty();
    }

    @Override
    public boolean isAfterLast() {
        return at >= rows.size() && !rows.isEmpty();
    }

    @Override
    public boolean isFirst() {
        return at == 0 && !rows.isEmpty();
    }

    @Override
    public boolean isLast() {
        return at >= 0 && at == rows.size() - 1;
    }

    @Override
    public int getRow() {
        return at >= 0 && at < rows.size() ? at + 1 : 0;
    }

    @Override
    public @Nullable Statement getStatement() {
        return statement;
    }

    @Override
    public void close() throws SQLException {
        if (!closed) {
            closed = true;
            if (statement != null && statement.isCloseOnCompletion()) {
                statement.close();
            }
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public void clearWarnings() {}

    @Override
    public int getFetchSize() {
        return 0;
    }

    /** All rows are here already. */
    @Override
    public void setFetchSize(int size) {}

    @Override
    public int getFetchDirection() {
        return FETCH_FORWARD;
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        if (direction != FETCH_FORWARD) {
            throw Unsupported.method("setFetchDirection");
        }
    }

    @Override
    public int getType() {
        return TYPE_FORWARD_ONLY;
    }

    @Override
    public int getConcurrency() {
        return CONCUR_READ_ONLY;
    }

    @Override
    public int getHoldability() {
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    private void checkOpen() throws SQLException {
        if (closed) {
            throw new SQLException("the result is closed", "24000");
        }
    }
}
