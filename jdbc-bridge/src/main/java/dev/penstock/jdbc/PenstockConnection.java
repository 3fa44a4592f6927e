package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.loader.LoadReport;
import dev.penstock.schema.TableSchema;
import dev.penstock.sql.BatchInsert;
import dev.penstock.sql.SqlEngine;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.io.Reader;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to one store: every statement sees one epoch and takes effect on its own. Closing it
 * stops its loads and closes its statements; the last connection to a folder closes the store.
 */
public final class PenstockConnection extends UnsupportedConnection implements SelfWrapper {
    private final ConnectionSettings settings;
    private final StoreHandle handle;
    private final Set<LoadJob> running = ConcurrentHashMap.newKeySet();

    /** Those that somebody still knows. */
    private final Set<StatementCalls> statements =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private volatile boolean closed;

    PenstockConnection(ConnectionSettings settings, StoreHandle handle) {
        this.settings = settings;
        this.handle = handle;
    }

    /** The store behind the connection; valid until the connection is closed. */
    public Penstock store() throws SQLException {
        checkOpen();
        return handle.store();
    }

    /**
     * A bulk load into a table, to be configured and run.
     *
     * @throws SQLException 42P01 if there is no such table
     */
    public TableLoad bulkLoad(String table) throws SQLException {
        TableLoad load = new TableLoad(this, schemaOf(table));
        return settings.loadThreads() > 0 ? load.threads(settings.loadThreads()) : load;
    }

    /**
     * Runs {@code COPY t FROM STDIN} with what a stream holds, which may be compressed and stays
     * open.
     *
     * @throws SQLException if it failed; then nothing of it is visible, unless the SQLSTATE is
     *     40003, as for {@link TableLoad#run}
     */
    public LoadReport copyIn(String copy, InputStream input) throws SQLException {
        if (CommandParser.parse(copy) instanceof Command.Copy command
                && command.inputs().isEmpty()) {
            return load(command).from(input).run();
        }
        throw new SQLException("a statement COPY t FROM STDIN is expected", "42601");
    }

    /** The same with the characters of a reader. */
    public LoadReport copyIn(String copy, Reader input) throws SQLException {
        return copyIn(copy, new ReaderStream(input));
    }

    /** The load that a COPY describes, but for a stream. */
    TableLoad load(Command.Copy copy) throws SQLException {
        TableLoad load = bulkLoad(copy.table());
        try {
            copy.options().forEach(load::option);
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
        return load.columns(copy.columns().toArray(String[]::new)).from(copy.inputs());
    }

    /** Runs a load on the calling thread; closing the connection cancels it. */
    LoadReport run(LoadJob job) throws SQLException {
        running.add(job);
        StoreHandle.Remembered remembered = handle.add(job);
        if (closed) {
            job.cancel();
        }
        try {
            return job.run();
        } finally {
            running.remove(job);
            remembered.ended();
        }
    }

    /** A statement has been made; closing the connection closes it. */
    void opened(StatementCalls statement) throws SQLException {
        statements.add(statement);
        if (closed) {
            statement.close();
        }
        checkOpen();
    }

    private TableSchema schemaOf(String table) throws SQLException {
        try {
            return store().findTable(table)
                    .orElseThrow(() -> new SQLException("there is no table " + table, "42P01"))
                    .schema();
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    /** Whether the store is in other processes. */
    boolean isRemote() {
        return settings.servers() != null;
    }

    String url() {
        return settings.url();
    }

    @Override
    public Statement createStatement() throws SQLException {
        return StatementCalls.around(withTimeout(sql().createStatement()), this);
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        checkForward(type, concurrency);
        return createStatement();
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability)
            throws SQLException {
        setHoldability(holdability);
        return createStatement(type, concurrency);
    }

    @Override
    public PreparedStatement prepareStatement(String text) throws SQLException {
        Connection calcite = sql();
        Command command = CommandParser.parse(text);
        try {
            return command != null
                    ? StatementCalls.around(withTimeout(calcite.createStatement()), command, this)
                    : StatementCalls.around(
                            withTimeout(calcite.prepareStatement(SqlEngine.statement(text))),
                            BatchInsert.of(handle.store(), SqlEngine.statement(text)),
                            this);
        } catch (SQLException | RuntimeException e) {
            throw SqlErrors.of(e, false);
        }
    }

    private <T extends Statement> T withTimeout(T statement) throws SQLException {
        if (settings.queryTimeout() > 0) {
            statement.setQueryTimeout(settings.queryTimeout());
        }
        return statement;
    }

    @Override
    public PreparedStatement prepareStatement(String text, int type, int concurrency)
            throws SQLException {
        checkForward(type, concurrency);
        return prepareStatement(text);
    }

    @Override
    public PreparedStatement prepareStatement(
            String text, int type, int concurrency, int holdability) throws SQLException {
        setHoldability(holdability);
        return prepareStatement(text, type, concurrency);
    }

    /**
     * Keys are never generated that a caller could ask for, so that asking for them is no error.
     */
    @Override
    public PreparedStatement prepareStatement(String text, int autoGeneratedKeys)
            throws SQLException {
        return prepareStatement(text);
    }

    @Override
    public PreparedStatement prepareStatement(String text, int[] columnIndexes)
            throws SQLException {
        return prepareStatement(text);
    }

    @Override
    public PreparedStatement prepareStatement(String text, String[] columnNames)
            throws SQLException {
        return prepareStatement(text);
    }

    private static void checkForward(int type, int concurrency) throws SQLException {
        if (type != ResultSet.TYPE_FORWARD_ONLY || concurrency != ResultSet.CONCUR_READ_ONLY) {
            throw Unsupported.method("createStatement with scrollable or updatable results");
        }
    }

    /**
     * For one statement. Calcite's connections are not for several threads: two statements that are
     * made at once may get the same number there, and then the parameters of each other.
     */
    private Connection sql() throws SQLException {
        checkOpen();
        return SqlEngine.connect(handle.store(), handle::lines);
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
            List<StatementCalls> open = new ArrayList<>(statements);
            open.forEach(StatementCalls::stop);
            running.forEach(LoadJob::cancel);
            running.forEach(LoadJob::awaitEnd);
            if (isRemote()) {
                // Who waits for a server keeps the statement locked, and stops waiting by this.
                handle.close();
            }
            open.forEach(StatementCalls::close);
            handle.close();
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
    public boolean isValid(int timeoutSeconds) throws SQLException {
        if (timeoutSeconds < 0) {
            throw new SQLException("a timeout is not negative", "22023");
        }
        return !closed && (!isRemote() || leaderAnswers(timeoutSeconds));
    }

    /** Asks in a thread of its own, as a server that hangs is waited for much longer. */
    private boolean leaderAnswers(int timeoutSeconds) {
        FutureTask<Long> answer = new FutureTask<>(handle.store().cluster().metadata()::epoch);
        Thread.ofPlatform().daemon().name("penstock-valid").start(answer);
        try {
            long wait = timeoutSeconds == 0 ? Integer.MAX_VALUE : timeoutSeconds;
            answer.get(wait, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    /** A hint, which changes nothing here. */
    @Override
    public void setReadOnly(boolean readOnly) {}

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

    private void checkOpen() throws SQLException {
        if (closed) {
            throw new SQLException("the connection is closed", "08003");
        }
    }
}
