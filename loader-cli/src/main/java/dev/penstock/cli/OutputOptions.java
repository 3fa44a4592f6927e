package dev.penstock.cli;

import dev.penstock.cli.render.JsonRows;
import dev.penstock.cli.render.RowSink;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.OutputStream;
import java.util.List;

/** How a command speaks: options that every command has. */
final class OutputOptions {
    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Mixin
    private HelpOption help = new HelpOption();

    @Option(
            names = "--json",
            description = "Print one JSON object on standard output and nothing else there.")
    private boolean json;

    @Option(names = "--verbose", description = "Print the stack trace of a failure.")
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

    /**
     * Says that the user has interrupted the command, before the process ends.
     *
     * @param lines what has become of it, and a command to go on if there is one
     */
    void sayStopped(Console console, List<String> lines) {
        console.say("penstock: " + lines.getFirst());
        lines.stream().skip(1).forEach(line -> console.say("  " + line));
        try {
            if (json) {
                // Which signal it was, and so the exit code, only the caller knows.
                String text = String.join(" ", lines);
                console.print(Cli.failure(text, "interrupted").toString());
            }
            console.flush();
        } catch (PenstockException | Console.OutputClosed e) {
            console.err().flush();
        }
    }

    boolean verbose() {
        return verbose;
    }

    boolean quiet() {
        return quiet;
    }
}
