package dev.penstock.kv.ingest;

import dev.penstock.bytes.ByteSink;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.region.LeftOutKeys;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.region.StoredKeys;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.kv.storage.SegmentOutput;
import dev.penstock.kv.storage.Storage;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.RegionDictionaries;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeResult;
import dev.penstock.step.MergeThreads;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.RegionReceipt;

import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The last step of one region's part of a load: finish deferred steps, merge the staged fragments
 * into segment files, leave out or refuse keys that are stored already, and note in the journal
 * that the part is prepared. Until then a failure leaves nothing; once the journal is forced the
 * part can be published even if the server stops in between.
 */
final class RegionMerge {
    /** So long a merge waits for its turn before it asks whether it is still wanted. */
    private static final long PERMIT_MILLIS = 50;

    /** Of a run's rows in the order of the input, where that does not count. */
    private static final long BEFORE_ALL_FRAGMENTS = -1;

    private final LoadIntake load;
    private final Region region;
    private final Staging staging;
    private final RegionDictionaries dictionaries;
    private final ArrivalProof proof;
    private final StepTimes times;
    private final Storage storage;
    private final RegionFiles files;
    private final TableSchema schema;
    private final SegmentIdentity identity;
    private final List<Reject> rejects = new ArrayList<>();
    private final ReceiptRoom.Share room;
    private long replacedRows;

    /**
     * Of one region.
     *
     * @param dictionaries has taken in those of the staged fragments, unless steps are deferred
     * @param proof has taken in the sums of the staged fragments, likewise; changed by {@link #run}
     */
    RegionMerge(
            LoadIntake load,
            Region region,
            Staging staging,
            RegionDictionaries dictionaries,
            ArrivalProof proof,
            StepTimes times) {
        this.load = load;
        this.region = region;
        this.staging = staging;
        this.dictionaries = dictionaries;
        this.proof = proof;
        this.times = times;
        this.storage = region.context().storage();
        this.files = region.files();
        this.schema = region.descriptor().schema();
        long regionId = region.descriptor().regionId();
        this.room = load.receiptRoom().share(load.descriptor(), regionId);
        this.identity = PreparedLoad.identity(regionId, load.descriptor().ordinal());
    }

    /** What a merge has written, durable. */
    record Written(List<SegmentDescriptor> segments, MergeResult result) {}

    /**
     * Merges and prepares.
     *
     * @param early what {@link #mergeEarly} has written, if no fragment has come since
     * @param standing the same if some have come, for those before them, which are not there any
     *     more; stays as it is
     * @param others for messages
     */
    RegionReceipt run(Optional<Written> early, Optional<Written> standing, OtherLoads others) {
        boolean prepared = false;
        try {
            Written written = proven(early.orElseGet(() -> mergeStaged(standing)));
            // Once the journal may name them the files stay, whatever happens.
            RegionReceipt receipt =
                    region.prepareAlone(() -> prepare(opened(resolve(promised(written), others))));
            prepared = true;
            return receipt;
        } finally {
            if (!prepared) {
                room.giveBack();
            }
        }
    }

    /**
     * Merges what has come so far, of a load that does not defer its steps. The staging stays as it
     * is, and no fragment may be appended meanwhile. The proof is neither asked nor changed: what
     * was left out is subtracted by {@link #run}, each time from a copy of its own.
     *
     * @param unwanted asked now and then; if so this throws soon
     */
    Written mergeEarly(BooleanSupplier unwanted) {
        try {
            if (!staging.pin()) {
                throw PenstockException.conflict("there is no memory for a merge that can wait");
            }
            return merge(
                    staging, List.of(), dictionaries, load.loadId(), unwanted, MergeThreads.ONE);
        } finally {
            staging.unpin();
        }
    }

    /** Removes what an early merge has written. */
    static void discard(Region region, Written written) {
        Storage storage = region.context().storage();
        for (SegmentDescriptor segment : written.segments()) {
            storage.delete(region.files().segment(segment.name()));
        }
    }

    private Written mergeStaged(Optional<Written> standing) {
        if (standing.isPresent()) {
            return mergeWith(standing.get());
        }
        if (!load.descriptor().request().deferSteps()) {
            return merge(staging, dictionaries, load.loadId());
        }
        try (Staging processed = newStaging("processed")) {
            AnsweredRejects found = new AnsweredRejects(room::take);
            new DeferredSteps(load, region, proof, times).run(staging, processed, found);
            rejects.addAll(found.list());
            return merge(processed, null, load.loadId());
        }
    }

