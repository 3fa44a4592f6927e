package dev.penstock.jdbc;

import dev.penstock.sql.OrderedUuid;
import dev.penstock.sql.ServerWaits;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Array;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Calendar;

/**
 * A result of a statement of this driver: values are Calcite's, failures come back with a sentence
 * and an SQLSTATE, numbers that do not fit are refused, and the time that the statement may take is
 * watched to the end of the result.
 */
final class StatementResult extends ForwardResultSet implements SelfWrapper {
    /** From this on doubles are no longs. */
    private static final double LONG_END = 0x1p63;

    private static final BigDecimal LEAST_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal GREATEST_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

    private final ResultSet target;
    private final Deadline deadline;
    private final ServerWaits waits;
    private final Statement statement;

    /** From {@link Types}, by column number. */
    private final int[] types;

    private final long maxRows;
    private long rows;
    private boolean cut;

    private StatementResult(
            ResultSet target,
            Deadline deadline,
            ServerWaits waits,
            Statement statement,
            int[] types,
            long maxRows) {
        this.target = target;
        this.deadline = deadline;
        this.waits = waits;
        this.statement = statement;
        this.types = types;
        this.maxRows = maxRows;
    }

    /**
     * Around Calcite's, which does not know how many rows are wanted of a prepared statement.
     *
     * @param maxRows where it ends at the latest; 0 for its own end
     */
    static ResultSet around(
            ResultSet target,
            Deadline deadline,
            ServerWaits waits,
            Statement statement,
            long maxRows)
            throws SQLException {
        // A closed one does not tell its columns.
        int[] types = target.isClosed() ? new int[0] : types(target.getMetaData());
        return new StatementResult(target, deadline, waits, statement, types, maxRows);
    }

    private static int[] types(ResultSetMetaData columns) throws SQLException {
        int[] types = new int[columns.getColumnCount() + 1];
        for (int column = 1; column < types.length; column++) {
            types[column] = columns.getColumnType(column);
        }
        return types;
    }

    private SQLException failure(Throwable cause) {
        return SqlErrors.of(cause, deadline.hasPassed(), waits.wereEnded());
    }

    /** What rarely used methods do of the target. */
    private interface Answer<T extends @Nullable Object> {
        T get() throws SQLException;
    }

