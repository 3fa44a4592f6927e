package dev.penstock.kv.ingest;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.Storage;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/**
 * A running load at one server: an intake for each of its regions here. Everything that is not
 * prepared lies in one folder, which goes when the load ends or the server starts again.
 */
public final class LoadIntake {
    private final LoadDescriptor descriptor;
    private final String serverName;
    private final Storage storage;
    private final StagingMemory stagingMemory;
    private static final Pattern FOLDER_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Path directory;
    private final Map<Long, RegionIntake> regions = new TreeMap<>();
    private final ConcurrentLinkedDeque<FragmentSteps> idleSteps = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedDeque<Merge> idleMerges = new ConcurrentLinkedDeque<>();
    private final Arrivals arrivals;

    private final Executor earlyMerges;

    /**
     * @param stagingMemory for the fragments of all loads of the server
     * @param stagingRoot folder of all loads, for what exceeds the memory
     * @param earlyMerges runs merges of regions that look complete before the load ends
     * @param serverName for reports
     */
    public LoadIntake(
            LoadDescriptor descriptor,
            List<Region> regions,
            Storage storage,
            StagingMemory stagingMemory,
            Path stagingRoot,
            Executor earlyMerges,
            String serverName) {
        this.descriptor = descriptor;
        this.serverName = serverName;
        this.storage = storage;
        this.stagingMemory = stagingMemory;
        this.directory = stagingRoot.resolve(checkedName(descriptor.loadId()));
        // What comes with deferred steps is text, whose keys nobody has seen.
        this.arrivals =
                new Arrivals(
                        descriptor.request().deferSteps()
                                ? StagingLimits.NEVER
                                : stagingMemory.limits().earlyBytes());
        this.earlyMerges = earlyMerges;
        for (Region region : regions) {
            this.regions.put(
                    region.descriptor().regionId(),
                    new RegionIntake(this, region, stagingMemory, storage, directory));
        }
    }

    /** An id comes from the leader; as the name of a folder it must lead nowhere else. */
    private static String checkedName(String loadId) {
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

    Path directory() {
        return directory;
    }

    /** Whether the region takes part in the load. */
    public boolean involves(long regionId) {
        return regions.containsKey(regionId);
    }

    /** Takes one fragment; repetitions are answered, not stored. */
    public FragmentAck take(FragmentHeader header, byte[] payload, int length) {
        return intake(header.regionId()).take(header, payload, length);
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

    /** Fragments stay until the end, so that early segments take room that others do not. */
    void checkRoomForEarlyMerge() {
        long staged = regions.values().stream().mapToLong(RegionIntake::stagedBytes).sum();
        Path root = directory.getParent();
        if (root == null || storage.freeBytes(root) / 2 < staged) {
            throw PenstockException.conflict("too little room for a merge that can wait");
        }
    }

    /** A region that looked complete was not. */
    void guessedWrong() {
        arrivals.end();
    }

    /** Merges and prepares one region's part. */
    public RegionReceipt finish(long regionId) {
        arrivals.end();
        return intake(regionId).finish();
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

    /** The load is published: only its folder is left to remove. */
    public void close() {
        storage.deleteTree(directory);
    }

    /** Removes everything that is not prepared. */
    public void discard() {
        abandon();
        storage.deleteTree(directory);
    }

    /** Lets go of the files that are not prepared; nothing more is taken. */
    public void abandon() {
        arrivals.end();
        regions.values().forEach(RegionIntake::abandon);
    }

    public List<LoadProgress> progress() {
        return regions.values().stream().map(RegionIntake::progress).toList();
    }

    /** Steps for one thread, to be given back. */
    FragmentSteps borrowSteps() {
        FragmentSteps idle = idleSteps.pollFirst();
        return idle == null ? new FragmentSteps(descriptor) : idle;
    }

    void giveBack(FragmentSteps steps) {
        idleSteps.addFirst(steps);
    }

    /** A merge for one thread, to be given back unless it fails. */
    Merge borrowMerge() {
        Merge idle = idleMerges.pollFirst();
        return idle == null
                ? new Merge(
                        descriptor.table().schema(),
                        MergeLimits.DEFAULT.withSums(descriptor.request().verification().sums()),
                        descriptor.request().tokens())
                : idle;
    }

    void giveBack(Merge merge) {
        idleMerges.addFirst(merge);
    }
}
