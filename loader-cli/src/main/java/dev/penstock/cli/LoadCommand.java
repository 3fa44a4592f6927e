package dev.penstock.cli;

import dev.penstock.cli.render.ProgressView;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.ProgressListener;
import dev.penstock.loader.PumpedInput;
import dev.penstock.target.LoadTarget;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
            "  penstock load big.csv --table sales --connect db1:7070 --regions 12 --workers 2",
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
            defaultValue = "",
            description =
                    "Your name for this load. A table takes one load of each name: the same command"
                            + " again does nothing and answers with the first one's report.")
    private String label;

    @Option(
            names = "--resume",
            description =
                    "With --label: what is loaded survives an interruption, and the same command"
                            + " goes on there. Without, an interrupted load begins anew.")
    private boolean resume;

    @Option(names = "--dry-run", description = "Parse, route and encode everything; store nothing.")
    private boolean dryRun;

    @Mixin private StagingOptions staging = new StagingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    LoadCommand(Console console) {
        this.console = console;
        this.label = "";
    }

    @Override
    public Integer call() {
        try (Interruption interruption = new Interruption(console)) {
            return run(interruption);
        }
    }

    private int run(Interruption interruption) {
        HeadStart.await();
        LoadSpec spec = load.spec().label(label).resume(resume).dryRun(dryRun).build();
        ProgressView progress = new ProgressView(console.err(), console.interactive());
        ProgressListener listener = output.quiet() ? ProgressListener.NONE : progress;
        PumpedInput input = new PumpedInput(console.in());
        LoadReport report;
        try (Penstock penstock = store.openOrCreate(staging);
                LoadTarget target = penstock.loadTarget()) {
            BulkLoad bulkLoad =
                    BulkLoad.into(target, spec.table())
                            .spec(spec)
                            .standardInput(input)
                            .listener(listener)
                            .build();
            interruption.cancels(() -> {
                input.giveUp();
                bulkLoad.cancel();
            });
            report = bulkLoad.run();
        } catch (PenstockException e) {
            progress.clear();
            if (interruption.requested()) {
                sayStopped();
                return ExitCode.INTERRUPTED;
            }
            throw e;
        }
        progress.clear();
        if (output.json()) {
            console.print(report.json());
        } else if (output.quiet()) {
            console.print(Long.toString(report.rowsLoaded()));
        } else {
            report.text().lines().forEach(console::print);
        }
        return report.rowsRejected() > 0 ? ExitCode.REJECTS : ExitCode.DONE;
    }

    private void sayStopped() {
        if (resume && !dryRun) {
            console.say("penstock: stopped; what has been loaded is kept. To go on:");
            console.say("  " + ShellWords.command(command.commandLine()));
        } else {
            console.say("penstock: stopped; nothing of this load is visible.");
        }
    }
}
