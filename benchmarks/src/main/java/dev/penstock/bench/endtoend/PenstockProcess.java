package dev.penstock.bench.endtoend;

import dev.penstock.cli.Main;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.loader.LoadReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The {@code penstock load} command as a process, from start to exit. */
final class PenstockProcess implements Contender {
    private final Workload workload;

    PenstockProcess(Workload workload) {
        this.workload = workload;
    }

    @Override
    public String name() {
        return "penstock-process";
    }

    @Override
    public String description() {
        return "the command 'penstock load' from start to exit, JVM start and warm-up included";
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path ddl = folder.resolve("lineitem.sql");
        Files.writeString(ddl, TpchTable.LINEITEM.ddl());
        String report =
                ChildJvm.run(
                        "1g",
                        Main.class.getName(),
                        "load",
                        workload.file().toString(),
                        "--table",
                        workload.schema().name(),
                        "--ddl",
                        ddl.toString(),
                        "--store",
                        folder.resolve("store").toString(),
                        "--threads",
                        Integer.toString(workload.threads()),
                        "--json",
                        "--quiet");
        return new Loaded(LoadReport.fromJson(report).rowsLoaded());
    }
}
