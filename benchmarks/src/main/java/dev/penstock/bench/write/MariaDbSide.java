package dev.penstock.bench.write;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** MariaDB by its own driver; a batch travels by its bulk protocol and is one transaction. */
final class MariaDbSide implements Side {
    /** Rows of one INSERT with many VALUES. */
    private static final int BATCH_ROWS = 1000;

    private final String url;

    MariaDbSide(String url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public void bulk(Connection connection, long from, long to) throws SQLException {
        for (long first = from; first < to; first += BATCH_ROWS) {
            int rows = (int) Math.min(BATCH_ROWS, to - first);
            String sql =
                    "INSERT INTO "
                            + InsertBench.TABLE
                            + " VALUES (?,?,?)"
                            + ",(?,?,?)".repeat(rows - 1);
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                for (int row = 0; row < rows; row++) {
                    InsertBench.set(insert, 3 * row, first + row);
                }
                insert.executeUpdate();
            }
        }
    }

    @Override
    public void copy(List<Path> files, int threads) throws Exception {
        InsertBench.each(
                threads,
                thread -> {
                    try (Connection connection = connect();
                            Statement statement = connection.createStatement()) {
                        statement.execute("SET unique_checks = 0, foreign_key_checks = 0");
                        for (int i = thread; i < files.size(); i += threads) {
                            statement.execute(
                                    "LOAD DATA LOCAL INFILE '"
                                            + files.get(i)
                                            + "' INTO TABLE "
                                            + InsertBench.TABLE
                                            + " FIELDS TERMINATED BY ','");
                        }
                    }
                });
    }
}
