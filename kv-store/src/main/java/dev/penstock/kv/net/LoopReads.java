package dev.penstock.kv.net;

/**
 * Which reads of single rows a connection's event loop does itself: to wake up a thread for one,
 * and the loop again for its answer, takes longer than to find a row. The loop does them while they
 * are quick, and not so many at a time that other connections wait for long; the rest, and those
 * that follow a slow one (rows that had to come from the disk, say), go to {@link Lane#GET}.
 *
 * <p>Owned by one connection; runs on its event loop.
 */
final class LoopReads {
    /** How long the loop may read before it looks after other things; slow is what takes longer. */
    static final long MAX_NANOS = 500_000;

    /**
     * After a slow read as many go elsewhere as this goes into its time: that is how long reads
     * keep the loop waiting on average, whatever the disk. A quick read takes a quarter of it.
     */
    static final long SLOWEST_AVERAGE_NANOS = 100_000;

    /**
     * The first answers leave while the loop makes the next ones: if all left at the end, client
     * and server would take turns. One by one they would cost a call of the kernel each.
     */
    static final int ANSWERS_AT_A_TIME = 2;

    private long elsewhere;
    private long spentNanos;
    private int answers;

    /** Whether the loop is to do the next read. */
    boolean next() {
        if (elsewhere > 0) {
            elsewhere--;
            return false;
        }
        return spentNanos < MAX_NANOS;
    }

    /**
     * The loop has done a read and written its answer.
     *
     * @return whether what is written is to be sent now
     */
    boolean done(long nanos) {
        spentNanos += nanos;
        if (nanos > MAX_NANOS) {
            elsewhere = nanos / SLOWEST_AVERAGE_NANOS;
        }
        answers++;
        return answers % ANSWERS_AT_A_TIME == 0;
    }

    /** The loop looks after other things. */
    void rest() {
        spentNanos = 0;
        answers = 0;
    }
}
