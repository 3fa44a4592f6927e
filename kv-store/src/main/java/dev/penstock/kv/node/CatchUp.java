package dev.penstock.kv.node;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.HostedRegions;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.ingest.LoadIntake;
import dev.penstock.kv.ingest.OtherLoads;
import dev.penstock.kv.region.Region;
import dev.penstock.kv.storage.PreparedLoad;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Learns from the leader what was published and installs it, in the order of epochs, before anyone
 * is answered at such an epoch; regions for which that fails stay behind alone, see {@link
 * LateRegions}. Without a {@link ReadLease} the leader is asked what the latest epoch is, for each
 * read that wants it. Thread-safe.
 */
final class CatchUp {
    private final MetadataService metadata;
    private final RegionTable regions;
    private final LoadTable loads;
    private final LateRegions late;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReadLease lease = new ReadLease();
    private volatile long knownEpoch;

    CatchUp(MetadataService metadata, RegionTable regions, LoadTable loads) {
        this.metadata = metadata;
        this.regions = regions;
        this.loads = loads;
        this.late = new LateRegions(regions);
    }

    /**
     * Of a server that starts, before it serves: goes on where what it has installed ends, instead
     * of going through all loads that there have ever been.
     */
    void begin(JoinReply reply) {
        HostedRegions hosted = reply.regions();
        long installed = hosted.epoch();
        for (int i = 0; i < hosted.regionIds().length; i++) {
            Optional<Region> region = regions.find(hosted.regionIds()[i]);
            // What was published into a damaged region is not known here, and may take room.
            long upTo =
                    region.isEmpty()
                            ? 0
                            : installed(region.get(), hosted.latestEpochs()[i], reply.report());
            installed = Math.min(installed, upTo);
        }
        knownEpoch = Math.max(knownEpoch, installed);
    }

    /** Up to where nothing can be missing in a region, nor be kept that has been installed. */
    private static long installed(Region region, long latest, ReportReply leader) {
        long installed = region.installedEpoch();
        boolean keeps =
                region.prepared().all().stream()
                        .anyMatch(load -> !leader.runningLoads().contains(load.loadId()));
        if (keeps) {
            return installed - 1;
        }
        return installed < latest ? installed : Long.MAX_VALUE;
    }

    /** Returns when everything published up to the epoch is installed, but in late regions. */
    void reach(long epoch) {
        if (epoch <= knownEpoch) {
            return;
        }
        lock.lock();
        try {
            while (epoch > knownEpoch) {
                PublishedPage page = metadata.publishedSince(knownEpoch);
                if (page.upTo() <= knownEpoch) {
                    // The leader does not know the epoch itself.
                    return;
                }
                page.loads().forEach(this::install);
                knownEpoch = page.upTo();
            }
        } finally {
            lock.unlock();
        }
    }

    private void install(PublishedLoad load) {
        for (long regionId : load.regionIds()) {
            late.install(load, regionId);
        }
        regions.force();
        loads.published(load.loadId());
        knownEpoch = load.epoch();
    }

    /**
     * The latest epoch, or the given one; everything published up to it is installed in the region.
     *
     * @throws PenstockException of the latest attempt to install it, if the region is late
     */
    long reached(long regionId, long epoch) {
        Optional<Long> known = known(epoch);
        long wanted =
                known.orElseGet(() -> epoch == RegionService.LATEST ? metadata.epoch() : epoch);
        reach(wanted);
        late.check(regionId, wanted);
        return wanted;
    }

    /** What {@link #reached} would answer, if it had neither to ask anybody nor to install. */
    Optional<Long> atHand(long epoch) {
        // In this order: a region is late before the epoch is known.
        Optional<Long> known = known(epoch);
        return late.isEmpty() ? known : Optional.empty();
    }

    private Optional<Long> known(long epoch) {
        if (epoch != RegionService.LATEST) {
            return epoch <= knownEpoch ? Optional.of(epoch) : Optional.empty();
        }
        return lease.valid() ? Optional.of(knownEpoch) : Optional.empty();
    }

    ReadLease lease() {
        return lease;
    }

