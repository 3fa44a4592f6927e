package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.ingest.FragmentSteps.Staged;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.Storage;
import dev.penstock.reject.Reject;
import dev.penstock.segment.RegionDictionaries;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.CpuClock;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentAck.Outcome;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One region's part of a running load. While fragments arrive: many threads run steps at the same
 * time, each with {@link FragmentSteps} of its own, and copy to the staging memory. At {@link
 * #finish}: one thread merges ({@link RegionMerge}), and nothing arrives any more.
 */
final class RegionIntake implements Arrivals.Candidate {
    private enum Phase {
        OPEN,
        FINISHING,
        PREPARED,
        DISCARDED
    }

    private final LoadIntake load;
    private final Region region;
    private final ChunkLedger ledger = new ChunkLedger();
    private final Staging staging;
    private final RegionDictionaries dictionaries;
    private final StepTimes times = new StepTimes();
    private final ArrivalProof proof;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock finishing = new ReentrantLock();
    private final EarlyMerge<RegionMerge.Written> early = new EarlyMerge<>();
    private final AtomicBoolean nominated = new AtomicBoolean();
    private Phase phase;

    /** Guarded by {@link #finishing}. */
    private boolean spent;

    /**
     * What was merged early of fragments that have been dropped, if more came after; under the
     * lock.
     */
    private Optional<RegionMerge.Written> standing = Optional.empty();

    private long rowCount;

    /** The highest number of a chunk with rows; written under the lock. */
    private volatile int newestChunk = -1;

    RegionIntake(
            LoadIntake load, Region region, StagingMemory memory, Storage storage, Path directory) {
        this.load = load;
        this.region = region;
        // Prepared before this server started; what came now would be in no receipt.
        this.phase = region.prepared().get(load.loadId()).isPresent() ? Phase.PREPARED : Phase.OPEN;
        this.proof = new ArrivalProof(load.descriptor(), region.descriptor().regionId());
        this.dictionaries = new RegionDictionaries(region.descriptor().schema());
        this.staging =
                new Staging(
                        memory,
                        storage,
                        directory.resolve(region.descriptor().regionId() + ".fragments"));
    }

    Region region() {
        return region;
    }

    // While fragments arrive

    FragmentAck take(FragmentHeader header, byte[] payload, int length) {
        return switch (claim(header.chunkId())) {
            case NEW -> takeNew(header, payload, length);
            // Of text nobody but this server knows rows and sums, who may have taken it in another
            // form, before it was started again.
            case TAKEN ->
                    header.isText()
                            ? answerAgain(header, payload, length)
                            : ack(header, rows(header), List.of());
            case TAKEN_AND_FOUND -> answerAgain(header, payload, length);
        };
    }

    private FragmentAck takeNew(FragmentHeader header, byte[] payload, int length) {
        boolean taken = false;
        try {
            FragmentAck ack =
                    load.descriptor().request().deferSteps()
                            ? stageRaw(header, payload, length)
                            : process(header, payload, length);
            if (ack.declined()) {
                return ack;
            }
            ledger.taken(header.chunkId(), !ack.rejects().isEmpty() || header.isText());
            taken = true;
            load.arrived(header.chunkId(), this);
            staging.relieve();
            return ack;
        } finally {
            if (!taken) {
                ledger.release(header.chunkId());
            }
        }
    }

    /**
     * What is repeated is the same text, so that steps find the same in it. If that is a bad record
     * in text, or a row of another region, what was taken of it was the loader's to make, and is
     * again.
     */
    private FragmentAck answerAgain(FragmentHeader header, byte[] payload, int length) {
        FragmentSteps steps = load.steps().borrowSteps();
        AnsweredRejects rejects = rejects(header);
        try {
            Staged staged =
                    steps.run(header, payload, length, plainColumns(), rejects, new CpuClock());
            FragmentAck ack =
                    liesElsewhere(header, staged)
                            ? FragmentAck.declining(header, plainColumns(), Outcome.DECLINED)
                            : ack(header, staged, rejects.list());
            load.steps().giveBack(steps);
            return ack;
        } catch (AnsweredRejects.Declined e) {
            load.steps().giveBack(steps);
            // A file that is not there any more: what the loader makes of it is a repetition too.
            return e.answer(header, plainColumns());
        }
    }

    private ChunkLedger.Claim claim(int chunkId) {
        try {
            return ledger.claim(chunkId);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.conflict(
                    "the wait for fragment " + chunkId + " was interrupted");
        }
    }

    /** Counts CPU time that was spent for several regions. */
    void spent(StepTimes more) {
        lock.lock();
        try {
            if (phase == Phase.OPEN) {
                times.addAll(more);
            }
        } finally {
            lock.unlock();
        }
    }

    private FragmentAck stageRaw(FragmentHeader header, byte[] payload, int length) {
        if (header.form() != FragmentForm.RAW || header.isText()) {
            throw PenstockException.conflict(
                    "load " + load.loadId() + " defers its steps and takes raw fragments only");
        }
        CpuClock clock = new CpuClock();
        try (Staging.Incoming incoming = staging.copy(payload, length)) {
            lock.lock();
            try {
                checkOpen();
                log(
                        header.chunkId(),
                        header.rowCount(),
                        ColumnSums.NONE,
                        List.of(),
                        payload,
                        length);
                staging.append(header.chunkId(), incoming);
                clock.lap(StepName.WRITE);
                times.addAll(clock.times());
            } finally {
                lock.unlock();
            }
        }
        return ack(header, 0, List.of());
    }

    private FragmentAck process(FragmentHeader header, byte[] payload, int length) {
        CpuClock clock = new CpuClock();
        FragmentSteps steps = load.steps().borrowSteps();
        AnsweredRejects rejects = rejects(header);
        try {
            Staged staged = steps.run(header, payload, length, plainColumns(), rejects, clock);
            FragmentAck ack = process(header, staged, rejects, clock);
            load.steps().giveBack(steps);
            return ack;
        } catch (AnsweredRejects.Declined e) {
            load.steps().giveBack(steps);
            return e.answer(header, plainColumns());
        }
    }

    private static AnsweredRejects rejects(FragmentHeader header) {
        return header.isText() ? AnsweredRejects.declining() : new AnsweredRejects();
    }

    private FragmentAck process(
            FragmentHeader header, Staged staged, AnsweredRejects rejects, CpuClock clock) {
        if (liesElsewhere(header, staged)) {
            return FragmentAck.declining(header, plainColumns(), Outcome.DECLINED);
        }
        checkKeys(staged, header.chunkId());
        try (Staging.Incoming incoming = staging.copy(staged.image(), staged.length())) {
            stage(staged, rejects.list(), incoming, header.chunkId(), clock);
        }
        return ack(header, staged, rejects.list());
    }

    private void stage(
            Staged staged,
            List<Reject> rejects,
            Staging.Incoming incoming,
            int chunkId,
            CpuClock clock) {
        lock.lock();
        try {
            checkOpen();
            int rows = (int) staged.reader().rowCount();
            int length = rows == 0 ? 0 : staged.length();
            log(chunkId, rows, staged.sums(), rejects, staged.image(), length);
            if (rows > 0) {
                dropEarly();
                newestChunk = Math.max(newestChunk, chunkId);
                staging.append(chunkId, incoming);
                dictionaries.add(staged.reader());
                rowCount += rows;
                proof.take(rows, staged.sums());
            }
            clock.lap(StepName.WRITE);
            times.addAll(clock.times());
        } finally {
            lock.unlock();
        }
    }

    private void log(
            int chunkId,
            int rows,
            ColumnSums sums,
            List<Reject> rejects,
            byte[] image,
            int length) {
        load.log(chunkId, region.descriptor().regionId(), rows, sums, rejects, image, length);
    }

    /**
     * Takes a fragment again that was taken before the server started; before any other. A region
     * that is prepared needs no more than to know that it has it.
     */
    void recover(FragmentLog.Entry entry) {
        if (claim(entry.chunkId()) != ChunkLedger.Claim.NEW) {
            return;
        }
        boolean deferred = load.descriptor().request().deferSteps();
        byte[] image = entry.image();
        if (phase == Phase.OPEN && image.length > 0) {
            newestChunk = Math.max(newestChunk, entry.chunkId());
            staging.append(entry.chunkId(), image, image.length);
            if (!deferred) {
                dictionaries.add(reader(entry));
                proof.take(entry.rowCount(), entry.sums());
            }
        }
        rowCount += deferred ? 0 : entry.rowCount();
        ledger.taken(entry.chunkId(), !entry.rejects().isEmpty());
    }

    private SegmentReader reader(FragmentLog.Entry entry) {
        return SegmentReader.open(
                region.descriptor().schema(),
                MemorySegment.ofArray(entry.image()),
                "logged fragment " + entry.chunkId() + " for region " + entry.regionId(),
                load.descriptor().request().tokens());
    }

    /** Whether a text, of which a loader has seen the first and the last row, has others too. */
    private boolean liesElsewhere(FragmentHeader header, Staged staged) {
        return header.isText() && !isInside(staged);
    }

    private boolean isInside(Staged staged) {
        KeyRange range = region.descriptor().range();
        return staged.reader().rowCount() == 0
                || (range.contains(staged.reader().firstKey())
                        && range.contains(staged.reader().lastKey()));
    }

    private void checkKeys(Staged staged, int chunkId) {
        if (!isInside(staged)) {
            throw PenstockException.corrupt(
                    "fragment "
                            + chunkId
                            + " of load "
                            + load.loadId()
                            + " holds keys outside of region "
                            + region.descriptor().regionId());
        }
    }

    private FragmentAck ack(FragmentHeader header, Staged staged, List<Reject> rejects) {
        return new FragmentAck(
                header.chunkId(),
                header.regionId(),
                staged.reader().rowCount(),
                rejects,
                plainColumns(),
                header.isText() ? staged.sums() : ColumnSums.NONE,
                Outcome.TAKEN);
    }

    private FragmentAck ack(FragmentHeader header, long rowsAccepted, List<Reject> rejects) {
        return new FragmentAck(
                header.chunkId(), header.regionId(), rowsAccepted, rejects, plainColumns());
    }

    private long rows(FragmentHeader header) {
        return load.descriptor().request().deferSteps() ? 0 : header.rowCount();
    }

    BitSet plainColumns() {
        lock.lock();
        try {
            return dictionaries.plainColumns();
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() {
        if (phase != Phase.OPEN) {
            throw PenstockException.conflict(
                    "load " + load.loadId() + " takes no more fragments: it is finishing or ended");
        }
    }

    // Before the end

    /** So that the region is merged early once at most. */
    @Override
    public boolean nominate() {
        return nominated.compareAndSet(false, true);
    }

    @Override
    public long stagedBytes() {
        return staging.heldBytes();
    }

    @Override
    public int newestChunk() {
        return newestChunk;
    }

    /** Merges what has come, if nobody has done so and the load goes on. */
    void mergeEarly() {
        lock.lock();
        try {
            if (phase != Phase.OPEN || !early.begin()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        early.run(unwanted -> {
            load.checkRoomForEarlyMerge();
            RegionMerge.Written written =
                    new RegionMerge(load, region, staging, dictionaries, proof, new StepTimes())
                            .mergeEarly(unwanted);
            staging.merged(needAfterMerge());
            return written;
        });
    }

    /** Where equal keys are no fault their order counts, and only fragments know it. */
    private Staging.Need needAfterMerge() {
        return load.descriptor().request().duplicates().within() == DuplicatePolicy.Within.ERROR
                ? Staging.Need.NONE
                : Staging.Need.IN_CASE;
    }

    /**
     * A fragment is about to be appended: what was merged without it goes, unless nothing else is
     * left of what it was made of.
     */
    private void dropEarly() {
        if (!early.isUnderWay()) {
            return;
        }
        load.guessedWrong();
        Optional<RegionMerge.Written> written = early.takeUnwanted();
        written.ifPresent(merged -> times.addAll(merged.result().times()));
        if (staging.reopen()) {
            standing = written;
        } else {
            written.ifPresent(this::removeEarly);
        }
    }

    /** Files that cannot be deleted are replaced by the next merge, or go at the next start. */
    private void removeEarly(RegionMerge.Written written) {
        try {
            RegionMerge.discard(region, written);
        } catch (PenstockException e) {
            // Nobody needs them, and nobody takes them for something else.
        }
    }

    private void removeStanding() {
        standing.ifPresent(this::removeEarly);
        standing = Optional.empty();
    }

    // At the end

    /** Merges what has arrived and prepares it; the same receipt again if that has happened. */
    RegionReceipt finish(OtherLoads others) {
        finishing.lock();
        try {
            var prepared = region.prepared().get(load.loadId());
            if (prepared.isPresent()) {
                return prepared.get().receipt();
            }
            seal();
            spent = true;
            Optional<RegionMerge.Written> merged = early.take();
            merged.ifPresent(written -> times.addAll(written.result().times()));
            RegionReceipt receipt =
                    new RegionMerge(load, region, staging, dictionaries, proof.copy(), times)
                            .run(merged, standing, others);
            spent = false;
            staging.close();
            removeStanding();
            enter(Phase.PREPARED);
            return receipt;
        } finally {
            finishing.unlock();
        }
    }

    /** Whether a merge has failed, which may have let go of fragments, or the staging has. */
    boolean isSpent() {
        if (!finishing.tryLock()) {
            return false;
        }
        try {
            return spent || staging.hasFailed();
        } finally {
            finishing.unlock();
        }
    }

    private void seal() {
        lock.lock();
        try {
            if (phase == Phase.DISCARDED) {
                throw PenstockException.conflict("load " + load.loadId() + " was aborted");
            }
            phase = Phase.FINISHING;
        } finally {
            lock.unlock();
        }
    }

    private void enter(Phase next) {
        lock.lock();
        try {
            phase = next;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the intake but keeps what is prepared; waits for a merge that runs. */
    void abandon() {
        enter(Phase.DISCARDED);
        early.giveUp();
        finishing.lock();
        try {
            // A merge at the end that was under way has taken it, or has written the same files.
            early.takeUnwanted().ifPresent(this::removeEarly);
            removeStanding();
            lock.lock();
            try {
                staging.close();
            } finally {
                lock.unlock();
            }
        } finally {
            finishing.unlock();
        }
    }

    LoadProgress progress() {
        lock.lock();
        try {
            return new LoadProgress(
                    load.loadId(),
                    region.descriptor().regionId(),
                    staging.partCount(),
                    rowCount,
                    staging.bytes(),
                    phase == Phase.PREPARED);
        } finally {
            lock.unlock();
        }
    }
}
