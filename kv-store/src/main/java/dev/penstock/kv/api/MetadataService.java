package dev.penstock.kv.api;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The leader: it knows tables, regions, servers, loads and epochs, and tells the region servers
 * what to host. Thread-safe; calls block. What it acknowledged survives a restart.
 */
public interface MetadataService {
    /** Tells the loader that has begun a load from those that resume it. */
    long FIRST_LOADER = 1;

    // Tables

    /**
     * Creates a table with one region.
     *
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if one of that name
     *     exists
     */
    TableDescriptor createTable(TableSchema schema);

    /**
     * Drops a table with its rows.
     *
     * @return false if there is none
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} while a load into
     *     it runs
     */
    boolean dropTable(String name);

    /** All tables by name. */
    List<TableDescriptor> tables();

    /** The table of that name, without regard to case. */
    Optional<TableDescriptor> table(String name);

    /**
     * The same.
     *
     * @throws PenstockException of category {@code USAGE} if there is none; its message names those
     *     that there are
     */
    default TableDescriptor existing(String name) {
        return table(name)
                .orElseThrow(() ->
                        NoSuchTable.failure(
                                name, tables().stream().map(TableDescriptor::schema).toList()));
    }

    /** The table's regions in key order, without gaps; {@code USAGE} if there is no such table. */
    List<RegionAssignment> regions(String table);

    /**
     * Splits empty regions at the points (encoded keys, ascending) and spreads the parts over the
     * servers. Regions that hold rows or take part in a running load stay as they are.
     */
    List<RegionAssignment> preSplit(String table, List<byte[]> points);

    // Loads

    /**
     * Begins a load and makes the servers of the table's regions ready for fragments.
     *
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if a load of its
     *     label runs or was published into the table; one whose loader has not been heard of for a
     *     while is aborted instead
     */
    LoadDescriptor beginLoad(LoadRequest request);

    /** A running load, for others who take part; {@code CONFLICT} if it has ended or never was. */
    LoadDescriptor load(String loadId);

    /** The running loads of a table, those included that wait to be resumed. */
    default List<RunningLoad> runningLoads(String table) {
        return runningLoads(table, "");
    }

    /**
     * The same of one label: each load comes with its whole request, so who wants one asks for it.
     *
     * @param label empty for all
     */
    List<RunningLoad> runningLoads(String table, String label);

    /**
     * Hands a load that can be resumed over to a loader, and makes the servers of its regions ready
     * for fragments.
     *
     * @param loader a number by which the loader is told from others, not {@link #FIRST_LOADER}
     * @throws dev.penstock.error.PenstockException of category {@code RETRY} if another loader was
     *     heard of lately, {@code CONFLICT} if the load has ended, {@code CORRUPT} if a server has
     *     lost what it had of it
     */
    LoadDescriptor resumeLoad(String loadId, long loader);

    /** The loader stops here; the next need not wait until it has been silent for long. */
    void releaseLoad(String loadId, long loader);

    /**
     * Keeps something for the loader that resumes the load; durable on return.
     *
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if the load has
     *     ended or another loader has resumed it
     */
    void checkpoint(String loadId, long loader, byte[] entry);

    /**
     * What was kept of a load that can be resumed, oldest first, as much as one answer holds.
     *
     * @param from so many entries are left out
     * @return nothing if there are no more
     */
    List<byte[]> checkpoints(String loadId, int from);

    /**
     * Makes a load visible in all its regions at once. The one durable record that this writes is
     * the commit; servers that cannot be told now learn of it when they are next read. Idempotent.
     *
     * @param regionRows rows per region, one entry for each region of the load, from the receipts
     * @param report the loader's account of it, for {@link #labelled}; kept if it has a label
     * @return the epoch from which the load is seen
     */
    long publish(String loadId, Map<Long, Long> regionRows, String report);

    /** The load of that label that was published into the table, if there is one. */
    Optional<LabelledLoad> labelled(String table, String label);

    /**
     * Ends a load without trace; idempotent; {@code CONFLICT} if it is published. A table that the
     * load created goes too if nothing else was stored in it.
     */
    void abort(String loadId);

    /** Asking is no sign of life of the load's loader. */
    LoadState loadState(String loadId);

    /**
     * The loader lives; to be repeated every few seconds, or the load is aborted or, if it can be
     * resumed, given to the next who asks. Counts after pauses of any length, and after the leader
     * has started anew, as long as the load runs and no other has resumed it.
     *
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if another loader
     *     has resumed the load
     */
    LoadState signOfLife(String loadId, long loader);

    /** The latest epoch. */
    long epoch();

    /**
     * Loads with a later epoch than the given one, as much as one answer holds; to be repeated with
     * {@link PublishedPage#upTo} until that is the epoch which is wanted.
     */
    PublishedPage publishedSince(long epoch);

    // Servers

    /** A server has started. */
    JoinReply join(ServerDescriptor server);

    /** A server that has joined is still alive; to be repeated every few seconds. */
    ReportReply report(ServerDescriptor server);

    /** All servers that ever joined, with their last address. */
    List<ServerDescriptor> servers();

    ClusterStatus status();
}
