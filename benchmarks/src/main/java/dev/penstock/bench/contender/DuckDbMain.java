package dev.penstock.bench.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Loads a file with DuckDB and prints the number of rows: FILE DDL FOLDER THREADS. */
final class DuckDbMain {
    private DuckDbMain() {}

    public static void main(String[] args) throws SQLException, IOException {
        String ddl = Files.readString(Path.of(args[1]));
        Workload workload = Workload.unread(Path.of(args[0]), ddl, Integer.parseInt(args[3]));
        DuckDb duckDb = new DuckDb(workload, DuckDb.Variant.PLAIN);
        System.out.println(duckDb.load(Path.of(args[2])).rows());
    }
}
