package dev.penstock.loader.plan;

import dev.penstock.bytes.Printable;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.sampler.Sample;
import dev.penstock.sampler.SampleRequest;
import dev.penstock.sampler.Sampler;
import dev.penstock.sampler.split.BalanceEstimate;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides everything about a load before it starts: table, dialect, division of work, sample, split
 * points. Changes nothing.
 */
public final class Planner {
    /** Input bytes that one region is meant for. */
    static final long BYTES_PER_REGION = 256L << 20;

    private static final int MAX_DEFAULT_REGIONS = 256;

    /**
     * Regions are merged at the end of a load, some at a time: of three, two threads would merge
     * one alone.
     */
    private static final int EVEN_REGIONS = 4;

    private static final int SAMPLED_ROWS_PER_REGION = 2_500;
    private static final int MIN_DEFAULT_SAMPLES = 10_000;
    private static final int MAX_DEFAULT_SAMPLES = 400_000;

    /** Default samples are of at most this share of the inputs, as long as there are enough. */
    private static final int SAMPLED_SHARE = 256;

    private static final long MIN_SAMPLED_BYTES = 1L << 20;
    private static final int FEWEST_ROWS_PER_REGION = 1_000;

    /**
     * The fewest rows are of at most this share of the inputs, where that is more than the least.
     */
    private static final int FEWEST_SHARE = 16;

    private static final long MIN_FEWEST_BYTES = 64L << 20;

    /** Of records however long; a region has not many of those. */
    private static final int LEAST_ROWS_PER_REGION = 16;

    private final LoadSpec spec;
    private final @Nullable LoadTarget target;
    private final Inputs inputs;
    private final Runnable beforeSampling;
    private final boolean describes;
    private final List<String> notes = new ArrayList<>();

    private Planner(
            LoadSpec spec,
            @Nullable LoadTarget target,
            Inputs inputs,
            Runnable beforeSampling,
            boolean describes) {
        this.spec = spec;
        this.target = target;
        this.inputs = inputs;
        this.beforeSampling = beforeSampling;
        this.describes = describes;
        notes.addAll(inputs.notes());
    }

    /**
     * @param target null to plan for the schema of the spec alone
     * @param beforeSampling told when the sample begins
     */
    public static ResolvedLoad plan(
            LoadSpec spec, @Nullable LoadTarget target, Inputs inputs, Runnable beforeSampling) {
        return new Planner(spec, target, inputs, beforeSampling, false).run().load();
    }

    /** The same for a reader: what {@link #plan} decides, and what the sample says. */
    public static LoadPlan describe(
            LoadSpec spec, @Nullable LoadTarget target, Inputs inputs, Runnable beforeSampling) {
        Planner planner = new Planner(spec, target, inputs, beforeSampling, true);
        return planner.describe(planner.run());
    }

    /** A load and the sample that it was planned by. */
    private record Planned(ResolvedLoad load, Sample sample, int servers) {}

    private Planned run() {
        Optional<TableSchema> existing =
                target == null ? Optional.empty() : target.table(spec.table());
        TableSchema schema = schema(existing);
        FragmentForm cut = cut();
        // Before anything is read: what cannot be shared out is refused while it still waits.
        long textBytes = textBytes();
        WorkShape shape = WorkShape.of(spec, inputs);
        ChosenDialect dialect =
                DialectChooser.choose(inputs, schema, spec.dialect(), spec.columns());
        int servers = target == null ? 1 : Math.max(1, target.serverCount());
        int wanted = wantedRegions(servers, textBytes);
        RegionOutlook outlook =
                RegionOutlook.of(spec, target, schema, existing.isPresent(), wanted);
        notes.addAll(outlook.notes());
        beforeSampling.run();
        Sample sample = sample(schema, dialect, outlook, textBytes);
        List<byte[]> points = outlook.splitPoints(sample);
        int splitChunks =
                outlook.splits() && outlook.keyless() && dialect.dialect().recordsAreLines()
                        ? wanted
                        : 0;
        int chunkBytes = shape.chunkBytes(spec, sample, textBytes);
        if (splitChunks > 0 && spec.chunkBytes() == 0 && textBytes > 0) {
            chunkBytes = Math.clamp(textBytes / (splitChunks * 8L), 64 << 10, chunkBytes);
        }
        noteSplit(outlook, splitChunks, points, sample);
        if (cut == FragmentForm.RAW) {
            notes.add(
                    "Records travel as text, which region servers parse; a dry run parses them"
                            + " itself.");
        }
        long chunkCount = chunkCount(dialect, chunkBytes);
        ResolvedLoad load =
                new ResolvedLoad(
                        spec,
                        schema,
                        existing.isEmpty(),
                        dialect,
                        points,
                        splitChunks,
                        chunkBytes,
                        chunkCount,
                        shape.threads(),
                        shape.workers(),
                        shape.memoryBytes(),
                        cut,
                        sample.isInOrder(),
                        sample.tokens(),
                        linesBeforeData(dialect),
                        outlook.regionsAfter(points, splitChunks, chunkCount),
                        CompletableFuture.supplyAsync(
                                () -> balance(sample, outlook, points, textBytes)));
        return new Planned(load, sample, servers);
    }

