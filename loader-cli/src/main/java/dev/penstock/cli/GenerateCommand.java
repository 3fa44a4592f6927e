package dev.penstock.cli;

import dev.penstock.cli.generate.TableWriter;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;
import dev.penstock.cli.generate.WideWriter;
import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadOption;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;
import dev.penstock.loader.file.PartFile;
import dev.penstock.loader.report.Quantities;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

/** Writes a table of TPC-H, or a wide one, as text, or prints its declaration. */
@Command(
        name = "generate",
        abbreviateSynopsis = true,
        header = "Writes a table as text: one of TPC-H as dbgen does, or a wide one.",
        footerHeading = "%n",
        footer = {
            "  penstock generate lineitem --scale 1 --out lineitem.tbl",
            "  penstock generate orders --ddl > orders.sql",
            "  penstock generate wide --rows 500000 --out wide.csv",
            "  penstock generate lineitem --out - | penstock load - --table lineitem"
                    + " --delimiter '|'",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class GenerateCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";
    private static final int MAX_THREADS = 1024;

    private final Console console;

    @Parameters(
            arity = "0..1",
            paramLabel = "TABLE",
            description =
                    "lineitem (default), orders, partsupp, part, customer, supplier, nation,"
                            + " region, or wide: 155 columns of business data.")
    private @Nullable String table;

    @Option(names = "--table", paramLabel = "NAME", description = "The same as TABLE.")
    private @Nullable String tableOption;

    @Option(
            names = "--scale",
            paramLabel = "S",
            defaultValue = "1",
            description = "Scale factor; at 1 lineitem has about 760 MB, wide 1 GB. Default: 1")
    private double scale;

    @ArgGroup(validate = false, exclusive = false, heading = "%nFor the table wide:%n")
    private Wide wide = new Wide();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to write, - for standard output. Default: TABLE.tbl or wide.csv")
    private @Nullable String out;

    @Option(names = "--threads", paramLabel = "N", description = "Default: one per processor.")
    private int threads;

    @Option(names = "--ddl", description = "Print the CREATE TABLE statement and write no rows.")
    private boolean ddl;

    @Mixin private OutputOptions output = new OutputOptions();

    /** What only the wide table has a choice of. */
    static final class Wide {
        @Option(
                names = "--rows",
                paramLabel = "N",
                description = "Rows. Default: a million times the scale")
        private @Nullable Long rows;

        @Option(
                names = "--delimiter",
                paramLabel = "C",
                description = "Between fields: a comma, a semicolon, tab or |. Default: ,")
        private @Nullable String delimiter;

        @Option(names = "--seed", paramLabel = "N", description = "Other values. Default: 1")
        private @Nullable Long seed;

        TableWriter writer(double scale, int threads) {
            if (!(scale > 0 && scale <= 100_000)) {
                throw PenstockException.usage("--scale must be above 0 and at most 100000");
            }
            return new WideWriter(
                    rows != null ? rows : Math.round(scale * WideWriter.ROWS_PER_SCALE),
                    delimiter == null ? ',' : LoadOption.character("--delimiter", delimiter),
                    seed != null ? seed : 1,
                    threads);
        }

        void checkUnused(String table) {
            if (rows != null || delimiter != null || seed != null) {
                throw PenstockException.usage(
                        "--rows, --delimiter and --seed are for the table wide, not for " + table);
            }
        }
    }

    GenerateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        TableWriter writer = writer();
        if (ddl) {
            String text = writer.ddl().strip();
            console.print(
                    output.json()
                            ? new JsonObject()
                                    .put("table", writer.tableName())
                                    .put("ddl", text)
                                    .toString()
                            : text);
            return ExitCode.DONE;
        }
        String target = out == null ? writer.fileName() : out;
        if (target.equals(STANDARD_OUTPUT) && output.json()) {
            throw PenstockException.usage("--json and --out - would mix two kinds of output");
        }
        if (!target.equals(STANDARD_OUTPUT) && isNamed(Path.of(target))) {
            return writeFile(writer, target);
        }
        long start = System.nanoTime();
        report(writer.tableName(), target, writeOpen(writer, target), start);
        return ExitCode.DONE;
    }

    private static TpchTable parse(String name) {
        for (TpchTable candidate : TpchTable.values()) {
            if (candidate.tableName().equals(name.toLowerCase(Locale.ROOT))) {
                return candidate;
            }
        }
        throw PenstockException.usage(
                "there is no table "
                        + name
                        + " to generate; there are wide and those of TPC-H: "
                        + Arrays.stream(TpchTable.values())
                                .map(TpchTable::tableName)
                                .collect(Collectors.joining(", ")));
    }

    private TableWriter writer() {
        if (table != null && tableOption != null && !table.equalsIgnoreCase(tableOption)) {
            throw PenstockException.usage(
                    "the table is named twice: " + table + " and --table " + tableOption);
        }
        if (threads < 0 || threads > MAX_THREADS) {
            throw PenstockException.usage("--threads " + threads + " is not in 1.." + MAX_THREADS);
        }
        String named = tableOption != null ? tableOption : table;
        String name = named != null ? named : TpchTable.LINEITEM.tableName();
        int cores = Runtime.getRuntime().availableProcessors();
        if (name.equalsIgnoreCase("wide")) {
            return wide.writer(scale, threads > 0 ? threads : cores);
        }
        wide.checkUnused(name);
        return new TpchWriter(parse(name), scale, threads > 0 ? threads : cores);
    }

    /**
     * Whether this is the name of a file, or of nothing yet. Devices, pipes and what the shell has
     * opened for the command are not replaced.
     */
    private static boolean isNamed(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        return !Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                || (Files.isRegularFile(path)
                        && !absolute.startsWith("/proc")
                        && !absolute.startsWith("/dev/fd")
                        && !absolute.startsWith("/dev/stdout")
                        && !absolute.startsWith("/dev/stderr"));
    }

    /** The file that a link names is replaced, not the link. */
    private PartFile create(Path named) throws IOException {
        Path target = Files.exists(named) ? named.toRealPath() : named;
        return PartFile.of(target, console.disk());
    }

    /**
     * Writes a file that has its name only when it is whole: who loads that of a command that
     * failed gets an error, or all rows of an earlier one, but never a part. It is not forced: a
     * table can be generated again, and forcing takes longer than generating.
     *
     * @return the exit code
     */
    private int writeFile(TableWriter writer, String target) {
        Path named = Path.of(target);
        long start = System.nanoTime();
        try (Interruption interruption =
                new Interruption(console, "a part of the file may be left beside it.")) {
            try (PartFile file = create(named)) {
                TableWriter.Written written =
                        writer.writeTo(file.stream(), bytes -> stopIf(interruption.requested()));
                file.completeUnforced();
                report(writer.tableName(), target, written, start);
            } catch (CancellationException e) {
                output.sayStopped(console, List.of("stopped; " + target + " is not written."));
                return ExitCode.INTERRUPTED;
            } catch (IOException e) {
                throw PenstockException.io(cannotWrite(named, e), e);
            }
            interruption.hasComeToItsEnd(ExitCode.DONE);
        }
        return ExitCode.DONE;
    }

    private static void stopIf(boolean requested) {
        if (requested) {
            throw new CancellationException();
        }
    }

    /** Writes to standard output, a device or a pipe. */
    private TableWriter.Written writeOpen(TableWriter writer, String target) {
        if (target.equals(STANDARD_OUTPUT)) {
            try {
                return writer.writeTo(console.out(), bytes -> {});
            } catch (IOException e) {
                throw Console.failedToWrite(e);
            }
        }
        Path device = Path.of(target);
        try (LocalFile opened = open(device);
                OutputStream stream = new BufferedOutputStream(opened.stream(), 1 << 16)) {
            return writer.writeTo(stream, bytes -> {});
        } catch (IOException e) {
            throw PenstockException.io(
                    cannotWrite(device, e) + "; it has only a part of the table", e);
        }
    }

    private LocalFile open(Path device) {
        try {
            return console.disk().create(device);
        } catch (IOException e) {
            throw PenstockException.io(cannotWrite(device, e), e);
        }
    }

    private static String cannotWrite(Path file, IOException e) {
        return file + " cannot be written: " + LocalDisk.reason(e);
    }

    private void report(String name, String target, TableWriter.Written written, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("table", name)
                            .put("file", target)
                            .put("rows", written.rows())
                            .put("bytes", written.bytes())
                            .put("seconds", seconds, 3)
                            .toString());
        } else if (!output.quiet()) {
            console.say(
                    String.format(
                            Locale.ROOT,
                            "%s: %s, %s in %s",
                            target,
                            Quantities.count(written.rows(), "row"),
                            Quantities.bytes(written.bytes()),
                            Quantities.seconds(seconds)));
        }
    }
}
