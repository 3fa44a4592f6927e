package dev.penstock.bench.contender;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.penstock.bench.machine.CpuTime;
import dev.penstock.loader.LoadReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server of its own and the {@code penstock load} command, two fresh processes. The server is
 * started before the clock; the load is timed from start to exit. CPU time is that of the load and
 * of the server meanwhile.
 */
final class PenstockCluster implements Contender {
    private final Workload workload;
    private final PenstockCommand penstock;

    PenstockCluster(Workload workload, PenstockCommand penstock) {
        this.workload = workload;
        this.penstock = penstock;
    }

    @Override
    public String name() {
        return "penstock-cluster-process";
    }

    @Override
    public String description() {
        return "'penstock load --connect' from start to exit, into a 'penstock serve' process that"
                + " has just started (its start is not timed); CPU of both; "
                + penstock.words();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path ddl = Files.writeString(folder.resolve("table.sql"), workload.ddl());
        Path data = folder.resolve("data");
        List<String> serve =
                List.of("serve", "--data", data.toString(), "--listen", "127.0.0.1:0", "--json");
        try (Server server = Server.start(penstock.of(serve))) {
            String address =
                    new ObjectMapper()
                            .readTree(server.await("{\"address\""))
                            .get("address")
                            .asText();
            List<String> arguments = new ArrayList<>(PenstockCommand.load(workload, ddl));
            arguments.addAll(List.of("--connect", address));
            List<String> command = penstock.of(arguments);
            Stopwatch watch = Stopwatch.start(CpuTime.endedChildren(), CpuTime.tree(server.pid()));
            String report = ChildProcess.run(command);
            Stopwatch.Span span = watch.stop();
            return new Loaded(span, LoadReport.fromJson(report).rowsLoaded(), Folders.bytes(data));
        }
    }
}
