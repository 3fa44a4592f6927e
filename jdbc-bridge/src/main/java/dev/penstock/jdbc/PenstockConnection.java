package dev.penstock.jdbc;

import dev.penstock.kv.Penstock;

import org.jspecify.annotations.Nullable;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;

/**
 * A connection to one store: read only, every statement on its own. Closing it closes the store.
 */
public final class PenstockConnection extends UnsupportedConnection {
    private final String url;
    private final Penstock store;
    private volatile boolean closed;

    PenstockConnection(String url, Penstock store) {
        this.url = url;
        this.store = store;
    }

    /** The store behind the connection; valid until the connection is closed. */
    public Penstock store() throws SQLException {
        checkOpen();
        return store;
    }

    String url() {
        return url;
    }

    @Override
    public Statement createStatement() throws SQLException {
        checkOpen();
        return new PenstockStatement(this);
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        if (type != ResultSet.TYPE_FORWARD_ONLY || concurrency != ResultSet.CONCUR_READ_ONLY) {
            throw Unsupported.method("createStatement with scrollable or updatable results");
        }
        return createStatement();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        checkOpen();
        return new PenstockMetaData(this);
    }

    @Override
    public String nativeSQL(String sql) {
        return sql;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            store.close();
        }
    }

    @Override
    public void abort(Executor executor) {
        executor.execute(this::close);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isValid(int timeoutSeconds) {
        return !closed;
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        if (!readOnly) {
            throw Unsupported.method("setReadOnly(false)");
        }
    }

    @Override
    public boolean getAutoCommit() {
        return true;
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        if (!autoCommit) {
            throw Unsupported.method("setAutoCommit(false)");
        }
    }

    /** Nothing is pending ever. */
    @Override
    public void commit() {}

    @Override
    public void rollback() throws SQLException {
        throw Unsupported.method("rollback");
    }

    @Override
    public int getTransactionIsolation() {
        return TRANSACTION_NONE;
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        if (level != TRANSACTION_NONE) {
            throw Unsupported.method("setTransactionIsolation");
        }
    }

    @Override
    public int getHoldability() {
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT) {
            throw Unsupported.method("setHoldability");
        }
    }

    @Override
    public @Nullable String getCatalog() {
        return null;
    }

    /** There are no catalogs; JDBC wants that ignored. */
    @Override
    public void setCatalog(@Nullable String catalog) {}

    @Override
    public @Nullable String getSchema() {
        return null;
    }

    /** There are no schemas; JDBC wants that ignored. */
    @Override
    public void setSchema(@Nullable String schema) {}

    @Override
    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public void clearWarnings() {}

    @Override
    public Map<String, Class<?>> getTypeMap() {
        return Map.of();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        throw Unsupported.method("setTypeMap");
    }

    @Override
    public @Nullable String getClientInfo(String name) {
        return null;
    }

    @Override
    public Properties getClientInfo() {
        return new Properties();
    }

    /** No client information is kept. */
    @Override
    public void setClientInfo(String name, @Nullable String value) {}

    @Override
    public void setClientInfo(Properties properties) {}

    @Override
    public int getNetworkTimeout() {
        return 0;
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        throw Unsupported.method("setNetworkTimeout");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Wrappers.unwrap(this, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    private void checkOpen() throws SQLException {
        if (closed) {
            throw new SQLException("the connection is closed", "08003");
        }
    }
}
