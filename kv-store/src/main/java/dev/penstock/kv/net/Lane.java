package dev.penstock.kv.net;

import dev.penstock.kv.wire.MessageType;

import java.util.EnumSet;
import java.util.Set;

/**
 * Requests of one lane share threads. Lanes are apart so that nothing waits for threads that wait
 * for it: the leader's calls that reach out to region servers ({@link #LEADER}) end in {@link
 * #CONTROL}; reads and {@link #CONTROL} may ask the leader what was published, which ends in {@link
 * #LOOKUP}; and that calls nobody.
 */
enum Lane {
    /** Fragments of loads: computing, about as many threads as processors. */
    FRAGMENT(2),
    /**
     * Merges at the end of loads: computing, for long, and one more that brings back from a file
     * what will be merged next, or forces what was.
     */
    FINISH(3),
    /** Scans and single-row writes; may ask the leader what was published. */
    READ(16),
    /**
     * Reads of single rows that {@link LoopReads} leaves to others, and that scans must not keep
     * waiting; may ask the leader too. Few threads: they find the next request waiting, where many
     * would be woken up for one request each, which takes longer than to find a row.
     */
    GET(4),
    /** What the leader tells region servers. */
    CONTROL(8),
    /** What the leader is asked and needs region servers or the disk for. */
    LEADER(16),
    /** What the leader answers from memory. */
    LOOKUP(4);

    private static final Set<MessageType> SMALL_REPLIES =
            EnumSet.of(
                    MessageType.FRAGMENT,
                    MessageType.PUT,
                    MessageType.INSERT,
                    MessageType.DELETE,
                    MessageType.CHECK_WRITE,
                    MessageType.FIRST_PRESENT,
                    MessageType.CLOSE_SCAN,
                    MessageType.DISCARD,
                    MessageType.ABORT,
                    MessageType.RELEASE_LOAD,
                    MessageType.SIGN_OF_LIFE,
                    MessageType.REVOKE_LEASE);

    private final int threads;

    Lane(int threads) {
        this.threads = threads;
    }

    /** Threads of this lane on a machine with so many processors. */
    int threads(int processors) {
        return switch (this) {
            case FRAGMENT, GET -> Math.max(threads, processors);
            case FINISH -> Math.max(threads, processors + 1);
            case READ, CONTROL, LEADER, LOOKUP -> threads;
        };
    }

    static Lane of(MessageType type) {
        return switch (type) {
            case FRAGMENT -> FRAGMENT;
            case FINISH -> FINISH;
            case GET -> GET;
            case PUT,
                    INSERT,
                    DELETE,
                    FIRST_PRESENT,
                    CHECK_WRITE,
                    OPEN_SCAN,
                    NEXT_ROWS,
                    CLOSE_SCAN,
                    COUNT,
                    AGGREGATE,
                    CHECKSUM ->
                    READ;
            case CREATE_REGIONS,
                    DROP_REGION,
                    CLOSE_IF_EMPTY,
                    OPEN_LOAD,
                    FORCE_LOAD,
                    INSTALL,
                    DISCARD,
                    REVOKE_LEASE,
                    SERVER_STATUS ->
                    CONTROL;
            case CREATE_TABLE,
                    DROP_TABLE,
                    PRE_SPLIT,
                    BEGIN_LOAD,
                    RESUME_LOAD,
                    CHECKPOINT,
                    CHECKPOINTS,
                    PUBLISH,
                    ABORT,
                    CLUSTER_STATUS ->
                    LEADER;
            case TABLES,
                    TABLE,
                    REGIONS,
                    LOAD,
                    LABELLED,
                    RUNNING_LOADS,
                    RELEASE_LOAD,
                    LOAD_STATE,
                    SIGN_OF_LIFE,
                    EPOCH,
                    PUBLISHED_SINCE,
                    JOIN,
                    REPORT,
                    SERVERS ->
                    LOOKUP;
            case HELLO,
                    PING,
                    FAILURE,
                    DONE,
                    FLAG,
                    LONG_VALUE,
                    ROW,
                    ROWS,
                    REGION_CHECKSUM,
                    ACKNOWLEDGED,
                    RECEIPTS,
                    REGION_SERVER_STATUS,
                    TABLE_LIST,
                    REGION_LIST,
                    LOAD_DESCRIPTOR,
                    STATE,
                    PUBLISHED_LOADS,
                    JOINED,
                    SERVER_LIST,
                    CLUSTER,
                    AGGREGATES,
                    LABELLED_LOADS,
                    LOAD_LIST,
                    CHECKPOINT_LIST,
                    REPORTED ->
                    LOOKUP;
        };
    }

    /**
     * Whether requests of a kind, however many, are answered in few bytes: in fewer than they have
     * themselves, if they carry rows. Whoever does not take such answers keeps no memory busy, and
     * what these requests hold must not wait for that.
     */
    static boolean repliesAreSmall(MessageType type) {
        return SMALL_REPLIES.contains(type);
    }
}
