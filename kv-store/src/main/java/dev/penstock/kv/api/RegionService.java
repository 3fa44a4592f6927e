package dev.penstock.kv.api;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.util.List;
import java.util.Optional;

/**
 * One region server. Thread-safe; calls block until they are done, {@link #fragment} and {@link
 * #finish} for as long as the steps take, so callers give them threads of their own.
 *
 * <p>Every call fails with a {@link dev.penstock.error.PenstockException}: category {@code REROUTE}
 * if the region is not on this server, {@code CONFLICT} if the load or region is not in the right
 * state, {@code CORRUPT} naming what is damaged, {@code IO} if the disk refused.
 *
 * <p>Epochs: a call with an epoch newer than the server has heard of makes it ask the leader for
 * what was published since, and install it, before it answers.
 */
public interface RegionService {
    /** As an epoch: the latest one at any time between the call and its answer. */
    long LATEST = -1;

    // Regions, called by the leader

    /** Makes sure that the regions exist, are durable and take rows; idempotent. */
    void createRegions(List<RegionDescriptor> regions);

    /** Removes a region with all its rows; idempotent. */
    void dropRegion(long regionId);

    /**
     * Stops the region from taking rows if it holds none, to be dropped or (by {@link
     * #createRegions}) opened again.
     *
     * @return whether it is closed now
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if a load into it
     *     is open or prepared at the server, so that nobody can say
     */
    boolean closeIfEmpty(long regionId);

    // Rows

    /**
     * Stores rows, replacing those with equal keys; durable and visible on return, all or none of
     * the call's rows. Of rows with equal keys the last one stays.
     *
     * @param rows all of the table's columns in table order; not kept
     * @param epoch the latest epoch the writer has seen, or {@link #LATEST}: the rows are newer
     *     than it
     */
    void put(long regionId, ColumnBatch rows, long epoch);

    /**
     * Stores rows if none of their keys has a row, and no two of them the same: all of them,
     * durable and visible on return, or none. Question and answer are one step: of two writers of
     * one key one fails.
     *
     * @param epoch as for {@link #put}
     * @return -1, or the index of the first row whose key has a row or is that of a row before it
     */
    long insert(long regionId, ColumnBatch rows, long epoch);

    /** Removes the rows with these encoded keys; keys without a row are no error. */
    void delete(long regionId, List<byte[]> keys, long epoch);

    /**
     * Fails as {@link #put} of rows with these encoded keys, or {@link #delete} of them, would fail
     * now for the sake of a load, and changes nothing.
     *
     * @param removal whether they are to be removed
     */
    void checkWrite(long regionId, List<byte[]> keys, boolean removal, long epoch);

    /**
     * The row with that encoded key as a batch of one row with all of the table's columns.
     *
     * @param epoch {@link #LATEST} or one that the reader has seen
     */
    Optional<ColumnBatch> get(long regionId, byte[] key, long epoch);

    /**
     * The epoch that a read at an epoch would get now, if that is known without asking another
     * server; reads at that epoch ask none. Does not wait.
     *
     * @param epoch {@link #LATEST} or one that the reader has seen
     */
    Optional<Long> epochAtHand(long epoch);

    /**
     * The index of the first of these encoded keys that has a row, or -1 if none has.
     *
     * @param epoch {@link #LATEST} or one that the reader has seen
     */
    long firstPresent(long regionId, List<byte[]> keys, long epoch);

    ScanCursor openScan(ScanRequest request);

    /** Rows in the range for which the predicate is true. */
    long count(long regionId, long epoch, KeyRange range, Predicate predicate);

    /**
     * Aggregates the region's rows that the query chooses; {@code USAGE} if it does not fit the
     * table, {@code LIMIT} if it has too many groups, {@code DATA} if a sum has too many digits.
     */
    PartialResult aggregate(long regionId, long epoch, AggregateQuery query);

    /** Reads everything, checks every stored checksum on the way and sums up the values. */
    RegionChecksum checksum(long regionId, long epoch);

    // Loads

    /**
     * Begins to take fragments for the load's regions on this server, or goes on with what was
     * forced of a load that can be resumed; idempotent; by the leader.
     */
    void openLoad(LoadDescriptor load);

    /**
     * Takes one fragment, runs the steps that remain and stages the result. A repetition of a
     * (load, chunk, region) taken before is acknowledged and not stored again.
     *
     * @param payload the fragment is its first {@code length} bytes; not kept after the return
     */
    FragmentAck fragment(String loadId, FragmentHeader header, byte[] payload, int length);

    /**
     * What this server has acknowledged of a load that can be resumed survives on return.
     *
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if the server has
     *     started anew since the load was opened, and may have lost what was not forced
     */
    void forceLoad(String loadId);

    /**
     * Merges the regions' fragments, one region after the other, and makes the segments durable,
     * still invisible. Idempotent: once prepared, the same receipt again.
     *
     * @return receipts in the order of the regions
     */
    List<RegionReceipt> finish(String loadId, List<Long> regionIds);

    /**
     * Makes the server's part of a published load visible at the epoch; idempotent; by the leader.
     */
    void install(String loadId, long epoch);

    /** Removes every trace of an unpublished load from this server; idempotent; by the leader. */
    void discard(String loadId);

    /**
     * A load is about to be published: until the server has reported again, it may not answer reads
     * at {@link #LATEST} without asking the leader; idempotent; by the leader.
     *
     * @param regionIds those of the load that the server hosts
     * @throws PenstockException of category {@code CONFLICT} if one of them has not prepared it,
     *     which whoever wants it published may have kept to himself
     */
    void revokeLease(String loadId, List<Long> regionIds);

    RegionServerStatus status();
}
