package dev.penstock.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A store that a test makes for itself. */
public final class NewStore {
    private NewStore() {}

    /** Makes one in a folder, and connects to it. */
    public static Connection connect(Path folder) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:penstock:" + folder.resolve("store") + "?create=true");
    }
}