    private <T extends @Nullable Object> T answer(Answer<T> call) throws SQLException {
        try {
            return call.get();
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    private boolean isOf(int column, int type) {
        return column > 0 && column < types.length && types[column] == type;
    }

    private boolean isFloating(int column) {
        return isOf(column, Types.DOUBLE) || isOf(column, Types.REAL) || isOf(column, Types.FLOAT);
    }

    // Rows

    @Override
    public boolean next() throws SQLException {
        boolean interruptible = waits.enter();
        try {
            cut = maxRows > 0 && rows == maxRows && !target.isClosed();
            boolean more = !cut && target.next();
            if (more) {
                rows++;
            } else {
                deadline.end();
            }
            return more;
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        } finally {
            if (interruptible) {
                waits.leave();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        deadline.end();
        try {
            target.close();
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public Statement getStatement() {
        return statement;
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        return answer(() -> target.isBeforeFirst());
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        return answer(() -> target.isAfterLast() || cut);
    }

    @Override
    public boolean isFirst() throws SQLException {
        return answer(() -> target.isFirst());
    }

    @Override
    public boolean isLast() throws SQLException {
        return answer(() -> target.isLast());
    }

    @Override
    public int getRow() throws SQLException {
        return answer(() -> cut ? 0 : target.getRow());
    }

    @Override
    public boolean isClosed() throws SQLException {
        return answer(() -> target.isClosed());
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        return answer(() -> target.getWarnings());
    }

    @Override
    public void clearWarnings() throws SQLException {
        try {
            target.clearWarnings();
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public int getFetchSize() throws SQLException {
        return answer(() -> target.getFetchSize());
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        try {
            target.setFetchSize(rows);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public int getFetchDirection() throws SQLException {
        return answer(() -> target.getFetchDirection());
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        try {
            target.setFetchDirection(direction);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public int getType() throws SQLException {
        return answer(() -> target.getType());
    }

    @Override
    public int getConcurrency() throws SQLException {
        return answer(() -> target.getConcurrency());
    }

    @Override
    public int getHoldability() throws SQLException {
        return answer(() -> target.getHoldability());
    }

    // Columns

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return answer(() -> target.getMetaData());
    }

    @Override
    public int findColumn(String label) throws SQLException {
        return answer(() -> target.findColumn(label));
    }

    @Override
    public boolean wasNull() throws SQLException {
        try {
            return target.wasNull();
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    // Numbers, all of which a long or a decimal holds or none of it

    @Override
    public long getLong(int column) throws SQLException {
        try {
            if (isOf(column, Types.DECIMAL)) {
                return whole(target.getBigDecimal(column));
            }
            if (isFloating(column)) {
                return whole(target.getDouble(column));
            }
            return target.getLong(column);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    private static long whole(@Nullable BigDecimal value) throws SQLException {
        if (value == null) {
            return 0;
        }
        BigDecimal whole = value.scale() <= 0 ? value : value.setScale(0, RoundingMode.DOWN);
        if (whole.compareTo(LEAST_LONG) < 0 || whole.compareTo(GREATEST_LONG) > 0) {
            throw outOfRange(value.toPlainString());
        }
        return whole.longValue();
    }

    private static long whole(double value) throws SQLException {
        if (value >= -LONG_END && value < LONG_END) {
            return (long) value;
        }
        throw outOfRange(value);
    }

    @Override
    public double getDouble(int column) throws SQLException {
        try {
            return target.getDouble(column);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public float getFloat(int column) throws SQLException {
        double value = getDouble(column);
        float single = (float) value;
        if (Float.isInfinite(single) && !Double.isInfinite(value)) {
            throw outOfRange(value);
        }
        return single;
    }

    @Override
    public boolean getBoolean(int column) throws SQLException {
        try {
            return target.getBoolean(column);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
        try {
            return target.getBigDecimal(column);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    @Deprecated
    public @Nullable BigDecimal getBigDecimal(int column, int scale) throws SQLException {
        BigDecimal value = getBigDecimal(column);
        return value == null ? null : value.setScale(scale, RoundingMode.HALF_UP);
    }

    // Other values

    /** Decimals without an exponent. */
    @Override
    public @Nullable String getString(int column) throws SQLException {
        try {
            if (isOf(column, Types.DECIMAL)) {
                BigDecimal value = target.getBigDecimal(column);
                return value == null ? null : value.toPlainString();
            }
            return target.getString(column);
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public @Nullable String getNString(int column) throws SQLException {
        return getString(column);
    }

    @Override
    public @Nullable Object getObject(int column) throws SQLException {
        try {
            Object value = target.getObject(column);
            return value instanceof OrderedUuid id ? id.value() : value;
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
        try {
            return type.cast(TypedValues.read(this, column, (Class<?>) StatementCalls.known(type)));
        } catch (SQLException | RuntimeException | Error e) {
            throw failure(e);
        }
    }

    @Override
    public byte @Nullable [] getBytes(int column) throws SQLException {
        return answer(() -> target.getBytes(column));
    }

    @Override
    public @Nullable Date getDate(int column) throws SQLException {
        return answer(() -> target.getDate(column));
    }

    @Override
    public @Nullable Date getDate(int column, @Nullable Calendar calendar) throws SQLException {
        return answer(() -> target.getDate(column, calendar));
    }

    @Override
    public @Nullable Time getTime(int column) throws SQLException {
        return answer(() -> target.getTime(column));
    }

    @Override
    public @Nullable Time getTime(int column, @Nullable Calendar calendar) throws SQLException {
        return answer(() -> target.getTime(column, calendar));
    }

    @Override
    public @Nullable Timestamp getTimestamp(int column) throws SQLException {
        return answer(() -> target.getTimestamp(column));
    }

    @Override
    public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
            throws SQLException {
        return answer(() -> target.getTimestamp(column, calendar));
    }

    @Override
    public @Nullable Array getArray(int column) throws SQLException {
        return answer(() -> target.getArray(column));
    }
}
