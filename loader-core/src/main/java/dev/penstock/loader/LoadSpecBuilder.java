package dev.penstock.loader;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Collects a {@link LoadSpec}; every setting has a default but the inputs. */
public final class LoadSpecBuilder {
    private final String table;
    private final List<String> inputs = new ArrayList<>();
    private @Nullable TableSchema schema;
    private DialectOptions dialect = DialectOptions.DEFAULT;
    private List<String> columns = List.of();
    private int regions;
    private int samples;
    private int threads;
    private int workers;
    private long chunkBytes;
    private long memoryBytes;
    private OffloadPolicy offload = OffloadPolicy.ADAPTIVE;
    private @Nullable FragmentForm cut;
    private DuplicatePolicy duplicates = DuplicatePolicy.ERROR;
    private Verification verification = Verification.CHECKSUM;
    private RejectLimits maxRejects = RejectLimits.NONE;
    private @Nullable Path rejectsFile;
    private String label = "";
    private boolean resume;
    private boolean dryRun;
    private long seed = 20_240_229;

    LoadSpecBuilder(String table) {
        this.table = table;
    }

    /** Adds a file, a folder, a glob or {@code -}. */
    public LoadSpecBuilder from(String input) {
        inputs.add(input);
        return this;
    }

    public LoadSpecBuilder from(List<String> more) {
        inputs.addAll(more);
        return this;
    }

    public LoadSpecBuilder schema(@Nullable TableSchema value) {
        schema = value;
        return this;
    }

    public LoadSpecBuilder dialect(DialectOptions value) {
        dialect = value;
        return this;
    }

    public DialectOptions dialect() {
        return dialect;
    }

    public LoadSpecBuilder columns(List<String> value) {
        columns = value;
        return this;
    }

    public LoadSpecBuilder regions(int value) {
        regions = value;
        return this;
    }

    public LoadSpecBuilder samples(int value) {
        samples = value;
        return this;
    }

    public LoadSpecBuilder threads(int value) {
        threads = value;
        return this;
    }

    public LoadSpecBuilder workers(int value) {
        workers = value;
        return this;
    }

    public LoadSpecBuilder chunkBytes(long value) {
        chunkBytes = value;
        return this;
    }

    public LoadSpecBuilder memoryBytes(long value) {
        memoryBytes = value;
        return this;
    }

    public LoadSpecBuilder offload(OffloadPolicy value) {
        offload = value;
        return this;
    }

    public LoadSpecBuilder cut(@Nullable FragmentForm value) {
        cut = value;
        return this;
    }

    public LoadSpecBuilder duplicates(DuplicatePolicy value) {
        duplicates = value;
        return this;
    }

    public LoadSpecBuilder verification(Verification value) {
        verification = value;
        return this;
    }

    public LoadSpecBuilder maxRejects(RejectLimits value) {
        maxRejects = value;
        return this;
    }

    /** One limit of all classes together. */
    public LoadSpecBuilder maxRejects(RejectLimit value) {
        return maxRejects(RejectLimits.of(value));
    }

    public LoadSpecBuilder rejectsFile(@Nullable Path value) {
        rejectsFile = value;
        return this;
    }

    /**
     * The user's name for the load; without this call it has none.
     *
     * @throws PenstockException if it is empty: who gives a variable that is not set relies on it
     */
    public LoadSpecBuilder label(String value) {
        if (value.isEmpty()) {
            throw PenstockException.usage("--label is empty; a load without one needs no --label.");
        }
        label = value;
        return this;
    }

    public LoadSpecBuilder resume(boolean value) {
        resume = value;
        return this;
    }

    public LoadSpecBuilder dryRun(boolean value) {
        dryRun = value;
        return this;
    }

    public LoadSpecBuilder seed(long value) {
        seed = value;
        return this;
    }

    public LoadSpec build() {
        return new LoadSpec(
                inputs,
                table,
                schema,
                dialect,
                columns,
                regions,
                samples,
                threads,
                workers,
                chunkBytes,
                memoryBytes,
                offload,
                cut,
                duplicates,
                verification,
                maxRejects,
                rejectsFile,
                label,
                resume,
                dryRun,
                seed);
    }
}
