package dev.penstock.jdbc;

import java.sql.SQLException;
import java.sql.Wrapper;

/** What wraps nothing but itself. */
interface SelfWrapper extends Wrapper {
    @Override
    default <T> T unwrap(Class<T> type) throws SQLException {
        return unwrap(this, type);
    }

    @Override
    default boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    /** The object itself if it is of the type. */
    static <T> T unwrap(Object object, Class<T> type) throws SQLException {
        if (!type.isInstance(object)) {
            throw new SQLException(
                    object.getClass().getSimpleName() + " is no " + type.getName(), "0A000");
        }
        return type.cast(object);
    }
}
