package dev.penstock.jdbc;

import java.sql.SQLFeatureNotSupportedException;

/** What to say to a call that this driver does not serve. */
final class Unsupported {
    private static final String STATE = "0A000";

    private Unsupported() {}

    static SQLFeatureNotSupportedException method(String name) {
        return new SQLFeatureNotSupportedException(
                "Penstock's driver does not support "
                        + name
                        + (name.endsWith(")") || name.contains(" ") ? "." : "()."),
                STATE);
    }
}
