package dev.penstock.jdbc;

import dev.penstock.sql.BatchInsert;
import dev.penstock.sql.CancelFlag;
import dev.penstock.sql.ServerWaits;
import dev.penstock.sql.SqlEngine;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;

/**
 * A statement of this driver: a {@link Command} is run here, other calls go to Calcite's; failures
 * come back with a sentence and an SQLSTATE, and the time that the statement may take is watched
 * from its start to the end of its result. A proxy instead of two hundred methods that each do the
 * same.
 */
final class StatementCalls implements InvocationHandler {
    private static final String CANCELLED = "57014";

    /** What is asked for generated keys; there are none ever. */
    private static final List<Rows.Column> GENERATED_KEYS =
            List.of(new Rows.Column("GENERATED_KEY", Types.BIGINT));

    private final Statement target;
    private final PenstockConnection connection;
    private final CommandRunner commands;
    private final InsertRun inserts;
    private final ServerWaits waits;
    private final CancelFlag cancelFlag;
    private final Deadline deadline;
    private final StatementBatch batch = new StatementBatch();
    private final @Nullable Command prepared;

    /** What is prepared if it can be stored in blocks. */
    private final @Nullable BatchInsert insert;

    private volatile boolean closing;

    private StatementCalls(
            Statement target,
            PenstockConnection connection,
            @Nullable Command prepared,
            @Nullable BatchInsert insert) {
        this.target = target;
        this.connection = connection;
        this.prepared = prepared;
        this.insert = insert;
        this.commands = new CommandRunner(connection);
        this.cancelFlag = CancelFlag.of(target);
        this.inserts = new InsertRun(connection.isRemote());
        this.waits = new ServerWaits(connection.isRemote());
        this.deadline = new Deadline(target, this::stop);
    }

    /** A statement around Calcite's. */
    static Statement around(Statement target, PenstockConnection connection) throws SQLException {
        return proxy(Statement.class, new StatementCalls(target, connection, null, null));
    }

    /** A prepared statement around Calcite's. */
    static PreparedStatement around(
            PreparedStatement target, @Nullable BatchInsert insert, PenstockConnection connection)
            throws SQLException {
        return proxy(PreparedStatement.class, new StatementCalls(target, connection, null, insert));
    }

    /** A prepared command; Calcite's statement keeps the settings. */
    static PreparedStatement around(
            Statement target, Command command, PenstockConnection connection) throws SQLException {
        return proxy(
                PreparedStatement.class, new StatementCalls(target, connection, command, null));
    }

    private static <T> T proxy(Class<T> type, StatementCalls handler) throws SQLException {
        handler.connection.opened(handler);
        return type.cast(
                Proxy.newProxyInstance(
                        StatementCalls.class.getClassLoader(),
                        new Class<?>[] {type, PenstockStatement.class},
                        handler));
    }

    @Override
    public @Nullable Object invoke(
            Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Method plain = PlainCalls.of(method);
        if (arguments != null && !plain.equals(method)) {
            return invoke(self, plain, PlainCalls.arguments(plain, arguments));
        }
        if (method.getDeclaringClass() == PreparedStatement.class) {
            remember(method, arguments);
        } else if (isPrepared() && arguments != null && arguments[0] instanceof String) {
            checkTakesText(method);
        }
        return switch (method.getName()) {
            case "getConnection" -> connection;
            case "equals" -> isSame(self, arguments);
            case "hashCode" -> System.identityHashCode(self);
            case "loadReport" -> commands.report();
            case "isWrapperFor" ->
                    arguments != null && ((Class<?>) known(arguments[0])).isInstance(self);
            case "unwrap" ->
                    SelfWrapper.unwrap(
                            self, (Class<?>) known(arguments == null ? null : arguments[0]));
            case "cancel" -> {
                checkOpen();
                stop();
                yield null;
            }
            case "close" -> {
                stopForGood();
                yield call(self, method, arguments);
            }
            case "getGeneratedKeys" -> {
                checkOpen();
                yield new Rows(null, GENERATED_KEYS, List.of());
            }
            case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" ->
                    execute(self, method, arguments);
            case "addBatch", "clearBatch", "executeBatch", "executeLargeBatch" ->
                    prepared == null ? ofBatch(method, arguments) : call(self, method, arguments);
            default ->
                    commands.isCurrent()
                            ? afterCommand(self, method, arguments)
                            : call(self, method, arguments);
        };
    }

