package dev.penstock.cli;

import dev.penstock.loader.LoadSpec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
            "  penstock load big.csv --table sales --connect db1:7070 --regions 12 --workers 2",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class LoadCommand implements Callable<Integer> {
    private final Console console;

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
        HeadStart.await();
        LoadSpec spec = load.spec().label(label).dryRun(dryRun).build();
        return new LoadCall(console, output).run(spec, () -> store.openOrCreate(staging));
    }
}
