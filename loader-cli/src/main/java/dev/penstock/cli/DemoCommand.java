package dev.penstock.cli;

import dev.penstock.cli.demo.DemoStep;
import dev.penstock.cli.demo.FurtherSteps;
import dev.penstock.cli.demo.RareClasses;
import dev.penstock.cli.demo.TemporaryFolder;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.WideWriter;
import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.report.Quantities;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Generates a table, loads it and reads it back, showing each command on the way. */
@Command(
        name = "demo",
        abbreviateSynopsis = true,
        header = "Generates a table, loads it and reads it back, in a temporary folder.",
        footerHeading = "%n",
        footer = {"  penstock demo", "  penstock demo --scale 1 --keep", ""},
        optionListHeading = "%n")
final class DemoCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--scale",
            paramLabel = "S",
            defaultValue = "0.1",
            description = "Scale factor of TPC-H. Default: 0.1, which is 74 MB of text")
    private double scale;

    @Option(
            names = "--wide",
            description = "Also load a table of 155 columns from text with quotes and NULLs.")
    private boolean wide;

    @Option(
            names = "--unordered",
            description = "Also load the rows by another key, in whose order they do not come.")
    private boolean unordered;

    @Option(
            names = "--more",
            description = "Also show labels, rejects, plans, a store's state and help.")
    private boolean more;

    @Option(names = "--embedded", description = "Leave out the server, and what it is asked.")
    private boolean embedded;

    @Option(names = "--keep", description = "Leave the files and the store where they are.")
    private boolean keep;

    @Mixin private OutputOptions output = new OutputOptions();

    DemoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        long start = System.nanoTime();
        JsonObject results = new JsonObject();
        int code;
        try (Interruption interruption = new Interruption(console, TemporaryFolder.LEFT);
                TemporaryFolder folder = TemporaryFolder.create("penstock-demo-", keep)) {
            writeDdl(folder.path().resolve("lineitem.sql"), TpchTable.LINEITEM.ddl());
            if (wide) {
                writeDdl(folder.path().resolve("wide.sql"), new WideWriter(0, ',', 1, 1).ddl());
            }
            if (unordered) {
                String byPart =
                        TpchTable.LINEITEM
                                .ddl()
                                .replace("PRIMARY KEY (", "PRIMARY KEY (l_partkey, ");
                writeDdl(folder.path().resolve("lineitem_by_part.sql"), byPart);
            }
            code = run(folder.path(), interruption, results);
            if (keep) {
                console.say("Everything is in " + folder.path());
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (code == ExitCode.DONE && output.json()) {
            console.print(results.put("seconds", seconds, 3).toString());
        } else if (code == ExitCode.DONE && !output.quiet()) {
            console.print("");
            console.print("All of this took " + Quantities.seconds(seconds) + ".");
        }
        return code;
    }

    private static void writeDdl(Path file, String ddl) {
        try {
            Files.writeString(file, ddl);
        } catch (IOException e) {
            throw PenstockException.io(file + " cannot be written: " + LocalDisk.reason(e), e);
        }
    }

    private int run(Path folder, Interruption interruption, JsonObject results) {
        int threads = Runtime.getRuntime().availableProcessors();
        List<DemoStep> steps = new ArrayList<>(DemoStep.all(folder, scale, threads));
        if (wide) {
            steps.addAll(DemoStep.wide(folder, scale, threads));
        }
        if (unordered) {
            String store = folder.resolve("store").toString();
            steps.addAll(
                    DemoStep.unordered(
                            "load_unordered", folder, "--store", store, "--regions", "4"));
        }
        int code = run(steps, interruption, results);
        FurtherSteps further = new FurtherSteps(folder);
        if (code == ExitCode.DONE && more) {
            RareClasses.load(!embedded);
            code = run(prepared(further), interruption, results);
        }
        if (code != ExitCode.DONE || embedded) {
            return code;
        }
        try (RegionServerProcess server =
                RegionServerProcess.start(folder.resolve("served"), "127.0.0.1:0", null)) {
            server.joined().join();
            List<DemoStep> connected =
                    new ArrayList<>(DemoStep.connected(folder, server.address()));
            if (unordered) {
                connected.addAll(
                        DemoStep.unordered(
                                "load_unordered_connected", folder, "--connect", server.address()));
            }
            if (more) {
                connected.addAll(further.connected(server.address()));
            }
            return run(connected, interruption, results);
        }
    }

    private List<DemoStep> prepared(FurtherSteps further) {
        try {
            further.prepare();
        } catch (IOException e) {
            throw PenstockException.io(
                    "the small file cannot be written: " + LocalDisk.reason(e), e);
        }
        List<DemoStep> steps = new ArrayList<>(further.embedded());
        if (!output.json()) {
            steps.addAll(FurtherSteps.help());
        }
        return steps;
    }

    private int run(List<DemoStep> steps, Interruption interruption, JsonObject results) {
        for (DemoStep step : steps) {
            int code = output.json() ? runForJson(step, results) : runForPeople(step);
            if (interruption.requested()) {
                return ExitCode.INTERRUPTED;
            }
            if (code != step.exitCode()) {
                return code == ExitCode.DONE ? ExitCode.FAILED : code;
            }
        }
        return ExitCode.DONE;
    }

    private int runForPeople(DemoStep step) {
        if (!output.quiet()) {
            console.print("");
            console.print("# " + step.says());
            console.print("$ " + step.shown());
            console.flush();
        }
        return Cli.run(console, arguments(step, List.of()));
    }

    private int runForJson(DemoStep step, JsonObject results) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        Console captured =
                new Console(
                        answer, console.err(), console.in(), console.interactive(), console.disk());
        int code = Cli.run(captured, arguments(step, List.of("--json")));
        results.putJson(step.name(), answer.toString(StandardCharsets.UTF_8).strip());
        return code;
    }

    private String[] arguments(DemoStep step, List<String> more) {
        List<String> all = new ArrayList<>(step.arguments());
        all.addAll(more);
        if (output.verbose()) {
            all.add("--verbose");
        }
        return all.toArray(String[]::new);
    }
}
