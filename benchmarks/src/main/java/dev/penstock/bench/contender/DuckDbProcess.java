package dev.penstock.bench.contender;

import dev.penstock.bench.machine.CpuTime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** DuckDB in a JVM of its own, as {@link PenstockProcess} is. */
final class DuckDbProcess implements Contender {
    private final Workload workload;

    DuckDbProcess(Workload workload) {
        this.workload = workload;
    }

    @Override
    public String name() {
        return "duckdb-process";
    }

    @Override
    public String description() {
        return "the same as duckdb in a JVM of its own, from start to exit";
    }

    @Override
    public String version() throws SQLException {
        return DuckDb.engineVersion();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path ddl = Files.writeString(folder.resolve("table.sql"), workload.ddl());
        Path store = Files.createDirectory(folder.resolve("store"));
        List<String> command =
                ChildJvm.command(
                        "512m",
                        DuckDbMain.class,
                        workload.file().toString(),
                        ddl.toString(),
                        store.toString(),
                        Integer.toString(workload.threads()));
        Stopwatch watch = Stopwatch.start(CpuTime.endedChildren());
        String rows = ChildProcess.run(command);
        return new Loaded(watch.stop(), Long.parseLong(rows), Folders.bytes(store));
    }
}