    private void begin() throws SQLException {
        deadline.end();
        cancelFlag.clear();
        if (closing) {
            throw closed();
        }
        commands.begin();
        inserts.begin();
        waits.begin();
        deadline.start();
    }

    /** Stops what runs, here or in Calcite, without waiting for it. By any thread. */
    void stop() {
        cancelFlag.set();
        commands.cancel();
        inserts.cancel();
        waits.end();
    }

    /** Stops and closes the statement, as its connection is closed. By any thread. */
    void close() {
        stopForGood();
        try {
            target.close();
        } catch (SQLException e) {
            // It was closed before, or it is and its result is gone with the server.
            return;
        }
    }

    /** What begins now is not to keep the statement locked from who closes it. */
    private void stopForGood() {
        closing = true;
        deadline.end();
        stop();
    }

    /** Whether the time in which it has to end is running. */
    boolean isTimed() {
        return deadline.isRunning();
    }

    /** Of what runs one after the other, the next is not to begin once the statement is stopped. */
    private void checkNotStopped() throws SQLException {
        if (commands.isCancelled()) {
            throw SqlErrors.cancelled(deadline.hasPassed());
        }
    }

    private boolean isPrepared() {
        return prepared != null || target instanceof PreparedStatement;
    }

    /** What is prepared is what runs. */
    private static void checkTakesText(Method method) throws SQLException {
        if (method.getName().startsWith("execute") || method.getName().equals("addBatch")) {
            throw new SQLException(
                    "a prepared statement takes no other text: call "
                            + method.getName()
                            + "() without one, or use createStatement",
                    "HY010");
        }
    }

    private void remember(Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        PlainCalls.checkSupported(method);
        if (method.getName().equals("clearParameters")) {
            batch.clearParameters();
        } else if (method.getName().startsWith("set")) {
            batch.set(arguments, method.getName().equals("setNull"));
        }
    }

    static Object known(@Nullable Object argument) throws SQLException {
        if (argument == null) {
            throw new SQLException("an argument is null", "22004");
        }
        return argument;
    }

    private @Nullable Object execute(
            Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        Command command = prepared;
        if (arguments != null && arguments[0] instanceof String text) {
            command = CommandParser.parse(text);
            arguments[0] = SqlEngine.statement(text);
        }
        if (command == null && insert != null && arguments == null) {
            return insertOne(insert, method);
        }
        if (command == null) {
            batch.checkSet(parameterCount());
            begin();
            commands.forget();
            return runByCalcite(self, method, arguments);
        }
        checkCounts(method);
        begin();
        return answer(method, run(command));
    }

    /** The time is watched on only if there are rows to be read. */
    private @Nullable Object runByCalcite(
            Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        boolean hasRows = false;
        try {
            Object answer = interruptibly(() -> call(self, method, arguments));
            if (answer instanceof Number count) {
                checkCounted(count.longValue());
            }
            hasRows = answer instanceof ResultSet || Boolean.TRUE.equals(answer);
            return answer;
        } finally {
            if (!hasRows) {
                deadline.end();
            }
        }
    }

    /** Calcite counts nothing where rows are read, and leaves them open. */
    private long checkCounted(long count) throws SQLException {
        if (count >= 0) {
            return count;
        }
        ResultSet rows = target.getResultSet();
        if (rows != null) {
            rows.close();
        }
        throw new SQLException("this statement gives rows; use executeQuery", "42000");
    }

    private static Object answer(Method method, long count) {
        return switch (method.getName()) {
            case "execute" -> false;
            case "executeUpdate" -> clamped(count);
            default -> count;
        };
    }

