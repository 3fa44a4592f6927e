package dev.penstock.target;

import dev.penstock.step.ChunkText;
import dev.penstock.step.StepTimes;
import java.util.List;

/**
 * One load's conversation with a target, in this order: {@link #send} any number of times from any
 * number of threads, {@link #flush} by every participant, then by the one that began the load {@link
 * #finish}, and {@link #publish} or {@link #abort}. Closing a session that began a load and has not
 * published it aborts it; closing an attached one does not. What a load with a plan has got so far
 * stays if its session is closed.
 */
public interface LoadSession extends AutoCloseable {
    /** Names the load in the target. */
    String loadId();

    /** Small number of the load, unique in the store; part of hidden row ids. */
    long loadOrdinal();

    /**
     * Lets other processes take part, and says how. An embedded store starts to listen on loopback
     * for as long as the session lives, and lets in who brings the ticket's {@link
     * LoadTicket#access}.
     */
    LoadTicket invite();

    RegionMap regions();

    /**
     * Hands over one fragment, waiting while the region's server has granted no credit. The payload
     * is the array's first {@code length} bytes; it is the caller's again when this returns.
     *
     * @throws dev.penstock.error.PenstockException if the load has failed or ended
     */
    void send(FragmentHeader header, byte[] payload, int length);

    /** What to do with text. */
    enum TextUse {
        /** {@link #sendText} is not there for the load, or would be a burden. */
        NONE,
        /** All servers are on this machine, but some have to rehearse first. */
        REHEARSAL,
        /** They would be done with text at once. */
        ALL
    }

    /** What it says may change from load to load. */
    default TextUse textUse() {
        return TextUse.NONE;
    }

    /**
     * Whether {@link #sendText} takes text whose rows belong to several regions: all are at one
     * server.
     */
    default boolean canSpread() {
        return false;
    }

    /**
     * A text's length that suits all servers if they read this process's files themselves; 0 if not
     * all do.
     */
    default int fileTextBytes() {
        return 0;
    }

    /**
     * Hands over a whole chunk as its file has it, waiting as {@link #send} does, or where it is if
     * the server can read the file. The server runs all steps, or declines ({@link
     * FragmentAck#declined}).
     *
     * @param header {@link FragmentHeader#ofText}, maybe {@link FragmentHeader#forRehearsal} or {@link
     *     FragmentHeader#spread}
     * @param file has the text, and is open and read by nobody but this session until {@code done}
     *     is called, by any thread
     * @return bytes that travel
     */
    default long sendText(FragmentHeader header, ChunkText text, TextFile file, Runnable done) {
        throw new IllegalStateException("the target takes no text");
    }

    /** Waits until everything sent through this session has been acknowledged. */
    void flush();

    /**
     * Nobody needs to know any more what is acknowledged: whoever would wait for that, now or
     * later, gets a failure of category CONFLICT, and the load can only be aborted, unless all that
     * was sent has been acknowledged. Does nothing where nobody waits for long. By any thread.
     */
    default void giveUp() {}

    /**
     * Waits until everything sent through this session for a chunk has been acknowledged, and makes
     * it durable. Does nothing for a load without a {@link LoadRequest#plan}.
     */
    default void settle(int chunkId) {}

    /**
     * Records something durably for the next loader, should this one not come to the end; for loads
     * with a plan.
     *
     * @throws dev.penstock.error.PenstockException of category {@code CONFLICT} if another loader
     *     goes on with the load
     */
    default void checkpoint(byte[] entry) {
        throw new IllegalStateException("the load has no plan");
    }

    /**
     * Ends the session and leaves the load, which has a plan, as it is, for {@link
     * LoadTarget#resume}.
     */
    default void suspend() {
        throw new IllegalStateException("the load has no plan");
    }

    /** CPU time this session's own threads spent on transfer. */
    StepTimes transferTimes();

    /**
     * Merges every region's fragments and makes them durable, still invisible. The listener is told
     * of each region, one at a time; only there do receipts have {@link RegionReceipt#rejects},
     * which together may be more than memory holds.
     */
    List<RegionReceipt> finish(FinishListener listener);

    /**
     * Makes all regions of the load visible at once and returns the epoch.
     *
     * @param report what {@link LoadTarget#labelled} is to answer; kept if the load has a label
     */
    long publish(String report);

    /** Removes every trace of the load. */
    void abort();

    @Override
    void close();
}
