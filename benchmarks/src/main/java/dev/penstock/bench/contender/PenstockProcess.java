package dev.penstock.bench.contender;

import dev.penstock.bench.machine.CpuTime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The {@code penstock load} command as a process with an embedded store, from start to exit. */
final class PenstockProcess implements Contender {
    private final String name;
    private final Workload workload;
    private final PenstockCommand penstock;
    private final List<String> options;

    PenstockProcess(Workload workload, PenstockCommand penstock) {
        this("penstock-process", workload, penstock, List.of());
    }

    /**
     * @param options of {@code load} besides those that every contender has
     */
    PenstockProcess(
            String name, Workload workload, PenstockCommand penstock, List<String> options) {
        this.name = name;
        this.workload = workload;
        this.penstock = penstock;
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "the command 'penstock load"
                + String.join("", options.stream().map(option -> " " + option).toList())
                + "' from start to exit, JVM start and warm-up included; "
                + penstock.words();
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return penstock.version();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path ddl = Files.writeString(folder.resolve("table.sql"), workload.ddl());
        Path store = folder.resolve("store");
        List<String> arguments = new ArrayList<>(PenstockCommand.load(workload, ddl));
        arguments.addAll(List.of("--store", store.toString()));
        arguments.addAll(options);
        List<String> command = penstock.of(arguments);
        Stopwatch watch = Stopwatch.start(CpuTime.endedChildren());
        ChildProcess.run(command);
        Stopwatch.Span span = watch.stop();
        long storedBytes = Folders.bytes(store);
        return new Loaded(span, PenstockInProcess.count(store, workload.table()), storedBytes);
    }
}
