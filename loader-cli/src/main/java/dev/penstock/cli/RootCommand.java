package dev.penstock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** What {@code penstock} says without a command: how to begin. */
@Command(
        name = "penstock",
        header = "Loads delimited text in bulk into a sorted, columnar key-value store.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%n",
        footer = {
            "  penstock demo",
            "  penstock load orders.csv --table orders --ddl orders.sql",
            "  penstock scan orders --where \"o_orderstatus = 'F'\" --limit 10",
            ""
        },
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%n")
final class RootCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Mixin
    private HelpOption help = new HelpOption();

    @Option(
            names = {"-V", "--version"},
            description = "Print the version and exit.")
    private boolean version;

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        if (version) {
            line.getOut().println(Cli.version());
        } else {
            line.usage(line.getOut());
        }
        line.getOut().flush();
        return ExitCode.DONE;
    }
}
