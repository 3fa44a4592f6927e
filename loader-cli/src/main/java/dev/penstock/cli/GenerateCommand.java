package dev.penstock.cli;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;
import dev.penstock.cli.render.JsonObject;
import dev.penstock.cli.render.Quantities;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Writes one table of TPC-H as text, or prints its declaration. */
@Command(
        name = "generate",
        abbreviateSynopsis = true,
        header = "Writes a table of TPC-H as text, byte for byte as dbgen does.",
        footerHeading = "%n",
        footer = {
            "  penstock generate lineitem --scale 1 --out lineitem.tbl",
            "  penstock generate orders --ddl > orders.sql",
            "  penstock generate lineitem --out - | penstock load - --table lineitem"
                    + " --delimiter '|'",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class GenerateCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";

    private final Console console;

    @Parameters(
            arity = "0..1",
            paramLabel = "TABLE",
            description =
                    "lineitem (default), orders, partsupp, part, customer, supplier, nation or"
                            + " region.")
    private @Nullable String table;

    @Option(names = "--table", paramLabel = "NAME", description = "The same as TABLE.")
    private @Nullable String tableOption;

    @Option(
            names = "--scale",
            paramLabel = "S",
            defaultValue = "1",
            description = "Scale factor; lineitem has about 760 MB at 1. Default: 1")
    private double scale;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to write, - for standard output. Default: TABLE.tbl")
    private @Nullable String out;

    @Option(names = "--threads", paramLabel = "N", description = "Default: one per processor.")
    private int threads;

    @Option(names = "--ddl", description = "Print the CREATE TABLE statement and write no rows.")
    private boolean ddl;

    @Mixin private OutputOptions output = new OutputOptions();

    GenerateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        TpchTable chosen = table();
        if (ddl) {
            console.print(
                    output.json()
                            ? new JsonObject()
                                    .put("table", chosen.tableName())
                                    .put("ddl", chosen.ddl().strip())
                                    .toString()
                            : chosen.ddl().strip());
            return ExitCode.DONE;
        }
        String target = out == null ? chosen.tableName() + ".tbl" : out;
        if (target.equals(STANDARD_OUTPUT) && output.json()) {
            throw PenstockException.usage("--json and --out - would mix two kinds of output");
        }
        int cores = Runtime.getRuntime().availableProcessors();
        TpchWriter writer = new TpchWriter(chosen, scale, threads > 0 ? threads : cores);
        long start = System.nanoTime();
        TpchWriter.Written written = write(writer, target);
        report(chosen, target, written, (System.nanoTime() - start) / 1e9);
        return ExitCode.DONE;
    }

    private static TpchTable parse(String name) {
        for (TpchTable candidate : TpchTable.values()) {
            if (candidate.tableName().equals(name.toLowerCase(Locale.ROOT))) {
                return candidate;
            }
        }
        throw PenstockException.usage(
                "TPC-H has no table "
                        + name
                        + "; it has "
                        + Arrays.stream(TpchTable.values())
                                .map(TpchTable::tableName)
                                .collect(Collectors.joining(", ")));
    }

    private TpchTable table() {
        if (table != null && tableOption != null && !table.equalsIgnoreCase(tableOption)) {
            throw PenstockException.usage(
                    "the table is named twice: " + table + " and --table " + tableOption);
        }
        String name = tableOption != null ? tableOption : table;
        return name == null ? TpchTable.LINEITEM : parse(name);
    }

    private TpchWriter.Written write(TpchWriter writer, String target) throws IOException {
        if (target.equals(STANDARD_OUTPUT)) {
            try {
                return writer.writeTo(console.out(), bytes -> {});
            } catch (IOException e) {
                throw Console.failedToWrite(e);
            }
        }
        Path file = Path.of(target);
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            return writer.writeTo(stream, bytes -> {});
        } catch (IOException e) {
            throw PenstockException.io(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    private void report(
            TpchTable chosen, String target, TpchWriter.Written written, double seconds) {
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("table", chosen.tableName())
                            .put("file", target)
                            .put("rows", written.rows())
                            .put("bytes", written.bytes())
                            .put("seconds", seconds, 3)
                            .toString());
        } else if (!output.quiet()) {
            console.say(
                    String.format(
                            Locale.ROOT,
                            "%s: %s rows, %s in %s",
                            target,
                            Quantities.count(written.rows()),
                            Quantities.bytes(written.bytes()),
                            Quantities.seconds(seconds)));
        }
    }
}
