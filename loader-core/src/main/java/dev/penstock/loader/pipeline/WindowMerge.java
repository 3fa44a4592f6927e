package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteSink;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.route.RowWindow;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Encode;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.step.MergeResult;
import dev.penstock.step.RegionSlices;
import dev.penstock.step.RegionSums;
import dev.penstock.step.Sort;
import dev.penstock.step.StepName;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The loader's part of merging, when a load is cut after it: a chunk's rows are taken in {@link
 * #WINDOWS} windows, each sorted, sliced by region and encoded on its own, and then each region's
 * slices are merged by the same step that the region server uses. The windows are consecutive rows
 * of one chunk, so the order of duplicates stays that of the input. Owned by one thread.
 */
final class WindowMerge {
    static final int WINDOWS = 4;

    private static final MergeLimits LIMITS =
            MergeLimits.DEFAULT.withSegmentRows(Integer.MAX_VALUE).withCompress(false);

    private final LoadSetup setup;
    private final CpuClock clock;
    private final OffloadSelector selector;
    private final RegionSlices slices;
    private final Encode encode;
    private final Sort sort;
    private final RowWindow window;
    private final Merge merge;
    private final ByteBuilder image = new ByteBuilder(1 << 20);

    /** Takes one region's merged fragment, and the array with it. */
    interface Output {
        void fragment(int regionIndex, int rows, byte[] payload, int length);
    }

    WindowMerge(
            LoadSetup setup,
            CpuClock clock,
            OffloadSelector selector,
            RegionSlices slices,
            Encode encode,
            Sort sort) {
        this.setup = setup;
        this.clock = clock;
        this.selector = selector;
        this.slices = slices;
        this.encode = encode;
        this.sort = sort;
        this.window = new RowWindow(setup.schema());
        this.merge =
                new Merge(
                        setup.schema(),
                        LIMITS.withSums(setup.verification().sums()),
                        setup.tokens());
    }

    /**
     * Merges one chunk's rows; returns how many were left out as duplicates.
     *
     * @param sums are told of rows that come and rows that are left out
     */
    long run(ColumnBatch batch, int chunkId, RegionSums sums, Output output) {
        List<List<Merge.Run>> runs = new ArrayList<>();
        for (int i = 0; i < setup.regions().size(); i++) {
            runs.add(new ArrayList<>());
        }
        SegmentIdentity identity = setup.identity(chunkId);
        long rowCount = batch.rowCount();
        for (int i = 0; i < WINDOWS; i++) {
            int from = (int) (rowCount * i / WINDOWS);
            int to = (int) (rowCount * (i + 1) / WINDOWS);
            if (to > from) {
                int[] bounds = addRuns(window.of(batch, from, to), i, identity, runs);
                sums.add(batch, sort.lastOrder(), bounds, from, to);
            }
        }
        long dropped = 0;
        for (int region = 0; region < runs.size(); region++) {
            if (!runs.get(region).isEmpty()) {
                dropped += merge(region, runs.get(region), identity, sums, output);
            }
        }
        return dropped;
    }

    /** Returns the slices of the regions. */
    private int[] addRuns(
            ColumnBatch rows, int number, SegmentIdentity identity, List<List<Merge.Run>> runs) {
        ColumnBatch sorted = sort.run(rows);
        int[] bounds = slices.of(sorted);
        clock.lap(StepName.SORT);
        if (number == 0) {
            selector.observe(sorted, bounds);
        }
        for (int region = 0; region + 1 < bounds.length; region++) {
            if (bounds[region] < bounds[region + 1]) {
                image.clear();
                encode.run(
                        sorted,
                        bounds[region],
                        bounds[region + 1],
                        selector.choose(region),
                        true,
                        identity,
                        image);
                MemorySegment bytes = MemorySegment.ofArray(image.toByteArray());
                SegmentReader reader =
                        SegmentReader.open(setup.schema(), bytes, "window", setup.tokens());
                runs.get(region).add(new Merge.Run(reader, number));
            }
        }
        clock.lap(StepName.ENCODE);
        return bounds;
    }

    private long merge(
            int region,
            List<Merge.Run> runs,
            SegmentIdentity identity,
            RegionSums sums,
            Output output) {
        ByteBuilder merged = new ByteBuilder(1 << 16);
        MergeResult result =
                merge.run(
                        runs,
                        setup.duplicates(),
                        identity,
                        new Merge.Output() {
                            @Override
                            public ByteSink open(int ordinal) {
                                if (ordinal > 0) {
                                    throw PenstockException.internal(
                                            "a chunk was merged into several segments");
                                }
                                return merged;
                            }

                            @Override
                            public void close(int ordinal, SegmentSummary summary) {}
                        });
        clock.lap(StepName.MERGE);
        sums.drop(region, result.dropped());
        output.fragment(region, (int) result.rows(), merged.array(), merged.length());
        return result.duplicatesDropped();
    }
}
