package dev.penstock.cli;

import dev.penstock.kv.Penstock;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.OwnProcess;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** Loads files into one table; all of it becomes visible at once, or nothing does. */
@Command(
        name = "load",
        abbreviateSynopsis = true,
        header = "Loads files into a table. All of it becomes visible at once, or nothing does.",
        footerHeading = "%n",
        footer = {
            "  penstock load lineitem.tbl --table lineitem --ddl lineitem.sql",
            "  penstock load 'part-*.csv.gz' --table sales --header --max-rejects 1%%"
                    + " --rejects bad.csv",
            "  penstock load big.csv --table sales --label monday --resume",
            "  penstock load big.csv --table sales --connect 127.0.0.1:7070 --regions 12 --workers"
                    + " 2",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class LoadCommand implements Callable<Integer> {
    private final Console console;

    @Spec private CommandSpec command = CommandSpec.create();

    @Mixin private LoadArguments load = new LoadArguments();

    @Mixin private StoreOptions store = new StoreOptions();

    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description =
                    "Your name for this load. A table takes one load of each name: the same command"
                            + " again does nothing and answers with the first one's report. Other"
                            + " files are refused; standard input cannot be compared.")
    private @Nullable String label;

    @Option(
            names = "--resume",
            description =
                    "With --label: what is loaded survives an interruption, and the same command"
                            + " goes on there. Without, an interrupted load begins anew.")
    private boolean resume;

    @Option(
            names = "--dry-run",
            description =
                    "Parse, route and encode everything; store nothing, and do not look for equal"
                            + " keys.")
    private boolean dryRun;

    @Mixin private StagingOptions staging = new StagingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    LoadCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        HeadStart.await();
        OwnProcess.beginLoading();
        LoadSpecBuilder builder = load.spec().resume(resume).dryRun(dryRun);
        if (label != null) {
            builder.label(label);
        }
        LoadSpec spec = builder.build();
        LoadCall call = new LoadCall(console, output);
        if (dryRun && store.isToBeCreated()) {
            return call.dryRun(spec, folder -> Penstock.open(folder, staging.nodeOptions()));
        }
        return resume && !dryRun
                ? call.run(spec, () -> store.openOrCreate(staging), goOn())
                : call.run(spec, () -> store.openOrCreate(staging));
    }

    private List<String> goOn() {
        return List.of(
                "stopped; what has been loaded is kept. To go on:",
                ShellWords.command(command.commandLine()));
    }
}
