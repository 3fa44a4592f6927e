package dev.penstock.bench.endtoend;

import java.nio.file.Path;
import java.sql.SQLException;

/** Loads a file with DuckDB and prints the number of rows: FILE FOLDER THREADS. */
final class DuckDbMain {
    private DuckDbMain() {}

    public static void main(String[] args) throws SQLException {
        Workload workload = Workload.lineitem(Path.of(args[0]), Integer.parseInt(args[2]));
        System.out.println(new DuckDb(workload, false).load(Path.of(args[1])).rows());
    }
}
