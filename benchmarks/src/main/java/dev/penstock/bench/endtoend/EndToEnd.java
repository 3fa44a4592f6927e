package dev.penstock.bench.endtoend;

import dev.penstock.bench.contender.Contender;
import dev.penstock.bench.contender.Contenders;
import dev.penstock.bench.contender.WorkFolder;
import dev.penstock.bench.contender.Workload;
import dev.penstock.bench.machine.Machine;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.loader.report.Quantities;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads a file with Penstock and other engines, in turn, several times, and says how long each
 * took; or Penstock alone with one thing changed. benchmarks/README.md has whole commands.
 */
public final class EndToEnd {
    private EndToEnd() {}

    public static void main(String[] args) throws IOException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(Options.USAGE);
            System.exit(2);
            return;
        }
        Report report;
        try {
            report = run(options);
        } catch (IllegalArgumentException | NoSuchFileException | NotDirectoryException e) {
            System.err.println(
                    e instanceof IOException ? "there is no " + e.getMessage() : e.getMessage());
            System.exit(2);
            return;
        }
        report.lines().forEach(System.out::println);
        Path json = options.path("json");
        if (json != null) {
            Files.writeString(json, report.json() + "\n");
        }
        Path chart = options.path("chart");
        if (chart != null) {
            Files.writeString(chart, Chart.svg(report));
        }
    }

    static Report run(Options options) throws IOException {
        Path parent = options.path("folder");
        try (WorkFolder folder =
                parent == null
                        ? WorkFolder.create("penstock-bench-")
                        : WorkFolder.in(parent, "penstock-bench-")) {
            // A server may run as another user, who has to get through.
            folder.path().toFile().setExecutable(true, false);
            return run(options, folder.path());
        }
    }

    private static Report run(Options options, Path folder) throws IOException {
        // What is to be written when all is measured.
        for (String name : List.of("json", "chart")) {
            checkWritable(options.path(name));
        }
        int threads = options.number("threads", Runtime.getRuntime().availableProcessors());
        int runs = options.number("runs", 5);
        Path ddlFile = options.path("ddl");
        String ddl = ddlFile == null ? TpchTable.LINEITEM.ddl() : Files.readString(ddlFile);
        String experiment = options.text("experiment", "");
        Experiment.Settings settings =
                new Experiment.Settings(
                        options.files(), ddl, threads, folder, options.path("penstock"));
        List<Contender> contenders =
                experiment.isEmpty()
                        ? Contenders.named(
                                options.text("contenders", Contenders.DEFAULT),
                                settings.workload(),
                                settings.script(),
                                options.text("python", "python3"))
                        : Experiment.named(experiment).contenders(settings);
        Machine machine = Machine.measure(folder);
        Comparison comparison = new Comparison(folder, runs);
        comparison.run(contenders);
        List<Result> results = comparison.results();
        if (results.isEmpty()) {
            throw new IllegalStateException("no contender could run: " + comparison.skipped());
        }
        return new Report(
                title(experiment, contenders.getFirst().workload()),
                machine,
                threads,
                runs,
                results,
                comparison.skipped());
    }

    private static void checkWritable(@Nullable Path file) throws NotDirectoryException {
        if (file == null) {
            return;
        }
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new NotDirectoryException("folder " + parent);
        }
    }

    private static String title(String experiment, Workload workload) {
        return (experiment.isEmpty() ? "" : experiment + " of ")
                + workload.file().getFileName()
                + ", "
                + Quantities.bytes(workload.bytes())
                + ", "
                + Quantities.count(workload.rows())
                + " rows";
    }
}
