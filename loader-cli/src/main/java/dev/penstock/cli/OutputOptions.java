package dev.penstock.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command speaks: options that every command has. */
final class OutputOptions {
    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Mixin
    private HelpOption help = new HelpOption();

    @Option(
            names = "--json",
            description = "Print one JSON object on standard output and nothing else there.")
    private boolean json;

    @Option(names = "--verbose", description = "Say more; print the stack trace of a failure.")
    private boolean verbose;

    @Option(names = "--quiet", description = "Print results and failures only.")
    private boolean quiet;

    boolean json() {
        return json;
    }

    boolean verbose() {
        return verbose;
    }

    boolean quiet() {
        return quiet;
    }
}
