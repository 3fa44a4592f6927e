package dev.penstock.cli;

import dev.penstock.cli.render.JsonRows;
import dev.penstock.cli.render.RowSink;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.OutputStream;

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

    /**
     * Where a command's rows go: into one JSON document if that is wanted, else as the format says.
     */
    RowSink rows(RowFormat format, TableSchema schema, int[] columns, OutputStream out) {
        return json
                ? new JsonRows(schema, columns, JsonRows.Layout.DOCUMENT, out)
                : format.open(schema, columns, out);
    }

    boolean verbose() {
        return verbose;
    }

    boolean quiet() {
        return quiet;
    }
}