    private LoadPlan describe(Planned planned) {
        ResolvedLoad load = planned.load();
        Sample sample = planned.sample();
        TableSchema schema = load.schema();
        return new LoadPlan(
                schema.name(),
                PlanDescription.inputs(inputs),
                PlanDescription.dialect(load.dialect()),
                PlanDescription.fields(schema, load.dialect()),
                PlanDescription.columns(schema, sample),
                inputs.totalBytes(),
                load.chunkBytes(),
                load.chunkCount(),
                planned.servers(),
                load.regionsAfterSplit(),
                load.splitPoints().stream().map(point -> PlanWords.key(schema, point)).toList(),
                load.balance().join(),
                load.threads(),
                load.workers(),
                spec.offload().word(),
                load.cut().name().toLowerCase(Locale.ROOT),
                load.memoryBytes(),
                PlanDescription.storedBytes(sample, textBytes()),
                KernelSelection.chosen(),
                notes);
    }

    private TableSchema schema(Optional<TableSchema> existing) {
        TableSchema declared = spec.schema();
        if (existing.isEmpty()) {
            if (declared == null) {
                throw PenstockException.usage(
                        "There is no table "
                                + spec.table()
                                + "; create it first, or name its CREATE TABLE statement with --ddl"
                                + " FILE.");
            }
            return declared;
        }
        TableSchema table = existing.get();
        if (declared != null
                && !(declared.columns().equals(table.columns())
                        && declared.key().equals(table.key()))) {
            throw PenstockException.usage(
                    "Table "
                            + table.name()
                            + " exists with other columns or another key than --ddl declares: leave"
                            + " out --ddl to load into it as it is, or drop it first.");
        }
        return table;
    }

    private FragmentForm cut() {
        boolean raw =
                spec.offload() == OffloadPolicy.RAW || spec.offload() == OffloadPolicy.SEQUENTIAL;
        FragmentForm implied =
                switch (spec.offload()) {
                    case ALL, SELECT, ADAPTIVE, TEXT -> FragmentForm.ENCODED;
                    case NONE -> FragmentForm.SORTED;
                    case RAW, SEQUENTIAL -> FragmentForm.RAW;
                };
        FragmentForm cut = spec.cut() == null ? implied : spec.cut();
        if (raw && cut != FragmentForm.RAW) {
            throw PenstockException.usage(
                    "The offload policy "
                            + spec.offload().word()
                            + " sends text, so the load cannot be cut at "
                            + cut.name().toLowerCase(Locale.ROOT)
                            + ".");
        }
        if (cut == FragmentForm.MERGED
                && spec.duplicates().within() == DuplicatePolicy.Within.REJECT) {
            throw PenstockException.usage(
                    "--cut merged leaves rows of equal keys out before anybody can say which; it"
                            + " does not go with --on-duplicate "
                            + spec.duplicates().word()
                            + ".");
        }
        if (target != null && !target.capabilities().forms().contains(cut)) {
            throw PenstockException.usage(
                    "The target takes no fragments in the form "
                            + cut.name().toLowerCase(Locale.ROOT)
                            + "; choose another --offload policy.");
        }
        return cut;
    }

    /** Text bytes in all, estimated for compressed files; -1 if an input is a pipe. */
    private long textBytes() {
        long total = 0;
        for (InputFile file : inputs.files()) {
            if (!file.reopenable()) {
                return -1;
            }
            total += file.seekable() ? file.bytes() : file.bytes() * InputSample.COMPRESSION_RATIO;
        }
        return total;
    }

    private int wantedRegions(int servers, long textBytes) {
        if (spec.regions() > 0) {
            return spec.regions();
        }
        long bySize = (textBytes + BYTES_PER_REGION - 1) / BYTES_PER_REGION;
        long even =
                bySize <= 2 ? bySize : (bySize + EVEN_REGIONS - 1) / EVEN_REGIONS * EVEN_REGIONS;
        return (int) Math.max(servers, Math.min(MAX_DEFAULT_REGIONS, even));
    }

    private Sample sample(
            TableSchema schema, ChosenDialect dialect, RegionOutlook outlook, long textBytes) {
        int regions = outlook.most();
        int rows =
                spec.samples() > 0
                        ? spec.samples()
                        : defaultSamples(regions, textBytes, dialect.recordBytes());
        try (InputSample sources = new InputSample(inputs, dialect.dataStarts())) {
            return Sampler.take(
                    sources.sources(),
                    new SampleRequest(
                            schema,
                            dialect.dialect(),
                            dialect.fieldColumns(),
                            rows,
                            dialect.recordBytes(),
                            regions,
                            outlook.mayDivide() && spec.samples() == 0,
                            describes,
                            spec.seed()));
        }
    }

