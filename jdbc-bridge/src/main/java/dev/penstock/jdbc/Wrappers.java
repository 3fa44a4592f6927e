package dev.penstock.jdbc;

import java.sql.SQLException;

/** {@code java.sql.Wrapper} for objects that wrap nothing but themselves. */
final class Wrappers {
    private Wrappers() {}

    static <T> T unwrap(Object object, Class<T> type) throws SQLException {
        if (!type.isInstance(object)) {
            throw new SQLException(
                    object.getClass().getSimpleName() + " is no " + type.getName(), "0A000");
        }
        return type.cast(object);
    }
}