    /**
     * Returns when everything published up to the epoch is installed.
     *
     * @throws PenstockException what keeps the first late region from it
     */
    void installAll(long epoch) {
        // Before more is published: what fails below was tried just then.
        late.tryAll();
        reach(epoch);
        late.failures().values().stream()
                .findFirst()
                .ifPresent(failure -> {
                    throw failure;
                });
    }

    /** Installs in late regions what they lack, where that can be done now. */
    void tryLateRegions() {
        late.tryAll();
    }

    /** What keeps which region from being up to date, as of the latest attempt. */
    Map<Long, PenstockException> lateRegions() {
        return late.failures();
    }

    /** Tells the leader that this server is alive, asks for a lease, and settles what it says. */
    void report(ServerDescriptor self) {
        ReadLease.Application application = lease.apply();
        ReportReply reply = metadata.report(self);
        settle(reply);
        renew(application, reply);
    }

    /**
     * Asks the leader about regions that were closed for a change, in case its order to open or
     * drop them is lost. One that does not know what became of the change is asked again.
     */
    void settleClosed(ServerDescriptor self) {
        Map<Long, Long> closings = regions.closings();
        if (closings.isEmpty()) {
            return;
        }
        try {
            JoinReply reply = metadata.join(self);
            regions.settle(
                    closings, Arrays.stream(reply.regionIds()).boxed().collect(Collectors.toSet()));
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.RETRY) {
                throw e;
            }
        }
    }

    /** After {@link #settle}. */
    void renew(ReadLease.Application application, ReportReply reply) {
        if (reply.lease()) {
            lease.grant(application);
        }
    }

    /** Installs or removes what is kept of loads that no longer run. */
    void settle(ReportReply reply) {
        reach(reply.epoch());
        Set<String> kept = new HashSet<>(loads.ids());
        List<Region> all = regions.all();
        for (Region region : all) {
            region.prepared().all().forEach(prepared -> kept.add(prepared.loadId()));
        }
        for (String loadId : kept) {
            if (!reply.runningLoads().contains(loadId)) {
                settle(loadId, metadata.loadState(loadId), all);
            }
        }
    }

    /**
     * Installs or removes what a region keeps of other loads that no longer run, so that a load
     * that is about to be prepared is compared only with what may really be published.
     *
     * @return those that run, if the region keeps anything of others
     */
    OtherLoads settleOthers(Region region, String loadId) {
        List<PreparedLoad> others =
                region.prepared().all().stream()
                        .filter(prepared -> !prepared.loadId().equals(loadId))
                        .toList();
        if (others.isEmpty()) {
            return new OtherLoads(List.of());
        }
        for (PreparedLoad prepared : others) {
            settle(prepared.loadId(), metadata.loadState(prepared.loadId()), regions.all());
        }
        late.check(region.descriptor().regionId(), Long.MAX_VALUE);
        return new OtherLoads(metadata.runningLoads(region.descriptor().schema().name()));
    }

    /** A load that runs, from the leader. */
    LoadDescriptor load(String loadId) {
        return metadata.load(loadId);
    }

    /**
     * Puts loads to sleep that nobody has used lately and that, as the leader says, wait to be
     * resumed. Until that happens they would keep memory and open files here, perhaps for days.
     */
    void putIdleToSleep() {
        Map<String, Set<String>> byTable = new HashMap<>();
        for (LoadIntake load : loads.idle()) {
            byTable.computeIfAbsent(
                            load.descriptor().table().schema().name(), name -> new HashSet<>())
                    .add(load.loadId());
        }
        byTable.forEach((table, idle) -> {
            for (RunningLoad running : metadata.runningLoads(table)) {
                if (running.waiting() && idle.remove(running.loadId())) {
                    putToSleep(running.loadId());
                }
            }
            idle.forEach(loads::keepAwake);
        });
    }

    /** One whose log cannot be forced stays; who uses it meets the same fault and is told. */
    private void putToSleep(String loadId) {
        try {
            loads.putToSleep(loadId);
        } catch (PenstockException e) {
            loads.keepAwake(loadId);
        }
    }

    private void settle(String loadId, LoadState state, List<Region> all) {
        switch (state) {
            case RUNNING -> {}
            case PUBLISHED -> {
                reach(metadata.epoch());
                // One that was opened after it had been installed is not met by that.
                loads.published(loadId);
            }
            case ABORTED, UNKNOWN -> loads.discard(loadId, all);
        }
    }
}