    /** Rows to sample: enough for even regions, and less so where rows are long. */
    static int defaultSamples(int regions, long textBytes, double recordBytes) {
        long enough = Math.max(MIN_DEFAULT_SAMPLES, (long) SAMPLED_ROWS_PER_REGION * regions);
        long bytes = Math.max(MIN_SAMPLED_BYTES, textBytes / SAMPLED_SHARE);
        long cheap = (long) (bytes / Math.max(1, recordBytes));
        long fewestBytes = Math.max(MIN_FEWEST_BYTES, textBytes / FEWEST_SHARE);
        long fewest =
                Math.clamp(
                        (long) (fewestBytes / Math.max(1, recordBytes)),
                        (long) LEAST_ROWS_PER_REGION * regions,
                        (long) FEWEST_ROWS_PER_REGION * regions);
        return (int) Math.min(MAX_DEFAULT_SAMPLES, Math.max(fewest, Math.min(enough, cheap)));
    }

    private void noteSplit(
            RegionOutlook outlook, int splitChunks, List<byte[]> points, Sample sample) {
        for (InputFile file : inputs.files()) {
            if (!file.seekable()) {
                notes.add(
                        (file.name().equals("-") ? "Standard input" : file.name())
                                + " was sampled from its start only; if it is ordered by key,"
                                + " regions may come out uneven.");
                break;
            }
        }
        if (outlook.splits() && outlook.keyless() && splitChunks == 0) {
            notes.add(
                    "The table has no key and the inputs cannot be cut without reading them, so its"
                            + " rows go to one region.");
        }
        int leftOut = outlook.leftOut(points);
        if (leftOut > 0) {
            notes.add(
                    leftOut
                            + " of "
                            + Counted.of(points.size() + leftOut, "split point")
                            + Counted.verb(leftOut, " was", " were")
                            + " left out: "
                            + whyLeftOut(sample, outlook.most()));
        }
        if (sample.rejectCount() > 0) {
            notes.add(
                    sample.rejectCount()
                            + " of "
                            + Counted.of(sample.checkedRecords(), "sampled record")
                            + " would be rejected; the first: column "
                            + sample.firstRejects().get(0).columnName()
                            + ", value '"
                            + Printable.line(sample.firstRejects().get(0).value())
                            + "', expected "
                            + sample.firstRejects().get(0).expected()
                            + ".");
        }
    }

    private static String whyLeftOut(Sample sample, int wanted) {
        if (sample.rows() == 0) {
            return "the sample has no good rows.";
        }
        int keys = sample.keys().keys().size();
        return keys < wanted
                ? "the sample has only " + Counted.of(keys, "different key") + "."
                : "some keys are so frequent that one region each cannot be divided further.";
    }

    private long chunkCount(ChosenDialect dialect, int chunkBytes) {
        long count = 0;
        for (InputFile file : inputs.files()) {
            if (!file.seekable() || !dialect.dialect().recordsAreLines()) {
                return -1;
            }
            count +=
                    ChunkSupply.chunkCount(
                            file.bytes() - dialect.dataStarts()[file.index()], chunkBytes);
        }
        return count;
    }

    private static LoadPlan.Balance balance(
            Sample sample, RegionOutlook outlook, List<byte[]> points, long textBytes) {
        double rowBytes = sample.meanRecordBytes();
        long rows = textBytes < 0 || rowBytes == 0 ? -1 : Math.round(textBytes / rowBytes);
        if (outlook.keyless() || sample.rows() == 0) {
            return new LoadPlan.Balance(sample.rows(), sample.rejectCount(), rows, -1, -1, 0);
        }
        BalanceEstimate estimate = sample.balance(outlook.bordersAfter(points));
        return new LoadPlan.Balance(
                sample.rows(),
                sample.rejectCount(),
                rows,
                estimate.expected(),
                estimate.bound(),
                points.isEmpty() ? 0 : outlook.leftOut(points));
    }

    private long[] linesBeforeData(ChosenDialect dialect) {
        long[] lines = new long[inputs.count()];
        for (int i = 0; i < lines.length; i++) {
            int length = (int) Math.min(dialect.dataStarts()[i], DialectChooser.HEAD_BYTES);
            if (length > 0 && !inputs.file(i).reopenable()) {
                byte[] head = inputs.head(i, DialectChooser.HEAD_BYTES);
                lines[i] =
                        LineFinder.countLines(
                                dialect.dialect(), head, Math.min(length, head.length));
            }
        }
        return lines;
    }
}
