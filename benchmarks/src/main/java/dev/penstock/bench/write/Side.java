package dev.penstock.bench.write;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A database that rows are written to; each thread has a connection of its own. */
interface Side {
    String name();

    /** A connection that commits each statement. */
    Connection connect() throws SQLException;

    /** Stores rows {@code from} to {@code to} by the fastest way for rows in memory. */
    void bulk(Connection connection, long from, long to) throws SQLException;

    /** Loads files of comma-separated text, all of them together, with that many threads. */
    void copy(List<Path> files, int threads) throws Exception;
}
