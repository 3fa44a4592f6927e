package dev.penstock.cli;

import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.RejectLimits;
import dev.penstock.loader.Words;
import dev.penstock.loader.report.Quantities;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.List;

/** What {@code load} and {@code plan} have in common: a whole {@link LoadSpec}. */
final class LoadArguments {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILES",
            description =
                    "Files, folders or globs; - for standard input; gzip and zstd understood.")
    private List<String> inputs = List.of();

    @Mixin private SchemaOptions schema = new SchemaOptions();

    @Option(
            names = "--columns",
            paramLabel = "a,b,…",
            hideParamSyntax = true,
            description = "Columns that the fields fill, in field order; - skips a field.")
    private List<String> columns = List.of();

    @ArgGroup(validate = false, exclusive = false, heading = "%nHow the input is written:%n")
    private DialectArguments dialect = new DialectArguments();

    @ArgGroup(
            validate = false,
            exclusive = false,
            heading = "%nWhat happens to bad records and equal keys:%n")
    private Faults faults = new Faults();

    @ArgGroup(validate = false, exclusive = false, heading = "%nHow the work is done:%n")
    private Work work = new Work();

    /** What happens to bad records and equal keys. */
    static final class Faults {
        @Option(
                names = "--max-rejects",
                paramLabel = "LIMITS",
                description =
                        "Rejected records that a load may have: N or P%% of all, and of one class"
                                + " (parse, type, constraint, duplicate) as type=N, separated by"
                                + " commas. With classes only, the others may have none. Default:"
                                + " 0")
        private String maxRejects = "0";

        @Option(
                names = "--rejects",
                paramLabel = "FILE",
                description =
                        "Where rejected records are written, as they were read. FILE.reasons.csv"
                                + " says what is wrong with each, 'penstock rejects replay FILE'"
                                + " loads them when they are mended.")
        private @Nullable Path rejects;

        @Option(
                names = "--on-duplicate",
                paramLabel = "POLICY",
                description =
                        "Rows of equal keys: error, keep-first, keep-last, replace, keep-existing"
                                + " or reject; or two of these, within the input and against what"
                                + " is stored, as keep-last,keep-existing. Default: error")
        private String duplicates = "error";
    }

    /** How the work is done. */
    static final class Work {
        @Option(names = "--regions", paramLabel = "N", description = "Default: by input size")
        private int regions;

        @Option(names = "--samples", paramLabel = "N", description = "Rows to sample.")
        private int samples;

        @Option(
                names = "--threads",
                paramLabel = "N",
                description = "Default: one per processor, with --resume one more")
        private int threads;

        @Option(
                names = "--workers",
                paramLabel = "N",
                description = "Worker processes. Default: none, this process does the work")
        private int workers;

        @Option(
                names = "--chunk-size",
                paramLabel = "BYTES",
                description =
                        "Default: 6MiB to 16MiB, by who parses the rows, their order and length;"
                                + " less for small inputs")
        private @Nullable String chunkSize;

        @Option(
                names = "--memory",
                paramLabel = "BYTES",
                description =
                        "For chunks in work and what is made of them: they are cut smaller to fit."
                                + " Default: half of the heap")
        private @Nullable String memory;

        @Option(
                names = "--offload",
                paramLabel = "POLICY",
                description =
                        "Who encodes: all (loader), none (server), select (per column, the"
                            + " smallest), text (servers on this machine do all), raw (the same,"
                            + " sorted out by the loader), sequential, or adaptive: text to servers"
                            + " that have loaded before, else select. Default: adaptive")
        private String offload = "adaptive";

        @Option(
                names = "--cut",
                paramLabel = "FORM",
                description =
                        "Form in which fragments travel, whatever --offload says: raw, typed,"
                                + " sorted, encoded or merged.")
        private @Nullable String cut;

        @Option(
                names = "--verify",
                paramLabel = "HOW",
                description =
                        "How the load proves before it is published that every row arrived: off,"
                                + " count, checksum (of each column and region) or full (files are"
                                + " read back too). Default: checksum")
        private String verify = "checksum";

        @Option(names = "--seed", paramLabel = "N", description = "Seed of the sample.")
        private @Nullable Long seed;
    }

    SchemaOptions schema() {
        return schema;
    }

    /** The load in the user's words, for {@code load} and {@code plan} to add to. */
    LoadSpecBuilder spec() {
        LoadSpecBuilder spec =
                LoadSpec.builder(schema.tableName())
                        .from(inputs)
                        .schema(schema.schema())
                        .dialect(dialect.options())
                        .columns(ColumnNames.of(columns))
                        .maxRejects(RejectLimits.parse(faults.maxRejects))
                        .rejectsFile(faults.rejects)
                        .duplicates(DuplicatePolicy.parse("--on-duplicate", faults.duplicates))
                        .verification(Words.parse("--verify", work.verify, Verification.class))
                        .regions(work.regions)
                        .samples(work.samples)
                        .threads(work.threads)
                        .workers(work.workers)
                        .offload(OffloadPolicy.parse(work.offload));
        if (work.chunkSize != null) {
            spec.chunkBytes(Quantities.parseBytes("--chunk-size", work.chunkSize));
        }
        if (work.memory != null) {
            spec.memoryBytes(Quantities.parseBytes("--memory", work.memory));
        }
        if (work.cut != null) {
            spec.cut(Words.parse("--cut", work.cut, FragmentForm.class));
        }
        if (work.seed != null) {
            spec.seed(work.seed);
        }
        return spec;
    }
}
