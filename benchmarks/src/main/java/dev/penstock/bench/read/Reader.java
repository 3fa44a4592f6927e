package dev.penstock.bench.read;

import java.sql.SQLException;

/** An engine that has loaded the file and answers queries. */
interface Reader extends AutoCloseable {
    String name();

    /** The answer as CSV without a header. */
    String run(Query query) throws Exception;

    @Override
    void close() throws SQLException;
}
