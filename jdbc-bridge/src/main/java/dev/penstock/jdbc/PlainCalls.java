package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Statement;
import java.sql.Types;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * Methods of statements that say more than others of their name, where that makes no difference:
 * there are no generated keys to name, and a parameter becomes what its place expects, whatever
 * type is named. Calcite refuses such methods, or does nothing and says nothing.
 */
final class PlainCalls {
    private static final Map<String, Method> PLAIN =
            Map.of(
                    "execute", method(Statement.class, "execute", String.class),
                    "executeUpdate", method(Statement.class, "executeUpdate", String.class),
                    "executeLargeUpdate",
                            method(Statement.class, "executeLargeUpdate", String.class),
                    "setObject",
                            method(PreparedStatement.class, "setObject", int.class, Object.class),
                    "setNull", method(PreparedStatement.class, "setNull", int.class, int.class));

    private static final Set<Integer> TEXTS =
            Set.of(
                    Types.CHAR,
                    Types.VARCHAR,
                    Types.LONGVARCHAR,
                    Types.NCHAR,
                    Types.NVARCHAR,
                    Types.LONGNVARCHAR);

    /** Setters of what nothing can be stored of; they would leave the value before in its place. */
    private static final Set<String> UNSUPPORTED =
            Set.of(
                    "setArray",
                    "setAsciiStream",
                    "setBinaryStream",
                    "setBlob",
                    "setCharacterStream",
                    "setClob",
                    "setNCharacterStream",
                    "setNClob",
                    "setRef",
                    "setRowId",
                    "setSQLXML",
                    "setURL",
                    "setUnicodeStream");

    private PlainCalls() {}

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("JDBC has no method " + name, e);
        }
    }

    /** The method that does the same with fewer arguments, or the method itself. */
    static Method of(Method called) {
        Method plain = PLAIN.get(called.getName());
        return plain != null && called.getParameterCount() > plain.getParameterCount()
                ? plain
                : called;
    }

    /** Those of the arguments that the plain method takes. */
    static @Nullable Object[] arguments(Method plain, @Nullable Object[] arguments) {
        @Nullable Object[] fewer = Arrays.copyOf(arguments, plain.getParameterCount());
        if (plain.getName().equals("setObject") && isText(arguments[2])) {
            fewer[1] = asText(arguments[1]);
        }
        return fewer;
    }

    private static boolean isText(@Nullable Object type) {
        return switch (type) {
            case Integer number -> TEXTS.contains(number);
            case SQLType named -> TEXTS.contains(named.getVendorTypeNumber());
            case null, default -> false;
        };
    }

    /** Of a date or a time Calcite would have a number. */
    private static @Nullable Object asText(@Nullable Object value) {
        return value instanceof java.util.Date
                        || value instanceof TemporalAccessor
                        || value instanceof Character
                ? value.toString()
                : value;
    }

    /** Refuses a setter that would set nothing. */
    static void checkSupported(Method setter) throws SQLException {
        if (UNSUPPORTED.contains(setter.getName())) {
            throw Unsupported.method(setter.getName());
        }
    }
}
