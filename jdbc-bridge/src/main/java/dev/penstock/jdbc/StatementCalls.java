package dev.penstock.jdbc;

import dev.penstock.sql.SqlEngine;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A statement of this driver, or one of its results: calls go to Calcite's, failures come back with
 * a sentence and an SQLSTATE, and the time that a statement may take is watched from its start to
 * the end of its result. A proxy instead of two hundred methods that each do the same.
 */
final class StatementCalls implements InvocationHandler {
    private final Object target;
    private final PenstockConnection connection;
    private final Deadline deadline;
    private final @Nullable Object statement;

    private StatementCalls(
            Object target,
            PenstockConnection connection,
            Deadline deadline,
            @Nullable Object statement) {
        this.target = target;
        this.connection = connection;
        this.deadline = deadline;
        this.statement = statement;
    }

    /** A {@code Statement} or {@code PreparedStatement} around Calcite's. */
    static <T extends Statement> T around(Class<T> type, T target, PenstockConnection connection) {
        return proxy(type, new StatementCalls(target, connection, new Deadline(target), null));
    }

    @Override
    public @Nullable Object invoke(
            Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        switch (method.getName()) {
            case "getConnection" -> {
                return connection;
            }
            case "getStatement" -> {
                return statement;
            }
            case "equals" -> {
                return isSame(self, arguments);
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "execute",
                    "executeQuery",
                    "executeUpdate",
                    "executeLargeUpdate",
                    "executeBatch" -> {
                deadline.start();
                if (arguments != null && arguments[0] instanceof String text) {
                    arguments[0] = SqlEngine.statement(text);
                }
            }
            case "close" -> deadline.end();
            default -> {}
        }
        return call(self, method, arguments);
    }

    @SuppressWarnings("ReferenceEquality") // equals() of the proxy itself ends here
    private static boolean isSame(Object self, @Nullable Object @Nullable [] arguments) {
        return arguments != null && self == arguments[0];
    }

    private @Nullable Object call(
            Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws SQLException {
        try {
            Object answer = method.invoke(target, arguments);
            if (answer instanceof ResultSet result) {
                return proxy(
                        ResultSet.class, new StatementCalls(result, connection, deadline, self));
            }
            if (target instanceof ResultSet
                    && Boolean.FALSE.equals(answer)
                    && method.getName().equals("next")) {
                deadline.end();
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw SqlErrors.of(e.getCause() == null ? e : e.getCause(), deadline.hasPassed());
        } catch (IllegalAccessException e) {
            throw SqlErrors.of(e, false);
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(
                        StatementCalls.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
