package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.Storage;
import dev.penstock.reject.Reject;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.CpuClock;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentAck.Outcome;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/**
 * A running load at one server: an intake for each of its regions here. Everything that is not
 * prepared lies in one folder, which goes when the load ends or the server starts again; a load
 * that can be resumed has a {@link FragmentLog} besides, which goes only when the load ends.
 */
public final class LoadIntake {
    private final LoadDescriptor descriptor;
    private final String serverName;
    private final Storage storage;
    private final StagingMemory stagingMemory;
    private static final Pattern FOLDER_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Path directory;
    private final Path logFolder;
    private final @Nullable FragmentLog log;
    private final Map<Long, RegionIntake> regions = new TreeMap<>();
    private final KeptSteps keptSteps;
    private final IdleSteps idleSteps;
    private final ConcurrentLinkedDeque<SpreadSteps> idleSpreads = new ConcurrentLinkedDeque<>();
    private final Arrivals<RegionIntake> arrivals;
    private final ReceiptRoom receiptRoom;
    private final Rehearsal rehearsal;

    private final Executor earlyMerges;
    private final Executor mergeHelp;

    /**
     * Opens the load with what its log holds, if it can be resumed.
     *
     * @param stagingMemory for the fragments of all loads of the server
     * @param receiptRoom for the rejects and named keys of all loads of the server
     * @param rehearsal of the server
     * @param keptSteps of the server, which may have some of an earlier load
     * @param stagingRoot folder of all loads, for what exceeds the memory
     * @param logRoot folder of the logs of all loads that can be resumed
     * @param earlyMerges runs merges of regions that look complete before the load ends
     * @param mergeHelp has a thread for each merge that runs
     * @param serverName for reports
     */
    public LoadIntake(
            LoadDescriptor descriptor,
            List<Region> regions,
            Storage storage,
            StagingMemory stagingMemory,
            ReceiptRoom receiptRoom,
            Rehearsal rehearsal,
            KeptSteps keptSteps,
            Path stagingRoot,
            Path logRoot,
            Executor earlyMerges,
            Executor mergeHelp,
            String serverName) {
        this.descriptor = descriptor;
        this.serverName = serverName;
        this.storage = storage;
        this.stagingMemory = stagingMemory;
        this.receiptRoom = receiptRoom;
        this.rehearsal = rehearsal;
        this.keptSteps = keptSteps;
        this.idleSteps = keptSteps.take(descriptor);
        this.directory = stagingRoot.resolve(checkedName(descriptor.loadId()));
        this.logFolder = logRoot.resolve(descriptor.loadId());
        // What comes with deferred steps is text, whose keys nobody has seen.
        this.arrivals =
                new Arrivals<>(
                        descriptor.request().deferSteps()
                                ? StagingLimits.NEVER
                                : stagingMemory.limits().earlyBytes());
        this.earlyMerges = earlyMerges;
        this.mergeHelp = mergeHelp;
        for (Region region : regions) {
            this.regions.put(
                    region.descriptor().regionId(),
                    new RegionIntake(this, region, stagingMemory, storage, directory));
        }
        this.log = descriptor.request().resumable() ? openLog() : null;
    }

    private FragmentLog openLog() {
        try {
            return FragmentLog.open(storage, logFolder, loadId(), this::recover);
        } catch (RuntimeException e) {
            regions.values().forEach(RegionIntake::abandon);
            throw e;
        }
    }

    private void recover(FragmentLog.Entry entry) {
        RegionIntake intake = regions.get(entry.regionId());
        if (intake == null) {
            throw PenstockException.corrupt(
                    "the fragments of load "
                            + loadId()
                            + " are for region "
                            + entry.regionId()
                            + ", which is not on this server");
        }
        intake.recover(entry);
    }

    /**
     * The id, which comes from the leader; as the name of a folder it must lead nowhere else.
     *
     * @throws PenstockException of category CORRUPT if it would
     */
    public static String checkedName(String loadId) {
        if (!FOLDER_NAME.matcher(loadId).matches()) {
            throw PenstockException.corrupt("'" + loadId + "' is no id of a load");
        }
        return loadId;
    }

    public String loadId() {
        return descriptor.loadId();
    }

    public LoadDescriptor descriptor() {
        return descriptor;
    }

    String serverName() {
        return serverName;
    }

    StagingMemory stagingMemory() {
        return stagingMemory;
    }

    Executor mergeHelp() {
        return mergeHelp;
    }

    ReceiptRoom receiptRoom() {
        return receiptRoom;
    }

    Path directory() {
        return directory;
    }

    /**
     * Of a load that waits to be resumed and is only a log on this server.
     *
     * @param logRoot folder of the logs of all loads that can be resumed
     * @param loadId the name of one of its entries
     */
    public static LoadProgress asleep(Storage storage, Path logRoot, String loadId) {
        long bytes = FragmentLog.bytes(storage, logRoot.resolve(loadId));
        return new LoadProgress(loadId, LoadProgress.ALL_REGIONS, 0, 0, bytes, false);
    }

    /** Whether the region takes part in the load. */
    public boolean involves(long regionId) {
        return regions.containsKey(regionId);
    }

    /** Takes one fragment; repetitions are answered, not stored. */
    public FragmentAck take(FragmentHeader header, byte[] payload, int length) {
        RegionIntake intake = intake(header.regionId());
        if (header.isRehearsal()) {
            rehearsal.keep(descriptor, header, payload, length);
            return FragmentAck.declining(header, new BitSet(), Outcome.DECLINED);
        }
        return header.isText()
                ? takeText(intake, header, payload, length)
                : intake.take(header, payload, length);
    }

