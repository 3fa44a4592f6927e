package dev.penstock.bench.endtoend;

import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;

import java.nio.file.Path;
import java.util.ServiceLoader;

/** Penstock as a library in this JVM, which earlier runs have warmed up. */
final class PenstockInProcess implements Contender {
    private final Workload workload;

    PenstockInProcess(Workload workload) {
        this.workload = workload;
    }

    @Override
    public String name() {
        return "penstock";
    }

    @Override
    public String description() {
        return "open an embedded store, plan, load, publish, close; within a warm JVM";
    }

    @Override
    public Loaded load(Path folder) {
        LoadSpec spec =
                LoadSpec.builder(workload.schema().name())
                        .from(workload.file().toString())
                        .schema(workload.schema())
                        .threads(workload.threads())
                        .build();
        try (LoadTarget target = open("dir:" + folder.resolve("store"))) {
            LoadReport report = BulkLoad.into(target, spec.table()).spec(spec).run();
            return new Loaded(report.rowsLoaded());
        }
    }

    private static LoadTarget open(String address) {
        for (LoadTargetProvider provider : ServiceLoader.load(LoadTargetProvider.class)) {
            if (provider.accepts(address)) {
                return provider.open(address);
            }
        }
        throw new IllegalStateException("no load target on the class path");
    }
}
