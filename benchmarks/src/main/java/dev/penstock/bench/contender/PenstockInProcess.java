package dev.penstock.bench.contender;

import dev.penstock.bench.machine.CpuTime;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.client.StoreAddress;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** Penstock as a library in this JVM, which earlier runs have warmed up. */
public final class PenstockInProcess implements Contender {
    private final String name;
    private final Workload workload;
    private final int regions;

    PenstockInProcess(Workload workload) {
        this("penstock", workload, 0);
    }

    /**
     * @param name as the variant of an experiment
     * @param regions 0 for as many as the input's size asks for
     */
    public PenstockInProcess(String name, Workload workload, int regions) {
        this.name = name;
        this.workload = workload;
        this.regions = regions;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "open an embedded store, plan, load, publish, close; within a warm JVM";
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return new PenstockCommand(null).version();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public boolean warmsUp() {
        return true;
    }

    @Override
    public Loaded load(Path folder) throws IOException {
        LoadSpecBuilder builder =
                LoadSpec.builder(workload.table())
                        .from(workload.file().toString())
                        .schema(workload.schema())
                        .dialect(workload.format().dialect())
                        .threads(workload.threads());
        if (regions > 0) {
            builder.regions(regions);
        }
        LoadSpec spec = builder.build();
        Stopwatch watch = Stopwatch.start(CpuTime.own());
        Path store = folder.resolve("store");
        try (LoadTarget target = open(StoreAddress.Folder.of(store).text())) {
            BulkLoad.into(target, spec.table()).spec(spec).run();
        }
        Stopwatch.Span span = watch.stop();
        long storedBytes = Folders.bytes(folder);
        return new Loaded(span, count(store, workload.table()), storedBytes);
    }

    /** The rows of a table in a store that nobody has open. */
    static long count(Path store, String table) {
        try (Penstock penstock = Penstock.open(store)) {
            return count(penstock, table);
        }
    }

    /** The rows of a table as the store counts them. */
    static long count(Penstock store, String table) {
        return store.table(table).count(KeyRange.ALL, Predicate.ALWAYS);
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