    /** Merges segments with what has come since. */
    private Written mergeWith(Written standing) {
        List<SegmentFile> segments = open(standing.segments());
        try {
            List<Merge.Run> runs = new ArrayList<>();
            for (SegmentFile segment : segments) {
                runs.add(new Merge.Run(segment.reader(), BEFORE_ALL_FRAGMENTS));
            }
            return merge(staging, runs, null, load.loadId() + "-whole", () -> false, atTheEnd());
        } finally {
            segments.forEach(SegmentFile::release);
        }
    }

    private Staging newStaging(String kind) {
        String name = region.descriptor().regionId() + "." + kind;
        return new Staging(load.stagingMemory(), storage, load.directory().resolve(name));
    }

    /** Merges at the end of the load. */
    private Written merge(Staging source, @Nullable RegionDictionaries known, String name) {
        return merge(source, List.of(), known, name, () -> false, atTheEnd());
    }

    private MergeThreads atTheEnd() {
        return new SpareThread(region.context().mergePermits(), load.mergeHelp());
    }

    private Written merge(
            Staging source,
            List<Merge.Run> more,
            @Nullable RegionDictionaries known,
            String name,
            BooleanSupplier unwanted,
            MergeThreads threads) {
        SegmentOutput output = new SegmentOutput(storage, files, files.loadPrefix(name));
        try {
            MergeResult result;
            TokenTables tokens = load.descriptor().request().tokens();
            try (StagedRuns runs = new StagedRuns(source, schema, tokens)) {
                List<Merge.Run> all = new ArrayList<>(runs.runs());
                all.addAll(more);
                result = permittedMerge(all, known, unwanted, output, threads);
            }
            times.addAll(result.times());
            return new Written(output.finish(), result);
        } catch (RuntimeException | Error e) {
            output.discard();
            throw e;
        }
    }

    /** Proves that what was written is what has come, but for duplicates, or removes it. */
    private Written proven(Written written) {
        try {
            MergeResult result = written.result();
            proof.drop(result.duplicatesDropped(), result.dropped());
            proof.check(result.rows(), result.stored());
            return written;
        } catch (RuntimeException | Error e) {
            discard(written);
            throw e;
        }
    }

    private MergeResult permittedMerge(
            List<Merge.Run> runs,
            @Nullable RegionDictionaries known,
            BooleanSupplier unwanted,
            Merge.Output output,
            MergeThreads threads) {
        Semaphore permits = region.context().mergePermits();
        acquire(permits, unwanted);
        try {
            DuplicatePolicy policy = load.descriptor().request().duplicates();
            Merge merge = load.steps().borrowMerge();
            Merge.Output unless = new Unless(unwanted, output);
            MergeResult result = merge.run(runs, known, policy, identity, unless, threads);
            load.steps().giveBack(merge);
            return result;
        } finally {
            permits.release();
        }
    }

