package dev.penstock.kv.client.load;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.Routes;
import dev.penstock.kv.client.TableReader;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.AckListener;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;
import dev.penstock.target.TargetCapabilities;
import dev.penstock.target.UnfinishedLoad;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A store as a target of loads: all steps at either site, all regions visible at once. */
public final class StoreLoadTarget implements LoadTarget {
    /** A little longer than the leader takes a silent loader for alive. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long RETRY_MILLIS = 500;

    private final Cluster cluster;
    private final boolean owned;

    private StoreLoadTarget(Cluster cluster, boolean owned) {
        this.cluster = cluster;
        this.owned = owned;
    }

    /** A store that stays open when the target is closed. */
    public static LoadTarget of(Cluster cluster) {
        return new StoreLoadTarget(cluster, false);
    }

    /** A store that stays open when the target is closed. */
    public static LoadTarget of(Penstock store) {
        return of(store.cluster());
    }

    /** A store that is closed with the target. */
    static LoadTarget owning(Cluster cluster) {
        return new StoreLoadTarget(cluster, true);
    }

    @Override
    public TargetCapabilities capabilities() {
        return new TargetCapabilities(
                EnumSet.allOf(FragmentForm.class),
                TargetCapabilities.Atomicity.ALL_REGIONS,
                TargetCapabilities.Placement.PRE_SPLIT);
    }

    @Override
    public String address() {
        return cluster.address();
    }

    @Override
    public Optional<TableSchema> table(String name) {
        return cluster.metadata().table(name).map(TableDescriptor::schema);
    }

    @Override
    public void createTable(TableSchema schema) {
        cluster.metadata().createTable(schema);
    }

    @Override
    public RegionMap regions(String table) {
        return map(table, cluster.metadata().regions(table));
    }

    @Override
    public long rowCount(String table) {
        long epoch = cluster.metadata().epoch();
        TableDescriptor existing = cluster.metadata().existing(table);
        return new TableReader(cluster, new Routes(cluster.metadata()), existing)
                .count(epoch, KeyRange.ALL, Predicate.ALWAYS);
    }

    @Override
    public Optional<LabelledLoad> labelled(String table, String label) {
        return cluster.metadata().labelled(table, label);
    }

    @Override
    public int serverCount() {
        return Math.max(1, cluster.metadata().servers().size());
    }

    @Override
    public RegionMap preSplit(String table, List<byte[]> splitPoints) {
        return map(table, cluster.metadata().preSplit(table, splitPoints));
    }

    static RegionMap map(String table, List<RegionAssignment> regions) {
        List<RegionInfo> infos = new ArrayList<>(regions.size());
        for (RegionAssignment region : regions) {
            infos.add(new RegionInfo(region.regionId(), region.range(), region.server().address()));
        }
        return new RegionMap(table, infos);
    }

    @Override
    public LoadSession begin(LoadRequest request, AckListener listener) {
        LoadDescriptor load = cluster.metadata().beginLoad(request);
        return new StoreLoadSession(cluster, load, listener, true, MetadataService.FIRST_LOADER);
    }

    /** A number that hardly any other loader has. */
    private static long newLoader() {
        return ThreadLocalRandom.current()
                .nextLong(MetadataService.FIRST_LOADER + 1, Long.MAX_VALUE);
    }

    @Override
    public boolean resumes() {
        return true;
    }

    @Override
    public Optional<UnfinishedLoad> unfinished(String table, String label) {
        return cluster.metadata().runningLoads(table, label).stream()
                .map(RunningLoad::load)
                .filter(load -> load.request().resumable() && load.request().label().equals(label))
                .findFirst()
                .map(load -> new UnfinishedLoad(load.loadId(), load.request()));
    }

    @Override
    public LoadSession resume(
            UnfinishedLoad unfinished, AckListener listener, Consumer<byte[]> checkpoints) {
        long loader = newLoader();
        LoadDescriptor load = resumeWhenFree(unfinished.loadId(), loader);
        StoreLoadSession session = new StoreLoadSession(cluster, load, listener, true, loader);
        try {
            int read = 0;
            List<byte[]> page = cluster.metadata().checkpoints(load.loadId(), read);
            while (!page.isEmpty()) {
                page.forEach(checkpoints);
                read += page.size();
                page = cluster.metadata().checkpoints(load.loadId(), read);
            }
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** A loader that was killed counts as alive for a while. */
    private LoadDescriptor resumeWhenFree(String loadId, long loader) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return cluster.metadata().resumeLoad(loadId, loader);
            } catch (PenstockException e) {
                if (e.category() != ErrorCategory.RETRY || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw PenstockException.io("the wait for load " + loadId + " was interrupted", e);
            }
        }
    }

    @Override
    public LoadSession attach(LoadTicket ticket, AckListener listener) {
        LoadDescriptor load = cluster.metadata().load(ticket.loadId());
        return new StoreLoadSession(cluster, load, listener, false, newLoader());
    }

    @Override
    public void close() {
        if (owned) {
            cluster.close();
        }
    }
}