    private FragmentAck takeText(
            RegionIntake intake, FragmentHeader header, byte[] payload, int length) {
        int textBytes =
                header.isInFile() ? ChunkInFile.of(payload, length).text().length() : length;
        TextRoom.OF_THIS_PROCESS.take(textBytes);
        try {
            FragmentAck ack =
                    header.isSpread()
                            ? spread(intake, header, payload, length)
                            : intake.take(header, payload, length);
            if (!ack.declined()) {
                rehearsal.parsed(textBytes);
            }
            return ack;
        } finally {
            TextRoom.OF_THIS_PROCESS.giveBack(textBytes);
        }
    }

    /**
     * Takes the rows of a text to their regions, all of them or, if it is declined, none. Where a
     * failure comes between, a repetition brings the others.
     */
    private FragmentAck spread(
            RegionIntake named, FragmentHeader header, byte[] payload, int length) {
        if (descriptor.request().deferSteps()) {
            throw PenstockException.conflict("load " + loadId() + " defers its steps");
        }
        SpreadSteps idle = idleSpreads.pollFirst();
        SpreadSteps steps = idle == null ? new SpreadSteps(descriptor) : idle;
        CpuClock clock = new CpuClock();
        try {
            SpreadSteps.Spread spread = steps.run(header, payload, length, new Here(), clock);
            named.spent(clock.times());
            return new FragmentAck(
                    header.chunkId(),
                    header.regionId(),
                    spread.rowCount(),
                    List.of(),
                    new BitSet(),
                    spread.parsed(),
                    Outcome.TAKEN);
        } catch (AnsweredRejects.Declined e) {
            return e.answer(header, new BitSet());
        } finally {
            idleSpreads.addFirst(steps);
        }
    }

    /** The load's regions that are here. */
    private final class Here implements SpreadSteps.Regions {
        @Override
        public BitSet plainColumns(int region) {
            RegionIntake intake = regions.get(descriptor.regions().get(region).regionId());
            if (intake == null) {
                throw new AnsweredRejects.Declined(
                        "a row belongs to a region elsewhere", Outcome.DECLINED);
            }
            return intake.plainColumns();
        }

        @Override
        public void take(FragmentHeader header, byte[] image, int length) {
            intake(header.regionId()).take(header, image, length);
        }
    }

    /** Has regions merged that look complete, now that a fragment has been staged. */
    void arrived(int chunkId, RegionIntake region) {
        for (RegionIntake complete : arrivals.arrived(chunkId, region)) {
            earlyMerges.execute(() -> mergeEarly(complete));
        }
    }

    private void mergeEarly(RegionIntake region) {
        if (!arrivals.isOver()) {
            region.mergeEarly();
        }
    }

    /** Fragments may have to stay until the end, so that early segments take room beside them. */
    void checkRoomForEarlyMerge() {
        long staged = regions.values().stream().mapToLong(RegionIntake::stagedBytes).sum();
        Path root = directory.getParent();
        if (root == null || storage.freeBytes(root) / 2 < staged) {
            throw PenstockException.conflict("too little room for a merge that can wait");
        }
    }

    /** A region that looked complete was not. */
    void guessedWrong() {
        arrivals.guessedWrong();
    }

    /**
     * Merges and prepares one region's part.
     *
     * @param others for messages
     */
    public RegionReceipt finish(long regionId, OtherLoads others) {
        arrivals.end();
        // Merges have more use for their memory.
        idleSpreads.clear();
        return intake(regionId).finish(others);
    }

    /** Writes down a fragment that is about to be staged, if the load can be resumed. */
    void log(
            int chunkId,
            long regionId,
            int rows,
            ColumnSums sums,
            List<Reject> rejects,
            byte[] image,
            int length) {
        FragmentLog open = log;
        if (open != null) {
            open.append(chunkId, regionId, rows, sums, rejects, image, length);
        }
    }

    /** What was acknowledged before survives on return; for a load that can be resumed. */
    public void force() {
        FragmentLog open = log;
        if (open != null) {
            open.force();
        }
    }

    /**
     * Whether something has failed that only opening the load anew mends: a merge, which may have
     * let go of fragments, a write to a file of fragments, or one to the log.
     */
    public boolean isSpent() {
        FragmentLog open = log;
        return (open != null && open.isBroken())
                || regions.values().stream().anyMatch(RegionIntake::isSpent);
    }

    private RegionIntake intake(long regionId) {
        RegionIntake intake = regions.get(regionId);
        if (intake == null) {
            throw new PenstockException(
                    ErrorCategory.REROUTE,
                    "region " + regionId + " of load " + loadId() + " is not on this server");
        }
        return intake;
    }

    /** The load is published: another one like it may have its steps. */
    public void keepSteps(Instant now) {
        keptSteps.keep(idleSteps, now);
    }

    /** Removes everything that is not prepared, or all if the load is published. */
    public void discard() {
        abandon();
        removeFolders();
    }

    private void removeFolders() {
        storage.deleteTree(directory);
        if (log != null) {
            storage.deleteTree(logFolder);
        }
    }

    /** Lets go of the files that are not prepared, except for the log; nothing more is taken. */
    public void abandon() {
        arrivals.end();
        try {
            regions.values().forEach(RegionIntake::abandon);
        } finally {
            closeLog();
        }
    }

    /** The same of a load that can be resumed, with nothing left but its log. */
    public void leaveLog() {
        abandon();
        storage.deleteTree(directory);
    }

    private void closeLog() {
        FragmentLog open = log;
        if (open != null) {
            open.close();
        }
    }

    public List<LoadProgress> progress() {
        return regions.values().stream().map(RegionIntake::progress).toList();
    }

    IdleSteps steps() {
        return idleSteps;
    }
}