    /** Who has a fragment for what an early merge waits to merge must not wait with it. */
    private static void acquire(Semaphore permits, BooleanSupplier unwanted) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (permits.tryAcquire(PERMIT_MILLIS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                    checkWanted(unwanted);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void checkWanted(BooleanSupplier unwanted) {
        if (unwanted.getAsBoolean()) {
            throw PenstockException.conflict("a fragment came for what was merged");
        }
    }

    // Keys that are stored already

    /** From now on what the comparison with stored rows will find stays so. */
    private Written promised(Written written) {
        DuplicatePolicy policy = load.descriptor().request().duplicates();
        if (policy.comparesStored()) {
            LeftOutKeys leftOut =
                    policy.leavesOutForStored() ? LeftOutKeys.UNDECIDED : LeftOutKeys.NONE;
            try {
                region.promise(load.loadId(), identity, written.segments(), leftOut);
            } catch (RuntimeException | Error e) {
                discard(written);
                throw e;
            }
        }
        return written;
    }

    private Written resolve(Written written, OtherLoads others) {
        try {
            NamedKeys named = new NamedKeys(schema, this::name);
            written.result().rejectedKeys().forEach(key -> named.add(key, false));
            return withoutStored(written, named, others);
        } catch (RuntimeException | Error e) {
            discard(written);
            throw e;
        }
    }

    private void name(Reject key) {
        room.take(key);
        rejects.add(key);
    }

    private Written withoutStored(Written written, NamedKeys named, OtherLoads others) {
        DuplicatePolicy policy = load.descriptor().request().duplicates();
        CpuClock clock = new CpuClock();
        try (StoredKeys stored = region.storedKeys(load.loadId(), policy.comparesStored())) {
            if (stored.isEmpty()) {
                return decided(written, LeftOutKeys.NONE);
            }
            List<SegmentFile> segments = open(written.segments());
            try {
                StoredDuplicates found =
                        new StoredDuplicates(schema, policy.stored(), named, others);
                found.find(stored, segments);
                replacedRows = found.replaced();
                clock.lap(StepName.MERGE);
                times.addAll(clock.times());
                if (found.leftOut().stream().allMatch(Roaring64Bitmap::isEmpty)) {
                    return decided(written, LeftOutKeys.NONE);
                }
                Written rewritten = rewrite(written, segments, found.leftOut());
                decided(rewritten, found.leftOutKeys());
                discard(region, written);
                return rewritten;
            } finally {
                segments.forEach(SegmentFile::release);
            }
        }
    }

    /** The comparison has ended: what is left out is known. */
    private Written decided(Written written, LeftOutKeys leftOut) {
        if (load.descriptor().request().duplicates().comparesStored()) {
            region.promise(load.loadId(), identity, written.segments(), leftOut);
        }
        return written;
    }

    private Written rewrite(
            Written written, List<SegmentFile> segments, List<Roaring64Bitmap> duplicates) {
        try (Staging kept = newStaging("kept")) {
            long dropped = new KeptRows(schema, identity).copy(segments, duplicates, kept, proof);
            Written rewritten = proven(merge(kept, null, load.loadId() + "-kept"));
            MergeResult result = rewritten.result();
            return new Written(
                    rewritten.segments(),
                    new MergeResult(
                            result.rows(),
                            written.result().duplicatesDropped() + dropped,
                            result.deletedDropped(),
                            result.bytes(),
                            List.of(),
                            result.columns(),
                            result.stored(),
                            result.dropped(),
                            result.times()));
        }
    }

    /**
     * Opens what was written, since nothing can be done about a segment that cannot be opened once
     * the load is published; and reads all of it, if the load wants that.
     */
    private Written opened(Written written) {
        CpuClock clock = new CpuClock();
        try {
            List<SegmentFile> segments = open(written.segments());
            try {
                if (proof.readsBack()) {
                    proof.readBack(segments, written.segments());
                }
            } finally {
                segments.forEach(SegmentFile::release);
            }
        } catch (RuntimeException | Error e) {
            discard(written);
            throw e;
        }
        clock.lap(StepName.VERIFY);
        times.addAll(clock.times());
        return written;
    }

    private List<SegmentFile> open(List<SegmentDescriptor> descriptors) {
        List<SegmentFile> segments = new ArrayList<>();
        try {
            for (SegmentDescriptor descriptor : descriptors) {
                segments.add(
                        SegmentFile.open(
                                storage,
                                region.context().segments(),
                                files.segment(descriptor.name()),
                                schema,
                                descriptor,
                                identity.withOrdinal(segments.size()),
                                region.descriptor().range()));
            }
            return segments;
        } catch (RuntimeException | Error e) {
            segments.forEach(SegmentFile::release);
            throw e;
        }
    }

    private void discard(Written written) {
        region.prepared().withdraw(load.loadId());
        discard(region, written);
    }

    // The commit of this region's part

    private RegionReceipt prepare(Written written) {
        MergeResult result = written.result();
        RegionReceipt receipt =
                new RegionReceipt(
                        region.descriptor().regionId(),
                        load.serverName(),
                        result.rows(),
                        result.duplicatesDropped(),
                        replacedRows,
                        written.segments().stream().mapToLong(SegmentDescriptor::bytes).sum(),
                        result.columns(),
                        result.stored(),
                        proof.dropped(),
                        rejects,
                        times);
        boolean compares = load.descriptor().request().duplicates().comparesStored();
        record(
                new PreparedLoad(load.loadId(), identity, compares, written.segments(), receipt),
                written);
        return receipt;
    }

    /**
     * What the journal certainly does not name is of no use, and would take room on a full disk.
     */
    private void record(PreparedLoad prepared, Written written) {
        try {
            region.prepared().add(prepared);
        } catch (RuntimeException e) {
            if (!region.prepared().mayBeRecorded(load.loadId())) {
                discard(written);
            }
            throw e;
        }
    }

    /** An output that ends its merge when nobody wants that any more. */
    private record Unless(BooleanSupplier unwanted, Merge.Output output) implements Merge.Output {
        @Override
        public ByteSink open(int ordinal) {
            ByteSink sink = output.open(ordinal);
            return new ByteSink() {
                @Override
                public void write(byte[] bytes, int offset, int count) {
                    checkWanted(unwanted);
                    sink.write(bytes, offset, count);
                }

                @Override
                public long position() {
                    return sink.position();
                }
            };
        }

        @Override
        public void close(int ordinal, SegmentSummary summary) {
            output.close(ordinal, summary);
        }
    }
}