    private static int clamped(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    /** One row needs no plan. */
    private Object insertOne(BatchInsert prepared, Method method) throws SQLException {
        checkCounts(method);
        commands.forget();
        begin();
        try {
            RuntimeException failure = batch.insertOne(prepared, inserts).failure();
            if (failure != null) {
                throw inserts.failed(failure, deadline.hasPassed());
            }
        } finally {
            deadline.end();
        }
        commands.counted(1);
        return answer(method, 1);
    }

    private int parameterCount() throws SQLException {
        return target instanceof PreparedStatement statement
                ? statement.getParameterMetaData().getParameterCount()
                : 0;
    }

    /** Refuses to be asked for rows by what gives a count. */
    private void checkCounts(Method method) throws SQLException {
        checkOpen();
        if (method.getName().equals("executeQuery")) {
            throw new SQLException("this statement gives no rows; use executeUpdate", "42000");
        }
    }

    private void checkOpen() throws SQLException {
        if (target.isClosed()) {
            throw closed();
        }
    }

    private static SQLException closed() {
        return new SQLException("the statement is closed", "55000");
    }

    private @Nullable Object ofBatch(Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        checkOpen();
        switch (method.getName()) {
            case "clearBatch" -> batch.clear();
            case "addBatch" -> {
                String text = arguments == null ? null : (String) known(arguments[0]);
                batch.add(text, parameterCount());
            }
            default -> {
                begin();
                try {
                    long[] counts = runBatch();
                    return method.getName().equals("executeLargeBatch")
                            ? counts
                            : Arrays.stream(counts).mapToInt(StatementCalls::clamped).toArray();
                } finally {
                    deadline.end();
                    commands.forget();
                }
            }
        }
        return null;
    }

    private long[] runBatch() throws SQLException {
        if (!(target instanceof PreparedStatement statement)) {
            return batch.runTexts(this::runText);
        }
        return insert != null
                ? batch.insert(insert, inserts, deadline::hasPassed)
                : batch.runRows(row -> {
                    checkNotStopped();
                    for (int i = 0; i < row.length; i++) {
                        statement.setObject(i + 1, row[i]);
                    }
                    return changed(statement::executeLargeUpdate);
                });
    }

    /** One text of a batch: what stops the statement stops it, and the time is that of them all. */
    private long runText(String text) throws SQLException {
        checkNotStopped();
        Command command = CommandParser.parse(text);
        if (command != null) {
            return runInTime(command);
        }
        return changed(() -> target.executeLargeUpdate(SqlEngine.statement(text)));
    }

    /** What Calcite does for a statement, which may wait for servers. */
    private interface Execution<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    private <T extends @Nullable Object> T interruptibly(Execution<T> execution)
            throws SQLException {
        boolean entered = waits.enter();
        try {
            return execution.run();
        } finally {
            if (entered) {
                waits.leave();
            }
        }
    }

    private long changed(Execution<Long> execution) throws SQLException {
        try {
            return checkCounted(interruptibly(execution));
        } catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
    }

    private SQLException failure(Throwable cause) {
        return SqlErrors.of(cause, deadline.hasPassed(), waits.wereEnded());
    }

    private long run(Command command) throws SQLException {
        try {
            return runInTime(command);
        } finally {
            deadline.end();
        }
    }

    private long runInTime(Command command) throws SQLException {
        try {
            return commands.run(command);
        } catch (SQLException e) {
            throw deadline.hasPassed() && CANCELLED.equals(e.getSQLState())
                    ? new SQLTimeoutException(
                            "The statement took longer than its query timeout.", CANCELLED, e)
                    : e;
        }
    }

    /** What is asked about the result of a command. */
    private @Nullable Object afterCommand(
            Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        return switch (method.getName()) {
            case "getResultSet" -> null;
            case "getUpdateCount" -> clamped(commands.updateCount());
            case "getLargeUpdateCount" -> commands.updateCount();
            case "getMoreResults" -> {
                commands.noMore();
                yield false;
            }
            case "getWarnings" -> commands.warnings();
            case "clearWarnings" -> {
                commands.clearWarnings();
                yield null;
            }
            default -> call(self, method, arguments);
        };
    }

    @SuppressWarnings("ReferenceEquality") // equals() of the proxy itself ends here
    static boolean isSame(Object self, @Nullable Object @Nullable [] arguments) {
        return arguments != null && self == arguments[0];
    }

    private @Nullable Object call(
            Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        if (prepared != null && method.getDeclaringClass() == PreparedStatement.class) {
            return ofPreparedCommand(method);
        }
        try {
            Object answer = method.invoke(target, arguments);
            return answer instanceof ResultSet result
                    ? StatementResult.around(
                            result, deadline, waits, (Statement) self, target.getLargeMaxRows())
                    : answer;
        } catch (InvocationTargetException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (IllegalAccessException e) {
            throw SqlErrors.of(e, false);
        }
    }

    /** A command has neither parameters nor a result. */
    private static @Nullable Object ofPreparedCommand(Method method) throws SQLException {
        return switch (method.getName()) {
            case "clearParameters", "getMetaData" -> null;
            case "addBatch", "getParameterMetaData" -> throw Unsupported.method(method.getName());
            default -> throw new SQLException("the statement has no parameters", "07009");
        };
    }
}
