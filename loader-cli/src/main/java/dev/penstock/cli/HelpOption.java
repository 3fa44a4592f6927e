package dev.penstock.cli;

import picocli.CommandLine.Option;

/** {@code --help}, the same for every command. */
final class HelpOption {
    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help and exit.")
    private boolean asked;
}
