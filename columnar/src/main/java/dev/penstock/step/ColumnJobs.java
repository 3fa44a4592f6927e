package dev.penstock.step;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Does what a merge has to do for each of its columns, with as many threads as somebody lends. The
 * largest columns come first, so that all threads end at about the same time. Owned by one thread,
 * which calls everything but the jobs; keeps the memory of all for the next merge.
 */
final class ColumnJobs {
    /** The work on one column, which nobody else works on meanwhile. */
    interface Job {
        /**
         * @param clock of the thread; the job says which step it has taken time for
         */
        void run(int column, MergeScratch scratch, CpuClock clock);
    }

    private int[] order;
    private MergeThreads threads = MergeThreads.ONE;
    private StepTimes times = new StepTimes();

    // Guarded by this
    private final List<MergeScratch> all = new ArrayList<>();
    private final List<MergeScratch> idle = new ArrayList<>();

    ColumnJobs(int columnCount) {
        order = IntStream.range(0, columnCount).toArray();
    }

    /**
     * Starts a merge.
     *
     * @param newTimes gets the time of all threads
     */
    void begin(List<Merge.Run> runs, MergeThreads newThreads, StepTimes newTimes) {
        threads = newThreads;
        times = newTimes;
        long[] bytes = new long[order.length];
        for (Merge.Run run : runs) {
            int columns = Math.min(bytes.length, run.reader().schema().columnCount());
            for (int column = 0; column < columns; column++) {
                bytes[column] += run.reader().statistics(column).bytes();
            }
        }
        // By a lambda of our own: those of Comparator are made anew in each process.
        order =
                IntStream.range(0, bytes.length)
                        .boxed()
                        .sorted((a, b) -> Long.compare(bytes[b], bytes[a]))
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    /** Does a job for each column; all of them see what the calling thread has done before. */
    void run(Job job) {
        AtomicInteger next = new AtomicInteger();
        threads.run(() -> work(next, job));
    }

    private void work(AtomicInteger next, Job job) {
        CpuClock clock = new CpuClock();
        MergeScratch scratch = borrow();
        try {
            for (int i = next.getAndIncrement(); i < order.length; i = next.getAndIncrement()) {
                job.run(order[i], scratch, clock);
            }
        } finally {
            giveBack(scratch, clock);
        }
    }

    private synchronized MergeScratch borrow() {
        if (idle.isEmpty()) {
            MergeScratch scratch = new MergeScratch();
            all.add(scratch);
            return scratch;
        }
        return idle.removeLast();
    }

    private synchronized void giveBack(MergeScratch scratch, CpuClock clock) {
        idle.add(scratch);
        times.addAll(clock.times());
    }

    /** Scratch memory for the calling thread, while no jobs run. */
    synchronized MergeScratch own() {
        if (idle.isEmpty()) {
            idle.add(borrow());
        }
        return idle.getLast();
    }

    /** Ends a merge: lets go of the runs. */
    synchronized void end() {
        threads = MergeThreads.ONE;
        times = new StepTimes();
        all.forEach(MergeScratch::close);
    }
}
