package dev.penstock.jdbc;

import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A result of a statement of this driver: calls go to Calcite's, failures come back with a sentence
 * and an SQLSTATE, and the time that the statement may take is watched to the end of the result.
 */
final class ResultCalls implements InvocationHandler {
    private final ResultSet target;
    private final Deadline deadline;
    private final Object statement;

    private ResultCalls(ResultSet target, Deadline deadline, Object statement) {
        this.target = target;
        this.deadline = deadline;
        this.statement = statement;
    }

    static ResultSet around(ResultSet target, Deadline deadline, Object statement) {
        return (ResultSet)
                Proxy.newProxyInstance(
                        ResultCalls.class.getClassLoader(),
                        new Class<?>[] {ResultSet.class},
                        new ResultCalls(target, deadline, statement));
    }

    @Override
    public @Nullable Object invoke(
            Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        switch (method.getName()) {
            case "getStatement" -> {
                return statement;
            }
            case "equals" -> {
                return StatementCalls.isSame(self, arguments);
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "getObject" -> {
                if (arguments != null && isTyped(method)) {
                    return typed(arguments);
                }
            }
            case "close" -> deadline.end();
            default -> {}
        }
        try {
            Object answer = method.invoke(target, arguments);
            if (Boolean.FALSE.equals(answer) && method.getName().equals("next")) {
                deadline.end();
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    private static boolean isTyped(Method method) {
        return method.getParameterCount() == 2 && method.getParameterTypes()[1] == Class.class;
    }

    /** Calcite's result refuses every class. */
    private @Nullable Object typed(@Nullable Object[] arguments) throws SQLException {
        Object column = StatementCalls.known(arguments[0]);
        Class<?> type = (Class<?>) StatementCalls.known(arguments[1]);
        try {
            int index =
                    column instanceof Integer number ? number : target.findColumn((String) column);
            return TypedValues.read(target, index, type);
        } catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
    }

    private SQLException failure(Throwable cause) {
        return SqlErrors.of(cause, deadline.hasPassed());
    }
}
