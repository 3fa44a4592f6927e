package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.RejectedLoad;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.report.RejectFiles;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** What can be done with the records that a load has rejected; each in a command of its own. */
@Command(
        name = "rejects",
        header = "Shows what a load has rejected, or loads it again when it is mended.",
        footerHeading = "%n",
        footer = {
            "  penstock load sales.csv --table sales --max-rejects 100 --rejects bad.csv",
            "  penstock rejects show bad.csv",
            "  penstock rejects replay bad.csv",
            ""
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%n",
        optionListHeading = "%n")
final class RejectsCommand implements Callable<Integer> {
    /** Of the reasons, what is read at a time. */
    private static final int COPY_BYTES = 1 << 16;

    private final Console console;

    @Spec private CommandSpec spec = CommandSpec.create();

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Mixin
    private HelpOption help = new HelpOption();

    RejectsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "say what to do: show or replay");
    }

    @Command(
            name = "show",
            abbreviateSynopsis = true,
            header = "Prints what was wrong with each rejected record, as CSV.",
            footerHeading = "%n",
            footer = {
                "  penstock rejects show bad.csv",
                "",
                "The same is in bad.csv.reasons.csv.",
                ""
            })
    int show(
            @Parameters(paramLabel = "FILE", description = "What --rejects named.") Path file,
            @SuppressWarnings("unused") @Mixin HelpOption showHelp) {
        Path reasons = RejectFiles.reasonsFile(file);
        try (InputStream in = Files.newInputStream(reasons)) {
            byte[] part = new byte[COPY_BYTES];
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                console.write(part, count);
            }
        } catch (NoSuchFileException e) {
            throw PenstockException.usage(
                    "there is no " + reasons + ", which a load with --rejects writes");
        } catch (IOException e) {
            throw PenstockException.io(reasons + " cannot be read: " + LocalDisk.reason(e), e);
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "replay",
            abbreviateSynopsis = true,
            header = {
                "Loads the mended records of a rejects file, with the options of the load that"
                        + " rejected them.",
                "Replaying a file twice loads it once."
            },
            footerHeading = "%n",
            footer = {
                "  penstock rejects replay bad.csv",
                "  penstock rejects replay bad.csv --max-rejects 10 --rejects worse.csv",
                "",
                "Mend bad.csv with any editor first. Table, columns and dialect are those of the"
                        + " first load, and so",
                "is the store unless --store or --connect name another; bad.csv.load.json has"
                        + " them. Tokens and certificates are",
                "not kept: give --tls-ca and the like again.",
                "The records count as later than all rows of the table: keep-first keeps such a"
                        + " row and",
                "keep-last replaces it, even if the mended record came first in the input.",
                ""
            })
    int replay(
            @Parameters(paramLabel = "FILE", description = "What --rejects named.") Path file,
            @Option(
                            names = "--max-rejects",
                            paramLabel = "LIMITS",
                            defaultValue = "0",
                            description =
                                    "Records that may be rejected again, as for load. Default: 0")
                    String maxRejects,
            @Option(
                            names = "--rejects",
                            paramLabel = "FILE",
                            description = "Where records go that are rejected again.")
                    @Nullable Path rejects,
            @Option(
                            names = "--on-duplicate",
                            paramLabel = "POLICY",
                            description = "As for load. Default: as the first load had it")
                    @Nullable String duplicates,
            @Option(
                            names = "--label",
                            paramLabel = "TEXT",
                            description =
                                    "Name of this load. Default: one made of the first load's id,"
                                            + " so that it is done once")
                    @Nullable String label,
            @Mixin StoreOptions store,
            @Mixin OutputOptions output) {
        RejectedLoad found = RejectedLoad.beside(file);
        Supplier<Penstock> into = () -> openFor(found, file, store);
        RejectedLoad first = settled(found, file, into);
        LoadSpecBuilder load =
                first.replay(file)
                        .schema(Ddl.parseCreateTable(first.ddl()))
                        .maxRejects(RejectLimits.parse(maxRejects));
        if (duplicates != null) {
            load.duplicates(DuplicatePolicy.parse("--on-duplicate", duplicates));
        }
        if (label != null) {
            load.label(label);
        }
        if (rejects != null) {
            load.rejectsFile(rejects);
        }
        return new LoadCall(console, output).run(load.build(), into);
    }

    /**
     * Opens the store of the first load. A table that is not there is not made: the mended records
     * without the others would look like all of them.
     */
    private static Penstock openFor(RejectedLoad first, Path file, StoreOptions store) {
        EarlierStore earlier = new EarlierStore(file, first.store());
        Penstock penstock = store.openAgain(earlier);
        if (penstock.findTable(first.table()).isEmpty()) {
            penstock.close();
            throw PenstockException.usage(
                    "there is no table " + first.table() + "; " + earlier.whereTableWas());
        }
        return penstock;
    }

    /** Asks the store what became of a load whose loader could not write that any more. */
    private static RejectedLoad settled(RejectedLoad load, Path file, Supplier<Penstock> store) {
        if (load.outcome() != RejectedLoad.Outcome.PUBLISHING) {
            return load;
        }
        try (Penstock penstock = store.get();
                LoadTarget target = penstock.loadTarget()) {
            return load.settled(file, target);
        }
    }
}
