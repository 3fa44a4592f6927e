package dev.penstock.bench.endtoend;

import java.io.IOException;
import java.nio.file.Path;

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
    public Loaded load(Path folder) throws IOException, InterruptedException {
        String rows =
                ChildJvm.run(
                        "512m",
                        DuckDbMain.class.getName(),
                        workload.file().toString(),
                        folder.toString(),
                        Integer.toString(workload.threads()));
        return new Loaded(Long.parseLong(rows));
    }
}
