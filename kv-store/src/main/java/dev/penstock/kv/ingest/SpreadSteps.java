package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.RegionSlices;
import dev.penstock.step.RegionSums;
import dev.penstock.step.Sort;
import dev.penstock.step.StepName;
import dev.penstock.target.FragmentHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;

/**
 * Runs the steps over a chunk's text whose rows may belong to any region, up to one fragment for
 * each region that has some: what loaders do with rows that do not come in the order of their keys.
 * Owned by one thread; keeps its memory for the next chunk.
 */
final class SpreadSteps {
    private static final Encode.Choice[] NO_CHOICES = {};

    private final LoadDescriptor load;
    private final TableSchema schema;
    private final TextParser parser;
    private final Sort sort;
    private final RegionSlices slices;
    private final RegionSums sums;
    private final SliceForms forms;
    private final Encode encode;
    private final ByteBuilder image = new ByteBuilder(1 << 16);

    /** The regions of a load, by their place among all. */
    interface Regions {
        /**
         * Columns that will not have a dictionary in a region, which has rows.
         *
         * @throws AnsweredRejects.Declined if the region is not here; nothing is taken before
         */
        BitSet plainColumns(int region);

        /** Takes a fragment; the image is valid until this returns. */
        void take(FragmentHeader header, byte[] image, int length);
    }

    /**
     * What a text came to.
     *
     * @param parsed sums of the rows as they were parsed; none if they are not wanted
     */
    record Spread(long rowCount, ColumnSums parsed) {}

    SpreadSteps(LoadDescriptor load) {
        this.load = load;
        this.schema = load.table().schema();
        // Sums are made by region, when it is known where rows belong.
        this.parser = new TextParser(load, FragmentSteps.memoryBytes(), false);
        this.sort = new Sort(schema);
        this.slices =
                new RegionSlices(
                        schema,
                        load.regions().stream().map(region -> region.range().start()).toList());
        this.sums =
                new RegionSums(
                        schema.columnCount(),
                        load.regions().size(),
                        load.request().verification().sums());
        this.forms = new SliceForms(schema);
        this.encode = new Encode(schema, load.request().tokens());
    }

    /**
     * Runs the steps.
     *
     * @throws AnsweredRejects.Declined if a record is no row, or of a region that is not here
     */
    Spread run(FragmentHeader header, byte[] payload, int length, Regions regions, CpuClock clock) {
        parser.parse(header, payload, length, AnsweredRejects.declining(), clock);
        ColumnBatch rows = parser.batch();
        int[] order = sort.order(rows);
        int[] bounds = slices.of(rows, order);
        clock.lap(StepName.SORT);
        forms.nextChunk();
        Encode.Choice[][] choices = choices(bounds, regions);
        sums.begin();
        sums.addByColumn(rows, order, bounds);
        clock.lap(StepName.VERIFY);
        encode(header.chunkId(), rows, order, bounds, choices, regions, clock);
        return new Spread(rows.rowCount(), parsed(bounds));
    }

    private Encode.Choice[][] choices(int[] bounds, Regions regions) {
        Encode.Choice[][] choices = new Encode.Choice[bounds.length - 1][];
        Arrays.fill(choices, NO_CHOICES);
        for (int region = 0; region < choices.length; region++) {
            if (bounds[region] < bounds[region + 1]) {
                BitSet plain = forms.without(regions.plainColumns(region));
                choices[region] = FragmentSteps.choices(schema, plain);
            }
        }
        return choices;
    }

    private ColumnSums parsed(int[] bounds) {
        if (!load.request().verification().sums()) {
            return ColumnSums.NONE;
        }
        ColumnSums all = new ColumnSums(schema.columnCount());
        for (int region = 0; region + 1 < bounds.length; region++) {
            if (bounds[region] < bounds[region + 1]) {
                all.add(sums.of(region));
            }
        }
        return all;
    }

    private void encode(
            int chunkId,
            ColumnBatch rows,
            int @Nullable [] order,
            int[] bounds,
            Encode.Choice[][] choices,
            Regions regions,
            CpuClock clock) {
        SegmentIdentity identity = SegmentIdentity.ofChunk(UUID.fromString(load.loadId()), chunkId);
        Encode.Slices encoded =
                new Encode.Slices() {
                    @Override
                    public void next(int column, int from, int to) {
                        clock.lap(StepName.ENCODE);
                        sums.addColumn(rows, column, from, to);
                        clock.lap(StepName.VERIFY);
                    }

                    @Override
                    public void encoded(int region) {
                        clock.lap(StepName.ENCODE);
                        take(chunkId, region, bounds[region + 1] - bounds[region], regions);
                        // Whoever takes it has a clock of its own.
                        clock.restart();
                    }
                };
        encode.runOrdered(rows, order, bounds, choices, identity, image, encoded);
    }

    private void take(int chunkId, int region, int rows, Regions regions) {
        long regionId = load.regions().get(region).regionId();
        FragmentHeader header =
                new FragmentHeader(chunkId, regionId, FragmentForm.ENCODED, rows, sums.of(region));
        if (forms.isToLook(rows)) {
            MemorySegment bytes = MemorySegment.ofArray(image.array()).asSlice(0, image.length());
            forms.look(SegmentReader.open(schema, bytes, "a fragment", load.request().tokens()));
        }
        regions.take(header, image.array(), image.length());
    }
}
