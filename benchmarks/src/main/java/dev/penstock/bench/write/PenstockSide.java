package dev.penstock.bench.write;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.jdbc.PenstockConnection;
import dev.penstock.kv.Table;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A region server in a process of its own. */
final class PenstockSide implements Side {
    private static final int BATCH_ROWS = 8192;

    private final String url;

    PenstockSide(String address) {
        this.url = "jdbc:penstock://" + address + "/";
    }

    @Override
    public String name() {
        return "penstock";
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public void bulk(Connection connection, long from, long to) throws SQLException {
        Table table = connection.unwrap(PenstockConnection.class).store().table(InsertBench.TABLE);
        for (long first = from; first < to; first += BATCH_ROWS) {
            int rows = (int) Math.min(BATCH_ROWS, to - first);
            ColumnBatch batch = ColumnBatch.forColumns(table.schema().columns(), rows);
            for (int row = 0; row < rows; row++) {
                long id = first + row;
                batch.longs(0).values()[row] = id;
                byte[] name = InsertBench.text(id).getBytes(StandardCharsets.UTF_8);
                batch.bytes(1).append(row, name, 0, name.length);
                batch.longs(2).values()[row] = InsertBench.cents(id);
            }
            batch.setRowCount(rows);
            table.put(batch);
        }
    }

    @Override
    public void copy(List<Path> files, int threads) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeLargeUpdate(
                    "COPY "
                            + InsertBench.TABLE
                            + " FROM '"
                            + String.join("', '", files.stream().map(Path::toString).toList())
                            + "' WITH (HEADER false, DELIMITER ',', THREADS "
                            + threads
                            + ")");
        }
    }
}
